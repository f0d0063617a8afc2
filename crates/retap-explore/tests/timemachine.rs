//! TimeMachine's policies on apps that were made to show each of them.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Subject, fake, without_snapshots};
use retap_model::format::trace::Entry;
use retap_model::trace::Return;
use retap_model::{StateId, Step};
use std::collections::BTreeMap;
use std::fs;

/// Steps that were explored, each with the state before it, cut where a trace begins. Ways back are left out.
fn legs(entries: &[Entry]) -> Vec<(Option<Return>, Vec<&Step>)> {
    let mut legs: Vec<(Option<Return>, Vec<&Step>)> = Vec::new();
    let mut way = 0;
    for entry in entries {
        match entry {
            Entry::Start(_, _, returns) => {
                way = returns.map_or(0, |returns| returns.steps);
                legs.push((*returns, Vec::new()));
            }
            Entry::Step(_) if way > 0 => way -= 1,
            Entry::Step(step) => legs.last_mut().unwrap().1.push(step),
        }
    }
    legs
}

/// The longest run of steps that all led to the same state.
fn longest_stay(steps: &[&Step]) -> usize {
    let mut longest = 0;
    let mut stay: (Option<StateId>, usize) = (None, 0);
    for step in steps {
        stay =
            if stay.0 == step.result.state { (stay.0, stay.1 + 1) } else { (step.result.state, 0) };
        longest = longest.max(stay.1);
    }
    longest
}

#[test]
fn a_dead_end_is_left_after_max_no_progress_and_not_before() {
    let subject = Subject::new(&fake("deadend.fake"));
    let explored = subject.explore("timemachine", 1, 20_000);
    let legs = legs(&explored.entries);
    let stays: Vec<usize> = legs.iter().map(|(_, steps)| longest_stay(steps)).collect();
    assert!(stays.iter().all(|stay| *stay <= 201), "{stays:?}");
    let left = stays.iter().filter(|stay| **stay == 201).count();
    assert!(left > 20, "it is a dead end again and again: {stays:?}");
    assert_eq!(explored.findings.failed_returns, 0);
}

#[test]
fn a_loop_of_two_states_is_left_when_the_window_is_full() {
    let subject = Subject::new(&fake("loop.fake"));
    let explored = subject.explore("timemachine", 1, 5_000);
    let loops = legs(&explored.entries)
        .iter()
        .filter(|(_, steps)| {
            // Ten changes of state between two states end a leg.
            let mut states: Vec<StateId> = steps.iter().filter_map(|s| s.result.state).collect();
            states.dedup();
            let tail: Vec<StateId> = states.into_iter().rev().take(10).collect();
            let kinds: std::collections::BTreeSet<&StateId> = tail.iter().collect();
            tail.len() == 10 && kinds.len() == 2
        })
        .count();
    assert!(loops > 100, "{loops}");
    let random = subject.explore("random", 1, 5_000);
    assert_eq!(random.findings.returns, 0);
}

#[test]
fn new_states_for_ever_hold_the_published_rule_and_not_the_one_that_asks_for_new_code() {
    let subject = Subject::new(&fake("keylog.fake"));
    // Events in a row that ran no code of any other screen.
    let longest_in_the_log = |name: &str| {
        let explored = subject.explore(name, 1, 5_000);
        let legs = legs(&explored.entries);
        legs.iter().map(|(_, steps)| steps.len()).max().unwrap()
    };
    for name in ["timemachine", "random-restart"] {
        assert_eq!(longest_in_the_log(name), 1_000, "{name}: a whole trace");
        let flat = longest_in_the_log(&format!("{name}:flat,max=50"));
        assert!(flat < 200, "{name}: {flat}");
    }
}

#[test]
fn a_deep_vault_is_opened_that_random_events_and_restarts_never_open() {
    let subject = Subject::new(&fake("vault.fake"));
    for seed in 1..=5 {
        let opened = |name: &str| !subject.explore(name, seed, 20_000).findings.crashes.is_empty();
        assert!(opened("timemachine"), "seed {seed}");
        assert!(!opened("random"), "seed {seed}");
        assert!(!opened("random-restart"), "seed {seed}");
    }
}

#[test]
fn worn_out_neighbourhoods_are_not_gone_back_to() {
    let subject = Subject::new(&fake("worn.fake"));
    let explored = subject.explore("timemachine", 1, 20_000);
    let mut visits: BTreeMap<StateId, usize> = BTreeMap::new();
    let mut back: BTreeMap<StateId, usize> = BTreeMap::new();
    for (returns, steps) in legs(&explored.entries) {
        if let Some(returns) = returns {
            *back.entry(returns.to).or_default() += 1;
        }
        // Events that stay where they are come to nothing: the market is where most come to.
        let mut states: Vec<StateId> = steps.iter().filter_map(|step| step.result.state).collect();
        states.dedup();
        for state in states {
            *visits.entry(state).or_default() += 1;
        }
    }
    let most_visited = visits.iter().max_by_key(|(_, visits)| **visits).unwrap().0;
    let to_it = back.get(most_visited).copied().unwrap_or(0);
    let all: usize = back.values().sum();
    assert!(
        all > 100 && to_it * 20 < all,
        "{to_it} of {all} returns result to the most worn state"
    );
}

#[test]
fn without_snapshots_the_way_is_run_again_and_counted() {
    let subject = Subject::new(&without_snapshots(&fake("vault.fake")));
    let explored = subject.explore("timemachine", 2, 20_000);
    let findings = &explored.findings;
    assert!(findings.returns > 100, "{findings:?}");
    // A recorded way always leads there; a shortcut may not, and is not tried again then.
    assert!(findings.failed_returns * 10 < findings.returns, "{findings:?}");
    assert_eq!(findings.events, 20_000);
    assert_eq!(explored.cost.restores, 0);
    let steps = explored.entries.iter().filter(|e| matches!(e, Entry::Step(_))).count();
    assert_eq!(steps as u64, findings.events, "every step was run");
}

#[test]
fn with_snapshots_a_return_runs_nothing_and_its_trace_is_whole_all_the_same() {
    let subject = Subject::new(&fake("vault.fake"));
    let explored = subject.explore("timemachine", 2, 20_000);
    assert!(explored.cost.restores > 100, "{:?}", explored.cost);
    // A state that was met again by a shorter way is run to once, and saved there.
    let run_again = explored.cost.events - explored.findings.events;
    assert!(run_again < 50, "{:?}", explored.cost);
    let whole = explored.entries.iter().filter_map(|entry| match entry {
        Entry::Start(_, _, returns) => *returns,
        Entry::Step(_) => None,
    });
    assert!(whole.clone().any(|returns| returns.steps > 5));
    assert!(whole.clone().all(|returns| returns.events == 0));
}

/// The cellar is behind a door that sticks: the tap that opened it once may have to be done again.
const STICKING: &str = "
app com.example.sticking 1.0
deterministic off
snapshots off
rotation off
start hall covers start
screen hall activity Hall
  button door \"Door\"
screen cellar activity Cellar
  button jar \"Jar\"
screen jar activity Jar
  button lid \"Lid\"
on hall tap door chance 0.5 -> cellar covers cellar
on cellar tap jar chance 0.3 -> jar covers jar
on cellar key back -> hall
on jar tap lid -> stay covers lid
on jar key back -> hall
";

#[test]
fn a_way_that_leads_elsewhere_is_repaired_from_there() {
    let subject = Subject::new(STICKING);
    let explored = subject.explore("timemachine", 1, 20_000);
    let log = fs::read_to_string(subject.dir("timemachine-1").join("travel.jsonl")).unwrap();
    let count = |what: &str| log.matches(&format!("\"what\":\"{what}\"")).count() as u64;
    assert!(count("repaired") > 10, "{log}");
    let findings = &explored.findings;
    assert_eq!(count("failed"), findings.failed_returns);
    assert_eq!(count("repaired") + count("returned") + count("failed"), findings.returns);
}

#[test]
fn a_run_cut_anywhere_is_taken_up_and_ends_as_if_nothing_had_happened() {
    for source in [fake("vault.fake"), without_snapshots(&fake("notes.fake"))] {
        let subject = Subject::new(&source);
        let whole = subject.explore("timemachine", 3, 3_000);
        let dir = subject.dir("timemachine-3");
        let trace = fs::read(dir.join("trace.jsonl")).unwrap();
        let header = trace.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for cut in (header..trace.len()).step_by(trace.len() / 12) {
            fs::write(dir.join("trace.jsonl"), &trace[..cut]).unwrap();
            let again = subject.resume(&dir, "timemachine", 3, 3_000);
            assert_eq!(again.findings, whole.findings, "cut at {cut}");
            let ended = fs::read(dir.join("trace.jsonl")).unwrap();
            assert!(ended == trace, "the trace differs when cut at {cut}");
        }
    }
}
