//! TimeMachine's policies, each on an app that was written to show it.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Subject, fake, without_snapshots};
use retap_model::format::trace::TraceEntry;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::Return;
use retap_model::{StateId, Step};
use std::collections::BTreeMap;
use std::fs;

/// The explored part of a trace: the return it began with, and the steps after that return.
struct ExploredPart<'e> {
    began_with: Option<Return>,
    steps: Vec<&'e Step>,
}

fn explored_parts(entries: &[TraceEntry]) -> Vec<ExploredPart<'_>> {
    let mut parts: Vec<ExploredPart<'_>> = Vec::new();
    let mut return_steps = 0;
    for entry in entries {
        match entry {
            TraceEntry::Start { returns, .. } => {
                return_steps = returns.map_or(0, |returns| returns.steps);
                parts.push(ExploredPart { began_with: *returns, steps: Vec::new() });
            }
            TraceEntry::Step(_) if return_steps > 0 => return_steps -= 1,
            TraceEntry::Step(step) => parts.last_mut().unwrap().steps.push(step),
        }
    }
    parts
}

/// Returns the largest number of steps in a row that did not change the state.
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
fn a_dead_end_is_left_after_max_no_progress_events_and_not_before() {
    let subject = Subject::new(&fake("deadend.fake"));
    let explored = subject.explore("timemachine", 1, 20_000);
    let parts = explored_parts(&explored.entries);
    let stays: Vec<usize> = parts.iter().map(|part| longest_stay(&part.steps)).collect();
    assert!(stays.iter().all(|stay| *stay <= 201), "{stays:?}");
    let left = stays.iter().filter(|stay| **stay == 201).count();
    // 20,000 events have room for at most a hundred dead ends of 201 events; how many there are depends on the seed.
    assert!(left > 20, "{stays:?}");
    assert_eq!(explored.totals.failed_returns, 0);
}

#[test]
fn a_loop_of_two_states_is_left_when_the_window_is_full() {
    let subject = Subject::new(&fake("loop.fake"));
    let explored = subject.explore("timemachine", 1, 5_000);
    let loops = explored_parts(&explored.entries)
        .iter()
        .filter(|part| {
            // Ten changes of state between two states end a part.
            let mut states: Vec<StateId> =
                part.steps.iter().filter_map(|s| s.result.state).collect();
            states.dedup();
            let tail: Vec<StateId> = states.into_iter().rev().take(10).collect();
            let kinds: std::collections::BTreeSet<&StateId> = tail.iter().collect();
            tail.len() == 10 && kinds.len() == 2
        })
        .count();
    // 5,000 events have room for at most 500 loops of ten changes; how many there are depends on the seed.
    assert!(loops > 100, "{loops}");
    let random = subject.explore("random", 1, 5_000);
    assert_eq!(random.totals.returns, 0);
}

#[test]
fn endless_new_states_hold_the_published_rule_but_not_flat() {
    let subject = Subject::new(&fake("keylog.fake"));
    let longest_trace = |name: &str| {
        let explored = subject.explore(name, 1, 5_000);
        let parts = explored_parts(&explored.entries);
        parts.iter().map(|part| part.steps.len()).max().unwrap()
    };
    for name in ["timemachine", "random-restart"] {
        assert_eq!(longest_trace(name), 1_000, "{name}: a whole trace");
        let flat = longest_trace(&format!("{name}:flat,max=50"));
        assert!(flat < 200, "{name}: {flat}");
    }
}

#[test]
fn timemachine_opens_a_vault_that_random_events_and_restarts_do_not_open() {
    let subject = Subject::new(&fake("vault.fake"));
    for seed in 1..=5 {
        let opened = |name: &str| !subject.explore(name, seed, 20_000).totals.crashes.is_empty();
        assert!(opened("timemachine"), "seed {seed}");
        assert!(!opened("random"), "seed {seed}");
        assert!(!opened("random-restart"), "seed {seed}");
    }
}

#[test]
fn returns_avoid_neighbourhoods_that_were_visited_too_often() {
    let subject = Subject::new(&fake("worn.fake"));
    let explored = subject.explore("timemachine", 1, 20_000);
    let mut visits: BTreeMap<StateId, usize> = BTreeMap::new();
    let mut returns_to: BTreeMap<StateId, usize> = BTreeMap::new();
    for part in explored_parts(&explored.entries) {
        if let Some(returns) = part.began_with {
            *returns_to.entry(returns.to).or_default() += 1;
        }
        // Only changes of state count as visits; by them the market is visited most.
        let mut states: Vec<StateId> =
            part.steps.iter().filter_map(|step| step.result.state).collect();
        states.dedup();
        for state in states {
            *visits.entry(state).or_default() += 1;
        }
    }
    let most_visited = visits.iter().max_by_key(|(_, visits)| **visits).unwrap().0;
    let to_it = returns_to.get(most_visited).copied().unwrap_or(0);
    let all: usize = returns_to.values().sum();
    // The policy prefers all other states, so only a small share of the returns goes to the most visited one.
    assert!(
        all > 100 && to_it * 20 < all,
        "{to_it} of {all} returns went to the most visited state"
    );
}

#[test]
fn without_snapshots_the_path_of_a_return_is_run_again_and_counted() {
    let subject = Subject::new(&without_snapshots(&fake("vault.fake")));
    let explored = subject.explore("timemachine", 2, 20_000);
    let totals = &explored.totals;
    assert!(totals.returns > 100, "{totals:?}");
    // A recorded path always arrives; a shortcut may not, and is not tried again then.
    assert!(totals.failed_returns * 10 < totals.returns, "{totals:?}");
    assert_eq!(totals.events, 20_000);
    assert_eq!(explored.cost.restores, 0);
    let steps = explored.entries.iter().filter(|e| matches!(e, TraceEntry::Step(_))).count();
    assert_eq!(steps as u64, totals.events, "every step was run");
}

#[test]
fn with_snapshots_a_return_runs_no_events_and_its_trace_is_still_whole() {
    let subject = Subject::new(&fake("vault.fake"));
    let explored = subject.explore("timemachine", 2, 20_000);
    assert!(explored.cost.restores > 100, "{:?}", explored.cost);
    // A state that was visited again by a shorter path is run to once, and saved there.
    assert!(explored.totals.return_events < 50, "{:?}", explored.totals);
    assert_eq!(explored.cost.events, explored.totals.events);
    let whole = explored.entries.iter().filter_map(|entry| match entry {
        TraceEntry::Start { returns, .. } => *returns,
        TraceEntry::Step(_) => None,
    });
    assert!(whole.clone().any(|returns| returns.steps > 5));
    assert!(whole.clone().filter(|returns| returns.events > 0).count() < 20);
}

/// Stuck after every second event, so that returns are many.
const IMPATIENT: &str = "timemachine:window,l=2,max=1,alpha=1,beta=0";

#[test]
fn no_return_leads_to_a_screen_of_another_app() {
    for source in [fake("notes.fake"), without_snapshots(&fake("notes.fake"))] {
        let entries = Subject::new(&source).explore(IMPATIENT, 1, 3_000).entries;
        let mut outside = std::collections::BTreeSet::new();
        let mut returns_to = Vec::new();
        for entry in &entries {
            let (TraceEntry::Start { result, .. } | TraceEntry::Step(Step { result, .. })) = entry;
            if matches!(result.outcome, RecordedOutcome::Left(_) | RecordedOutcome::Exited) {
                outside.extend(result.state);
            }
            if let TraceEntry::Start { returns: Some(returns), .. } = entry {
                returns_to.push(returns.to);
            }
        }
        let led_outside = returns_to.iter().filter(|to| outside.contains(to)).count();
        assert!(!outside.is_empty() && returns_to.len() > 100, "{} returns", returns_to.len());
        assert_eq!(led_outside, 0, "of {} returns", returns_to.len());
    }
}

/// A corridor with more rooms than a device holds snapshots of.
fn corridor() -> String {
    let mut source =
        "app com.example.corridor 1.0\nrotation off\nstart room0 covers start\n".to_string();
    for room in 0..100 {
        let next = room + 1;
        source += &format!("screen room{room} activity Room{room}\n  button on \"On\"\n");
        source += &format!("on room{room} tap on -> room{next} covers room{next}\n");
    }
    source + "screen room100 activity Room100\n  button end \"End\"\n"
}

#[test]
fn every_event_that_the_device_runs_counts_also_when_snapshots_are_dropped() {
    let subject = Subject::new(&corridor());
    for name in [IMPATIENT, "auto"] {
        let explored = subject.explore(name, 1, 4_000);
        let forgotten = explored.cost.saves.saturating_sub(64);
        assert!(forgotten > 10 && explored.totals.return_events > 10, "{:?}", explored.totals);
        assert_eq!(explored.cost.events, explored.totals.events, "{name}");
    }
    subject.assert_resumes(IMPATIENT, 2_000, 4);
}

/// The cellar is behind a door that sticks: a tap opens it with probability one half.
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
fn a_path_that_leads_elsewhere_is_repaired_from_there() {
    let subject = Subject::new(STICKING);
    let explored = subject.explore("timemachine", 1, 20_000);
    let log = fs::read_to_string(subject.dir("timemachine-1").join("travel.jsonl")).unwrap();
    let count = |what: &str| log.matches(&format!("\"what\":\"{what}\"")).count() as u64;
    assert!(count("repaired") > 10, "{log}");
    let totals = &explored.totals;
    assert_eq!(count("failed"), totals.failed_returns);
    assert_eq!(count("repaired") + count("returned") + count("failed"), totals.returns);
}

#[test]
fn a_run_that_is_cut_anywhere_and_resumed_equals_the_uninterrupted_run() {
    for source in [fake("vault.fake"), without_snapshots(&fake("notes.fake"))] {
        Subject::new(&source).assert_resumes("timemachine", 3_000, 12);
    }
}
