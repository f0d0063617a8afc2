//! Back that traps: it was pressed more often than there can be screens, and the app still shows a
//! screen that it showed before. Dialogs do not count, because a forced choice and "discard your
//! changes?" are intended.

use crate::probe::back_presses;
use retap_model::{
    Abstraction, Event, Finding, FindingKind, Key, Observation, Outcome, StateId, WindowKind,
};

/// Returns a finding if the execution ends in presses of back that lead in a circle.
pub fn find_trap(
    events: &[Event],
    observations: &[Observation],
    abstraction: Abstraction,
) -> Option<Finding> {
    let back = Event::Key(Key::back());
    let events = &events[..events.len().min(observations.len().checked_sub(1)?)];
    let pressed = events.iter().rev().take_while(|event| **event == back).count();
    if pressed < back_presses(events.len() - pressed) {
        return None;
    }
    let observations = &observations[events.len() - pressed..=events.len()];
    let (last, earlier) = observations.split_last()?;
    let last_state = own_state(last, abstraction)?;
    let is_same =
        |observation: &Observation| own_state(observation, abstraction) == Some(last_state);
    // The circle begins where the last state was shown before.
    let circle = &earlier[earlier.iter().rposition(is_same)?..];
    if circle.iter().any(|observation| own_state(observation, abstraction).is_none()) {
        return None;
    }
    let activities = circle.iter().map(|observation| observation.screen.activity.as_str());
    let activity = activities.min().unwrap_or_default().to_string();
    let message = match circle.len() {
        1 => format!(
            "Back does nothing: pressed {pressed} times, the app is still on the same screen"
        ),
        n => format!("Back leads around in a circle of {n} screens: pressed {pressed} times"),
    };
    Some(Finding { kind: FindingKind::Back, activity, subject: "trap".into(), message })
}

/// Returns the state, or `None` if no activity of the app is in front.
fn own_state(observation: &Observation, abstraction: Abstraction) -> Option<StateId> {
    let front = observation.screen.front();
    let is_activity = front.is_some_and(|window| window.kind == WindowKind::Activity);
    (is_activity && observation.outcome == Outcome::Running)
        .then(|| abstraction.state(&observation.screen))
}
