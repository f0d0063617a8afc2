//! The published explorers, each by what its paper says of it.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Explored, STOAT_MODEL_EVENTS, Subject, fake};
use retap_model::format::trace::TraceEntry;
use retap_model::{Event, Key, StateId};
use std::collections::{BTreeMap, BTreeSet};

/// Those that try each action of a state before they repeat one.
const SEARCHES: [&str; 3] = ["droidbot-dfs", "droidbot-bfs", "fastbot"];
const ALL: [&str; 6] = ["droidbot-dfs", "droidbot-bfs", "fastbot", "ape", "stoat", "q-testing"];

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
    for name in SEARCHES {
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
    for name in ALL {
        subject.assert_resumes(name, 600, 8);
    }
}

#[test]
fn no_search_is_caught_in_a_dead_end() {
    for app in ["loop.fake", "deadend.fake", "losing.fake", "fragile.fake"] {
        for name in ALL {
            let explored = Subject::new(&fake(app)).explore(name, 1, 400);
            assert_eq!(explored.totals.events, 400, "{name} on {app}");
        }
    }
}

#[test]
fn ape_gets_to_the_end_of_a_row_and_restarts_when_its_model_is_stable() {
    let explored = Subject::new(ROW).explore("ape", 1, 600);
    assert_eq!(explored.totals.crashes.len(), 1);
    let crashes = explored.totals.crashes.values().map(|crash| crash.occurrences).sum::<u64>();
    // The model of four screens is soon complete. Every crash and every hundredth stable event restarts the app.
    assert!(
        explored.totals.starts > crashes + 1,
        "{} starts, {crashes} crashes",
        explored.totals.starts
    );
}

/// A list whose rows look alike to a model that sees only types: one row leads on, the others to a page.
const ROWS: &str = r#"
app com.example.rows 1.0
start list covers start
screen list activity List
  list rows of 6 "Row {row}"
screen page activity Page
  button close "Close"
screen inner activity Inner
  button deep "Deep"
on list tap rows if row == 4 -> inner covers inner
on list tap rows -> page covers page
on page tap close -> list
on inner tap deep -> crash deep covers deep
crash deep
  java.lang.IllegalStateException: deep
    at com.example.rows.Inner.deep(Inner.java:3)
end
"#;

#[test]
fn ape_tells_rows_of_a_list_apart_once_they_lead_to_different_screens() {
    for seed in 1..=5 {
        let explored = Subject::new(ROWS).explore("ape", seed, 600);
        assert_eq!(explored.totals.crashes.len(), 1, "seed {seed}");
    }
}

#[test]
fn stoat_runs_tests_from_the_entry_that_consist_of_transitions_of_its_model() {
    let explored = Subject::new(&fake("notes.fake")).explore("stoat", 1, 1_500);
    let (mut events, mut seen, mut tests) = (0, BTreeSet::new(), Vec::new());
    for entry in &explored.entries {
        match entry {
            TraceEntry::Start { .. } if events >= STOAT_MODEL_EVENTS => tests.push(Vec::new()),
            TraceEntry::Start { .. } => {}
            TraceEntry::Step(step) => {
                events += 1;
                match tests.last_mut() {
                    Some(test) => test.push(&step.event),
                    None => drop(seen.insert(&step.event)),
                }
            }
        }
    }
    assert!(tests.len() > 20, "{}", tests.len());
    let is_way_back = |event: &Event| *event == Event::Launch || *event == Event::Key(Key::back());
    let mut system_events = 0;
    for test in &tests {
        let of_test = test.iter().filter(|event| !is_way_back(event)).count();
        assert!(of_test <= 21, "twenty events and a system event: {test:?}");
        for event in test {
            let is_system = matches!(event, Event::System(_));
            system_events += usize::from(is_system);
            assert!(is_system || is_way_back(event) || seen.contains(event), "{event}");
        }
    }
    assert!(system_events > tests.len() / 4, "{system_events} of {}", tests.len());
}

/// A log that is another state after each tap, and a tour of screens with other widgets.
const LOG_AND_TOUR: &str = r#"
app com.example.tour 1.0
rotation off
start home covers start
var lines = 0
screen home activity Home
  label log "{lines} lines"
  button write "Write"
  button tour "Tour"
screen first activity First
  button one "On"
screen second activity Second
  check two "On"
on home tap write -> stay set lines = lines + 1 covers written
on home tap tour -> first covers first
on first tap one -> second covers second
on second tap two -> stay covers third
"#;

#[test]
fn q_testing_is_curious_about_scenarios_and_not_about_states() {
    for seed in 1..=5 {
        let explored = Subject::new(LOG_AND_TOUR).explore("q-testing", seed, 300);
        assert_eq!(explored.totals.coverage.len(), 5, "seed {seed}");
    }
}
