//! Leaves out an event that the old version lacks, with everything up to where the new version is back.

use retap_model::{Event, StateId};

/// Returns the events without those from `missing` on up to where the new version shows again what it showed before. Both
/// versions can run them. `states` has one state more than there are events. Returns `None` if it never comes back.
pub fn skip_missing_event(
    events: &[Event],
    states: &[StateId],
    missing: usize,
) -> Option<Vec<Event>> {
    let before = *states.get(missing)?;
    let back = (missing + 1..states.len()).rev().find(|step| states[*step] == before)?;
    let rest = events.get(back..).filter(|rest| !rest.is_empty())?;
    Some(events[..missing].iter().chain(rest).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detour_that_the_old_version_lacks_is_left_out() {
        let events: Vec<Event> = (0..5).map(Event::Wait).collect();
        let states = [1, 2, 3, 2, 4, 5].map(StateId);
        // The second event leads to state 3 and the third back to state 2.
        let left = skip_missing_event(&events, &states, 1).unwrap();
        assert_eq!(left, [Event::Wait(0), Event::Wait(3), Event::Wait(4)]);
        assert_eq!(skip_missing_event(&events, &states, 2), None);
    }
}
