//! What a user would enter before pressing a button: texts, boxes and radio buttons, by the paper's table 4.

use super::locate::target_of;
use super::{ManualInputs, TextMemory};
use crate::model::RunWindowId;
use retap_explore::DecisionRng;
use retap_model::{Event, Flags, Screen, Widget};

/// Whether a field may be left empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyTexts {
    Allowed,
    /// A first visit fills every field, because most forms ask for that.
    Avoided,
}

/// A text that is not empty is looked for in this many draws.
const MAX_DRAWS: usize = 6;

/// Returns the events that fill the fields and set the boxes of a screen. `window` is the window's number and name.
pub fn user_like_inputs(
    screen: &Screen,
    window: (RunWindowId, &str),
    (texts, manual): (&TextMemory, &ManualInputs),
    empties: EmptyTexts,
    rng: &mut DecisionRng,
) -> Vec<Event> {
    let instance = manual.draw_instance(window.1, rng);
    let mut events = Vec::new();
    for widget in screen.actionable() {
        let shown = widget.widget();
        let given = instance.as_ref().and_then(|instance| instance.value_for(shown.short_id()));
        if shown.has(Flags::EDITABLE) {
            let text = match given {
                Some(value) => value.to_string(),
                None => draw(shown, window.0, texts, empties, rng),
            };
            // The field has this text already.
            if shown.text != text {
                events.push(Event::Text { on: target_of(widget), text });
            }
        } else if shown.has(Flags::CHECKABLE) {
            let wanted = match given {
                Some(value) => value == "true",
                None => rng.chance(0.5),
            };
            if wanted != shown.has(Flags::CHECKED) {
                events.push(Event::Tap(target_of(widget)));
            }
        }
    }
    events
}

fn draw(
    field: &Widget,
    window: RunWindowId,
    texts: &TextMemory,
    empties: EmptyTexts,
    rng: &mut DecisionRng,
) -> String {
    let mut drawn = texts.draw(field, window, rng);
    for _ in 1..MAX_DRAWS {
        if empties == EmptyTexts::Allowed || !drawn.trim().is_empty() {
            break;
        }
        drawn = texts.draw(field, window, rng);
    }
    drawn
}
