//! The published explorers, each by what its paper says of it.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Explored, Subject, fake};
use retap_model::format::trace::TraceEntry;
use retap_model::{Event, Key, StateId};
use std::collections::{BTreeMap, BTreeSet};

const NAMES: [&str; 3] = ["droidbot-dfs", "droidbot-bfs", "fastbot"];

/// Four screens in a row, each with three buttons that do nothing. Nothing there can be scrolled or long-pressed.
const ROW: &str = r#"
app com.example.row 1.0
start a covers a

screen a activity A "A"
  button a1 "1"
  button a2 "2"
  button a3 "3"
  button next "Next"
screen b activity B "B"
  button b1 "1"
  button b2 "2"
  button b3 "3"
  button next "Next"
screen c activity C "C"
  button c1 "1"
  button c2 "2"
  button c3 "3"
  button next "Next"
screen d activity D "D"
  button d1 "1"
  button d2 "2"
  button d3 "3"

on a tap next -> b covers b
on b tap next -> c covers c
on c tap next -> d covers d
on d tap d3 -> crash deep

crash deep
  java.lang.IllegalStateException: deep
    at com.example.row.D.third(D.java:3)
end
"#;

/// Returns the events of a run with the state in which each was performed.
fn performed(explored: &Explored) -> Vec<(StateId, &Event)> {
    let mut state = None;
    let mut events = Vec::new();
    for entry in &explored.entries {
        match entry {
            TraceEntry::Start { result, .. } => state = result.state,
            TraceEntry::Step(step) => {
                // A launch leads back from outside the app, where nothing else is done.
                let state_inside = state.filter(|_| step.event != Event::Launch);
                events.extend(state_inside.map(|state| (state, &step.event)));
                state = step.result.state;
            }
        }
    }
    events
}

#[test]
fn the_search_tries_each_action_of_a_state_before_it_repeats_one() {
    for name in NAMES {
        let explored = Subject::new(ROW).explore(name, 1, 200);
        let mut tried: BTreeMap<StateId, BTreeSet<&Event>> = BTreeMap::new();
        for (state, event) in performed(&explored) {
            let tried = tried.entry(state).or_default();
            // Each screen has at least three buttons, the menu key and Back.
            let is_new = tried.insert(event);
            assert!(is_new || tried.len() >= 5, "{name} repeats {event:?} after {tried:?}");
        }
        assert!(explored.totals.crashes.len() == 1, "{name} does not get to the end of the row");
    }
}

#[test]
fn depth_first_presses_back_last_and_breadth_first_presses_it_first() {
    let back = Event::Key(Key::back());
    for (name, is_first) in [("droidbot-dfs", false), ("droidbot-bfs", true)] {
        let explored = Subject::new(ROW).explore(name, 2, 60);
        let mut met = BTreeSet::new();
        let firsts: Vec<bool> = performed(&explored)
            .into_iter()
            .filter(|(state, _)| met.insert(*state))
            .map(|(_, event)| *event == back)
            .collect();
        assert!(firsts.len() > 2, "{name}: {firsts:?}");
        assert!(firsts.iter().all(|first| *first == is_first), "{name}: {firsts:?}");
    }
}

#[test]
fn a_search_walks_to_the_states_that_have_something_untried() {
    // 4 screens with at most 6 actions each, and walks between them.
    let explored = Subject::new(ROW).explore("droidbot-dfs", 3, 80);
    assert_eq!(explored.totals.states.len(), 5, "{:?}", explored.totals.states);
    assert_eq!(explored.totals.crashes.len(), 1);
}

#[test]
fn a_run_that_was_cut_goes_on_as_if_it_had_not_been() {
    let subject = Subject::new(&fake("notes.fake"));
    for name in NAMES {
        subject.assert_resumes(name, 600, 8);
    }
}

#[test]
fn no_search_is_caught_in_a_dead_end() {
    for app in ["loop.fake", "deadend.fake", "losing.fake", "fragile.fake"] {
        for name in NAMES {
            let explored = Subject::new(&fake(app)).explore(name, 1, 400);
            assert_eq!(explored.totals.events, 400, "{name} on {app}");
        }
    }
}
