//! The events that ask an active oracle's question, and how they are recognised at the end of an
//! execution. A probe turns the display and turns it back, leaves the app and comes back, or presses
//! back more often than there can be screens.

use retap_model::screen::WidgetRef;
use retap_model::{
    Event, FindingKind, Flags, Key, Observation, Orientation, Outcome, Screen, Selector, Target,
    WindowKind,
};

/// Milliseconds of the app's clock in which it may show again what it showed. Passing messages are gone
/// by then.
pub const SETTLE_MS: u32 = 10_000;
/// Presses of back beyond one for every earlier event: nobody can have opened more screens than that.
const EXTRA_PRESSES: usize = 4;
/// Fields to fill and boxes to tick before a probe, so that there is something to lose.
const MAX_INPUTS: usize = 3;
/// A number, because every field accepts one.
const INPUT_TEXT: &str = "4711";

/// The observations around a round trip: before it and at its end.
#[derive(Debug, Clone, Copy)]
pub struct RoundTrip<'a> {
    pub before: &'a Observation,
    pub after: &'a Observation,
}

/// Returns the events of a probe on this screen, or none for oracles that only look.
pub fn probe_events(kind: FindingKind, screen: &Screen, events_before: usize) -> Vec<Event> {
    match kind {
        FindingKind::Rotation => {
            let turned = match screen.orientation {
                Orientation::Portrait | Orientation::ReversePortrait => Orientation::Landscape,
                Orientation::Landscape | Orientation::ReverseLandscape => Orientation::Portrait,
            };
            vec![Event::Rotate(turned), Event::Rotate(screen.orientation), Event::Wait(SETTLE_MS)]
        }
        FindingKind::Background => {
            vec![Event::Key(Key::home()), Event::Launch, Event::Wait(SETTLE_MS)]
        }
        FindingKind::Back => vec![Event::Key(Key::back()); back_presses(events_before)],
        FindingKind::Layout | FindingKind::Leak | FindingKind::Property => Vec::new(),
    }
}

/// Returns how often back must be pressed before staying in the app means a trap.
pub fn back_presses(events_before: usize) -> usize {
    events_before + EXTRA_PRESSES
}

/// Returns true if a probe makes sense here: an activity or a dialog of the app is in front. Menus and
/// popups close by themselves when the display turns.
pub fn can_probe(observation: &Observation) -> bool {
    observation.outcome == Outcome::Running
        && observation
            .screen
            .front()
            .is_some_and(|window| matches!(window.kind, WindowKind::Activity | WindowKind::Dialog))
}

/// Returns the next event that fills a field or ticks a box, after `done` of them. A user would be sorry
/// to lose these.
pub fn next_input(screen: &Screen, done: usize) -> Option<Event> {
    let target = |widget: WidgetRef<'_>| Target {
        on: Some(Selector::of(widget)),
        at: Some(widget.widget().bounds.center()),
    };
    let fields = screen
        .actionable()
        .filter(|w| w.widget().has(Flags::EDITABLE) && !w.widget().has(Flags::PASSWORD));
    let mut boxes = screen
        .actionable()
        .filter(|w| w.widget().has(Flags::CHECKABLE) && !w.widget().has(Flags::CHECKED));
    // A ticked box is no longer among `boxes`; a filled field keeps its place among `fields`.
    let fields: Vec<WidgetRef<'_>> = fields.take(MAX_INPUTS).collect();
    if let Some(field) = fields.get(done) {
        return Some(Event::Text { on: target(*field), text: INPUT_TEXT.into() });
    }
    let ticked = done - fields.len();
    boxes.next().filter(|_| ticked < MAX_INPUTS).map(|found| Event::Tap(target(found)))
}

/// Returns the observations around a round trip of this kind, if the events end in one.
pub fn find_round_trip<'a>(
    kind: FindingKind,
    events: &[Event],
    observations: &'a [Observation],
) -> Option<RoundTrip<'a>> {
    let events = &events[..events.len().min(observations.len().checked_sub(1)?)];
    let waits = events.iter().rev().take_while(|event| matches!(event, Event::Wait(_))).count();
    let start = events.len().checked_sub(waits + 2)?;
    let before = observations.get(start)?;
    let is_round_trip = match (kind, &events[start], &events[start + 1]) {
        (FindingKind::Rotation, Event::Rotate(there), Event::Rotate(back)) => {
            there != back && *back == before.screen.orientation
        }
        (FindingKind::Background, Event::Key(key), Event::Launch) => *key == Key::home(),
        _ => false,
    };
    let after = observations.get(events.len())?;
    (is_round_trip && can_probe(before)).then_some(RoundTrip { before, after })
}
