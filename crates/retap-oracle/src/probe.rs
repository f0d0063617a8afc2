//! Events that put a question to an app, and how they are recognised at the end of an execution: the display
//! turned and turned back, the app left and come back to, back pressed more often than there can be screens.

use retap_model::screen::WidgetRef;
use retap_model::{
    Event, FindingKind, Flags, Key, Observation, Orientation, Outcome, Screen, Selector, Target,
    WindowKind,
};

/// What an app may need to show again what it showed, on its own clock; messages that pass have passed by then.
pub const PATIENCE_MS: u32 = 10_000;
/// Presses beyond one for every event before: nobody can have opened more screens than that.
const MORE_PRESSES: usize = 4;
/// Fields that are filled and boxes that are ticked, so that there is something to lose.
const MOST_FILLED: usize = 3;
/// A number, because every field takes one.
const FILLING: &str = "4711";

/// The events that ask, where this is what the app shows. Nothing for oracles that only look.
pub fn events(kind: FindingKind, screen: &Screen, events_before: usize) -> Vec<Event> {
    match kind {
        FindingKind::Rotation => {
            let turned = match screen.orientation {
                Orientation::Portrait | Orientation::ReversePortrait => Orientation::Landscape,
                Orientation::Landscape | Orientation::ReverseLandscape => Orientation::Portrait,
            };
            vec![Event::Rotate(turned), Event::Rotate(screen.orientation), Event::Wait(PATIENCE_MS)]
        }
        FindingKind::Background => {
            vec![Event::Key(Key::home()), Event::Launch, Event::Wait(PATIENCE_MS)]
        }
        FindingKind::Back => {
            vec![Event::Key(Key::back()); presses(events_before)]
        }
        FindingKind::Layout | FindingKind::Leak | FindingKind::Property => Vec::new(),
    }
}

/// How often back must be pressed before not getting out means anything.
pub fn presses(events_before: usize) -> usize {
    events_before + MORE_PRESSES
}

/// Whether a state is worth a question: the app is in front, with a screen or a dialog of its own. Menus and popups
/// close by themselves when the display turns.
pub fn can_be_asked(seen: &Observation) -> bool {
    seen.outcome == Outcome::Running
        && seen
            .screen
            .front()
            .is_some_and(|window| matches!(window.kind, WindowKind::Activity | WindowKind::Dialog))
}

/// The next thing to fill in or tick on this screen, `done` of them being done: what a person would be sorry to lose.
pub fn filling(screen: &Screen, done: usize) -> Option<Event> {
    let target = |widget: WidgetRef<'_>| Target {
        on: Some(Selector::of(widget)),
        at: Some(widget.widget().bounds.center()),
    };
    let fields = screen
        .actionable()
        .filter(|w| w.widget().has(Flags::EDITABLE) && !w.widget().has(Flags::PASSWORD));
    let boxes = screen
        .actionable()
        .filter(|w| w.widget().has(Flags::CHECKABLE) && !w.widget().has(Flags::CHECKED));
    // What was ticked is no longer offered: only fields keep their places.
    let fields: Vec<WidgetRef<'_>> = fields.take(MOST_FILLED).collect();
    if let Some(field) = fields.get(done) {
        return Some(Event::Text { on: target(*field), text: FILLING.into() });
    }
    let ticked = done - fields.len();
    boxes.take(1).next().filter(|_| ticked < MOST_FILLED).map(|found| Event::Tap(target(found)))
}

/// What was seen before and after a round trip of this kind, if the events end in one.
pub fn round_trip<'a>(
    kind: FindingKind,
    events: &[Event],
    seen: &'a [Observation],
) -> Option<(&'a Observation, &'a Observation)> {
    let events = &events[..events.len().min(seen.len().checked_sub(1)?)];
    let waits = events.iter().rev().take_while(|event| matches!(event, Event::Wait(_))).count();
    let there = events.len().checked_sub(waits + 2)?;
    let before = seen.get(there)?;
    let is_one = match (kind, &events[there], &events[there + 1]) {
        (FindingKind::Rotation, Event::Rotate(out), Event::Rotate(home)) => {
            out != home && *home == before.screen.orientation
        }
        (FindingKind::Background, Event::Key(key), Event::Launch) => *key == Key::home(),
        _ => false,
    };
    (is_one && can_be_asked(before)).then(|| Some((before, seen.get(events.len())?)))?
}
