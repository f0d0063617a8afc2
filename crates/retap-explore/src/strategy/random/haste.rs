//! Random haste: a double tap, two widgets in one go, Back or a rotation right after a tap.

use super::targets::any_widget_with;
use crate::decision_rng::DecisionRng;
use crate::strategy::DecisionContext;
use retap_model::event::HastyEvents;
use retap_model::{Event, Flags, Key, Orientation};

/// Time for what a tap does on the main thread, and none for what it begins elsewhere.
const GAP_MS: u32 = 100;

/// Draws a hasty event. Returns `None` if the screen has nothing to tap.
pub fn draw_hasty_event(context: &DecisionContext<'_>, rng: &mut DecisionRng) -> Option<Event> {
    let tap = |rng: &mut DecisionRng| {
        any_widget_with(Flags::CLICKABLE | Flags::CHECKABLE, context, rng).map(Event::Tap)
    };
    let first = tap(rng)?;
    let second = match rng.below(4) {
        0 | 1 => first.clone(),
        2 => tap(rng)?,
        _ if rng.chance(0.5) => Event::Key(Key::back()),
        _ => Event::Rotate(match context.observation.screen.orientation {
            Orientation::Portrait => Orientation::Landscape,
            _ => Orientation::Portrait,
        }),
    };
    let gap_ms = if rng.chance(0.5) { GAP_MS } else { 0 };
    HastyEvents::new(vec![first, second], gap_ms).ok().map(Event::Hasty)
}
