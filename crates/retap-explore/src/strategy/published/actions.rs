//! The actions that the published explorers know: taps, long presses, swipes, texts, Back and the menu key.

use crate::decision_rng::DecisionRng;
use crate::strategy::auto::event_key::{key_of_event, key_of_text};
use crate::strategy::auto::{ActionKind, EventSignature, TextClass, Vocabulary, list_actions};
use retap_model::{App, Event, Key, Screen};

/// An action of a screen, by which it is counted, and the event that performs it.
#[derive(Debug, Clone)]
pub struct GuiAction {
    pub id: EventSignature,
    pub event: Event,
}

/// Lists the actions of a screen. Texts are drawn anew each time, but typing into a field stays one action.
pub fn offered_actions(screen: &Screen, app: &App, rng: &mut DecisionRng) -> Vec<GuiAction> {
    let known = |event: &Event| {
        matches!(event, Event::Tap(_) | Event::LongPress(_) | Event::Drag { .. })
            || *event == Event::Key(Key::back())
            || *event == Event::Key(Key::menu())
    };
    let offers = list_actions(screen, app).into_iter();
    let events = offers.filter_map(|offer| match offer.kind {
        ActionKind::Do(event) => known(&event).then_some(event),
        ActionKind::Type(on) => {
            let class = *rng.pick(&TextClass::ALL)?;
            let text = class.draw(&on, &Vocabulary::default(), rng);
            Some(Event::Text { on, text })
        }
    });
    events.map(|event| GuiAction { id: action_of(&event, &screen.activity), event }).collect()
}

/// Returns the action that an event performs in an activity.
pub fn action_of(event: &Event, activity: &str) -> EventSignature {
    match event {
        Event::Text { on, .. } => key_of_text(on, activity).signature,
        other => key_of_event(other, activity, 0).signature,
    }
}
