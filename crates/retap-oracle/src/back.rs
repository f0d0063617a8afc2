//! Back that traps: pressed more often than there can be screens, and still the app shows one that it showed
//! before. Dialogs are left out, because a forced choice and "discard your changes?" are meant.

use crate::probe::presses;
use retap_model::{
    Abstraction, Event, Finding, FindingKind, Key, Observation, Outcome, StateId, WindowKind,
};

pub fn trapped(
    events: &[Event],
    seen: &[Observation],
    abstraction: Abstraction,
) -> Option<Finding> {
    let back = Event::Key(Key::back());
    let events = &events[..events.len().min(seen.len().checked_sub(1)?)];
    let pressed = events.iter().rev().take_while(|event| **event == back).count();
    if pressed < presses(events.len() - pressed) {
        return None;
    }
    let seen = &seen[events.len() - pressed..=events.len()];
    let (last, earlier) = seen.split_last()?;
    let here = state(last, abstraction)?;
    // The circle that the presses lead around in: from the last time that this was shown.
    let circle =
        &earlier[earlier.iter().rposition(|seen| state(seen, abstraction) == Some(here))?..];
    if circle.iter().any(|seen| state(seen, abstraction).is_none()) {
        return None;
    }
    let activities = circle.iter().map(|seen| seen.screen.activity.as_str());
    let activity = activities.min().unwrap_or_default().to_string();
    let message = match circle.len() {
        1 => format!(
            "Back does nothing: pressed {pressed} times, the app is still on the same screen"
        ),
        n => format!("Back leads around in a circle of {n} screens: pressed {pressed} times"),
    };
    Some(Finding { kind: FindingKind::Back, activity, subject: "trap".into(), message })
}

/// None where the app is not in front with a screen of its own.
fn state(seen: &Observation, abstraction: Abstraction) -> Option<StateId> {
    let plain = seen.screen.front().is_some_and(|window| window.kind == WindowKind::Activity);
    (plain && seen.outcome == Outcome::Running).then(|| abstraction.state(&seen.screen))
}
