//! Cuts detours out of a long trace: a part that leads from one state to another is replaced by the shortest known path
//! between the two. Large parts come first, then ever smaller ones, as in delta debugging. What remains still leads from
//! screen to screen, where a trace that only lacks a part would touch widgets that are not there.

use retap_model::{Event, StateId};

/// A shorter trace is left to the search, which needs no known paths.
const SHORT_TRACE: usize = 12;
const SMALLEST_PART: usize = 4;
/// All runs together have at most as many events as so many runs of the whole trace.
const MAX_TRACES: usize = 12;

/// Events that show a fault, and the states before the first and after each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTrace {
    pub events: Vec<Event>,
    pub states: Vec<StateId>,
}

impl ShownTrace {
    /// Returns the events without those from `start` to `end`, which a shorter path replaces.
    fn without(
        &self,
        start: usize,
        end: usize,
        path: impl Fn(StateId, StateId, usize) -> Option<Vec<Event>>,
    ) -> Option<Vec<Event>> {
        let (from, to) = (*self.states.get(start)?, *self.states.get(end)?);
        let path = path(from, to, (end - start).checked_sub(1)?)?;
        Some([&self.events[..start], &path, &self.events[end..]].concat())
    }
}

/// Cuts detours. `path` finds the events from one state to another, at most so many; `show` runs events and returns what
/// they showed if it is the fault, and stops the search by an error. The last event always stays.
pub fn cut_detours<E>(
    mut shown: ShownTrace,
    path: impl Fn(StateId, StateId, usize) -> Option<Vec<Event>>,
    mut show: impl FnMut(Vec<Event>) -> Result<Option<ShownTrace>, E>,
) -> Result<ShownTrace, E> {
    let mut events_left = MAX_TRACES * shown.events.len();
    let mut part = shown.events.len() / 2;
    while part >= SMALLEST_PART && shown.events.len() > SHORT_TRACE {
        let mut end = shown.events.len() - 1;
        while end > 0 {
            let start = end.saturating_sub(part);
            if let Some(events) = shown.without(start, end, &path) {
                if events.len() > events_left {
                    return Ok(shown);
                }
                events_left -= events.len();
                if let Some(shorter) = show(events)? {
                    shown = shorter;
                }
            }
            // A fault may show earlier than before.
            end = start.min(shown.events.len().saturating_sub(1));
        }
        part = (part / 2).min(shown.events.len() / 2);
    }
    Ok(shown)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use retap_model::Key;
    use std::convert::Infallible;

    /// Screens in a row: Back leads to the one before, Menu to the next. The fault needs each mark, a key on a screen,
    /// and then the key `enter` on the first screen.
    struct Row {
        marks: &'static [(&'static str, u64)],
        ran: usize,
    }

    fn next(state: u64, key: &str) -> u64 {
        match key {
            "back" => state.saturating_sub(1),
            "menu" => (state + 1).min(9),
            _ => state,
        }
    }

    impl Row {
        fn show(&mut self, events: &[Event]) -> Option<ShownTrace> {
            let (mut state, mut states) = (0, vec![StateId(0)]);
            let mut marks = self.marks.to_vec();
            for (event, number) in events.iter().zip(1..) {
                self.ran += 1;
                let Event::Key(key) = event else { continue };
                state = next(state, key.name());
                states.push(StateId(state));
                marks.retain(|mark| *mark != (key.name(), state));
                if key.name() == "enter" && state == 0 && marks.is_empty() {
                    return Some(ShownTrace { events: events[..number].to_vec(), states });
                }
            }
            None
        }
    }

    fn press(key: &str) -> Event {
        Event::Key(Key::new(key).unwrap())
    }

    fn path(from: StateId, to: StateId, most: usize) -> Option<Vec<Event>> {
        let key = press(if from < to { "menu" } else { "back" });
        let length = usize::try_from(from.0.abs_diff(to.0)).ok()?;
        (length <= most).then(|| vec![key; length])
    }

    /// Returns a walk up and down the row a hundred times, with keys inserted on the way and the fault at the end.
    fn walk(keys: &[(usize, &str)]) -> Vec<Event> {
        let up_and_down = [["menu"; 9], ["back"; 9]].concat();
        let mut walk: Vec<&str> = up_and_down.iter().copied().cycle().take(1800).collect();
        for (at, key) in keys {
            walk.insert(*at, key);
        }
        walk.push("enter");
        walk.into_iter().map(press).collect()
    }

    fn cut(row: &mut Row, events: &[Event]) -> ShownTrace {
        let shown = row.show(events).unwrap();
        row.ran = 0;
        let show = |events: Vec<Event>| Ok::<_, Infallible>(row.show(&events));
        let Ok(shorter) = cut_detours(shown, path, show);
        shorter
    }

    #[test]
    fn a_cause_long_before_the_end_keeps_only_the_way_to_it_and_on() {
        let mut row = Row { marks: &[("home", 3)], ran: 0 };
        let events = walk(&[(18 * 57 + 3, "home")]);
        let shorter = cut(&mut row, &events);
        // The way there and back has eight events; small detours are left to the search.
        assert!(shorter.events.len() <= 16, "{shorter:?}");
        assert!(row.ran <= 4 * events.len(), "{} events were run", row.ran);
        assert_eq!(row.show(&shorter.events), Some(shorter));
    }

    #[test]
    fn causes_far_apart_are_all_kept() {
        let mut row = Row { marks: &[("home", 3), ("search", 5)], ran: 0 };
        let shorter = cut(&mut row, &walk(&[(18 * 80 + 3, "home"), (18 * 20 + 5, "search")]));
        // There and back for each of the two has nineteen.
        assert!(shorter.events.len() <= 32, "{shorter:?}");
        assert!(row.show(&shorter.events).is_some());
    }

    #[test]
    fn a_trace_in_which_every_event_counts_costs_some_runs_at_most_and_stays() {
        let events = walk(&[]);
        let states = (0..=events.len() as u64).map(StateId).collect();
        let shown = ShownTrace { events, states };
        let mut ran = 0;
        let no_events = |_: StateId, _: StateId, _: usize| Some(Vec::new());
        let show = |events: Vec<Event>| {
            ran += events.len();
            Ok::<_, Infallible>(None)
        };
        let Ok(same) = cut_detours(shown.clone(), no_events, show);
        assert_eq!(same, shown);
        assert!(ran <= MAX_TRACES * shown.events.len(), "{ran} events were run");
    }
}
