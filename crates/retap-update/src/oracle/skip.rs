//! Leaves out an event that the old version lacks, each time with everything up to where the new version is back.

use retap_model::{Event, StateId};

/// Returns the events without the missing one, and without the same event later on. Each goes with what follows it up to where the
/// new version first shows again what it showed before, so that both versions can run the rest. `states` has one state more than
/// there are events. Returns `None` if nothing is left to run.
pub fn skip_missing_event(
    events: &[Event],
    states: &[StateId],
    missing: usize,
) -> Option<Vec<Event>> {
    let lacked = events.get(missing)?;
    let mut kept = events[..missing].to_vec();
    let mut step = missing;
    while step < events.len() {
        if !is_same_input(&events[step], lacked) {
            kept.push(events[step].clone());
            step += 1;
            continue;
        }
        let before = *states.get(step)?;
        match (step + 1..states.len()).find(|later| states[*later] == before) {
            Some(back) => step = back,
            None => break,
        }
    }
    (kept.len() > missing).then_some(kept)
}

/// Returns true if two events do the same to the same widget, wherever it was and whatever is typed.
fn is_same_input(one: &Event, other: &Event) -> bool {
    let selector = |event: &Event| event.target().and_then(|target| target.on.clone());
    match (selector(one), selector(other)) {
        (Some(a), Some(b)) => {
            std::mem::discriminant(one) == std::mem::discriminant(other)
                && (&a.id, &a.class, &a.text) == (&b.id, &b.class, &b.text)
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(numbers: &[u32]) -> Vec<Event> {
        numbers.iter().copied().map(Event::Wait).collect()
    }

    #[test]
    fn a_detour_that_the_old_version_lacks_is_left_out() {
        let events = waits(&[0, 1, 2, 3, 4]);
        let states = [1, 2, 3, 2, 4, 5].map(StateId);
        // The second event leads to state 3 and the third back to state 2.
        assert_eq!(skip_missing_event(&events, &states, 1).unwrap(), waits(&[0, 3, 4]));
        assert_eq!(skip_missing_event(&events, &states, 2), None, "it never comes back");
    }

    #[test]
    fn what_happens_between_two_detours_stays() {
        // Event 9 opens state 7 and event 8 closes it; between the detours the app does something else in state 2.
        let events = waits(&[0, 9, 8, 3, 4, 9, 8, 5]);
        let states = [1, 2, 7, 2, 3, 2, 7, 2, 4].map(StateId);
        assert_eq!(skip_missing_event(&events, &states, 1).unwrap(), waits(&[0, 3, 4, 5]));
    }
}
