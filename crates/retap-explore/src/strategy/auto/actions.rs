//! The actions that a screen offers, with the prior of each.

use super::event_key::{EventKey, key_of_event, key_of_text};
use super::guide::{MapGuide, MapInputNumber};
use crate::code_map::MapGesture;
use crate::strategy::random::WAIT_MS;
use retap_model::event::{Connectivity, Intent};
use retap_model::screen::WidgetRef;
use retap_model::{
    App, Event, Flags, Key, Orientation, Point, Rect, Screen, Selector, SystemEvent, Target,
};

/// The effect of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionKind {
    Do(Event),
    /// Types a text, which is drawn when the action is chosen.
    Type(Target),
}

/// An action that a screen offers.
#[derive(Debug, Clone, PartialEq)]
pub struct PossibleAction {
    pub kind: ActionKind,
    pub key: EventKey,
    /// The expected reward before anything of the family was tried.
    pub prior: f64,
    /// The inputs of the code map that it may be.
    pub inputs: Vec<MapInputNumber>,
}

/// An action, its prior and the inputs of the code map that it may be.
struct Offer {
    kind: ActionKind,
    prior: f64,
    inputs: Vec<MapInputNumber>,
}

impl Offer {
    fn event(event: Event, prior: f64, inputs: Vec<MapInputNumber>) -> Self {
        Self { kind: ActionKind::Do(event), prior, inputs }
    }
}

/// Lists everything worth trying on a screen, without a map.
pub fn list_actions(screen: &Screen, app: &App) -> Vec<PossibleAction> {
    list_mapped_actions(screen, app, 0, &MapGuide::default())
}

/// Lists everything worth trying on a screen. `form` is a hash of the texts that were typed since its state was entered.
pub(super) fn list_mapped_actions(
    screen: &Screen,
    app: &App,
    form: u64,
    guide: &MapGuide,
) -> Vec<PossibleAction> {
    let mut offers: Vec<Offer> = Vec::new();
    for widget in screen.actionable() {
        offer_widget_actions(widget, guide, &mut offers);
    }
    offer_device_actions(screen, app, guide, &mut offers);
    offers
        .into_iter()
        .map(|Offer { kind, prior, inputs }| {
            let key = match &kind {
                ActionKind::Do(event) => key_of_event(event, &screen.activity, form),
                ActionKind::Type(target) => key_of_text(target, &screen.activity),
            };
            PossibleAction { kind, key, prior, inputs }
        })
        .collect()
}

fn offer_widget_actions(widget: WidgetRef<'_>, guide: &MapGuide, offers: &mut Vec<Offer>) {
    let inputs = |gesture| guide.inputs_of(widget, gesture);
    let Rect { left, top, right, bottom } = widget.widget().bounds;
    let flags = widget.widget().flags;
    let center = widget.widget().bounds.center();
    let target = || Target { on: Some(Selector::of(widget)), at: Some(center) };
    if flags.intersects(Flags::CLICKABLE | Flags::CHECKABLE) && !flags.contains(Flags::EDITABLE) {
        offers.push(Offer::event(Event::Tap(target()), 1.0, inputs(MapGesture::Tap)));
    }
    if flags.contains(Flags::LONG_CLICKABLE) {
        let prior = if flags.contains(Flags::EDITABLE) { 0.1 } else { 0.5 };
        offers.push(Offer::event(Event::LongPress(target()), prior, inputs(MapGesture::LongPress)));
    }
    if flags.contains(Flags::SCROLLABLE) {
        let (third_x, third_y) = ((right - left) / 3, (bottom - top) / 3);
        let Point { x, y } = center;
        let ends_and_priors = [
            (Point::new(x, y - third_y), 0.4),
            (Point::new(x, y + third_y), 0.25),
            (Point::new(x - third_x, y), 0.25),
            (Point::new(x + third_x, y), 0.15),
        ];
        for (to, prior) in ends_and_priors {
            let drag = Event::Drag { from: target(), to, ms: 200 };
            offers.push(Offer::event(drag, prior, inputs(MapGesture::Swipe)));
        }
    }
    if flags.contains(Flags::EDITABLE) {
        let kind = ActionKind::Type(target());
        offers.push(Offer { kind, prior: 0.7, inputs: inputs(MapGesture::Type) });
    }
}

/// Offers waits, keys, rotation, system events, and intents for windows that nothing has opened yet.
fn offer_device_actions(screen: &Screen, app: &App, guide: &MapGuide, offers: &mut Vec<Offer>) {
    let rotated = match screen.orientation {
        Orientation::Portrait => Orientation::Landscape,
        _ => Orientation::Portrait,
    };
    // A screen without widgets is about to change, or a dead end.
    let wait_prior = if offers.is_empty() { 1.0 } else { 0.1 };
    let mut offer = |event: Event, prior: f64| {
        let gesture = match &event {
            Event::Key(key) if *key == Key::back() => Some(MapGesture::Back),
            Event::Key(key) if *key == Key::menu() => Some(MapGesture::Menu),
            Event::Rotate(_) => Some(MapGesture::Rotate),
            _ => None,
        };
        let inputs = gesture.map(|it| guide.inputs_of_window(&screen.activity, it));
        offers.push(Offer::event(event, prior, inputs.unwrap_or_default()));
    };
    offer(Event::Wait(WAIT_MS), wait_prior);
    offer(Event::Key(Key::back()), 0.4);
    offer(Event::Key(Key::menu()), 0.5);
    offer(Event::Rotate(rotated), 0.25);
    offer(Event::Key(Key::home()), 0.05);
    // They show nothing new and leave much behind: once in each activity they are worth a try.
    for (system, prior) in [
        (SystemEvent::ProcessDeath, 0.05),
        (SystemEvent::LowMemory, 0.05),
        (SystemEvent::Connectivity(Connectivity::Off), 0.05),
        (SystemEvent::Connectivity(Connectivity::Wifi), 0.05),
    ] {
        offer(Event::System(system), prior);
    }
    for action in &app.broadcasts {
        let intent = Intent { action: action.clone(), ..Intent::default() };
        offer(Event::System(SystemEvent::Broadcast(intent)), 0.15);
    }
    for (intent, input) in guide.intents() {
        offers.push(Offer::event(Event::Intent(intent.clone()), 0.0, vec![input]));
    }
}
