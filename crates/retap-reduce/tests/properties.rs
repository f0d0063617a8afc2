//! Random apps, random suites, random flakiness: what reducing promises holds for all of them.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Bench, tap, total};
use proptest::prelude::*;
use retap_model::{Event, Trace};
use retap_reduce::{
    CostModel, RecordedTrace, ReductionLimits, ReductionOptions, SuiteReduction, reduce,
};
use std::collections::BTreeSet;
use std::fmt::Write;

const SCREENS: usize = 5;
const BUTTONS: usize = 3;

/// Where a button leads, what it covers, and what it depends on.
#[derive(Debug, Clone)]
struct Rule {
    goal: usize,
    unit: u8,
    /// Only while the hidden counter is below this does the rule hold; else another one does.
    below: u8,
    other_goal: usize,
    other_unit: u8,
    counts: bool,
    /// Percent of runs in which the first rule is taken.
    luck: u8,
    crashes: bool,
}

fn rule() -> impl Strategy<Value = Rule> {
    let luck = prop_oneof![4 => Just(100u8), 1 => 20..90u8];
    let crashes = prop::bool::weighted(0.05);
    (0..SCREENS, 0..12u8, 0..4u8, 0..SCREENS, 0..12u8, any::<bool>(), luck, crashes).prop_map(
        |(goal, unit, below, other_goal, other_unit, counts, luck, crashes)| Rule {
            goal,
            unit,
            below,
            other_goal,
            other_unit,
            counts,
            luck,
            crashes,
        },
    )
}

fn source(rules: &[Rule], deterministic: bool) -> String {
    let mut text = String::from("app p 1.0\nstart s0 covers boot\nvar hidden = 0\n");
    if !deterministic {
        text.push_str("deterministic off\n");
    }
    for screen in 0..SCREENS {
        writeln!(text, "screen s{screen} activity A{screen}").unwrap();
        for button in 0..BUTTONS {
            writeln!(text, "  button b{button} \"go {button}\"").unwrap();
        }
    }
    for (at, rule) in rules.iter().enumerate() {
        let (screen, button) = (at / BUTTONS, at % BUTTONS);
        let on = format!("on s{screen} tap b{button}");
        let counting = if rule.counts { " set hidden = hidden + 1" } else { "" };
        let luck = f64::from(rule.luck) / 100.0;
        let goal = if rule.crashes { "crash boom".into() } else { format!("s{}", rule.goal) };
        writeln!(
            text,
            "{on} if hidden < {} chance {luck} -> {goal}{counting} covers u{}",
            rule.below, rule.unit
        )
        .unwrap();
        writeln!(text, "{on} -> s{}{counting} covers u{}", rule.other_goal, rule.other_unit)
            .unwrap();
    }
    text.push_str("crash boom\n  java.lang.Error: boom\n    at p.A.b(A.java:1)\nend\n");
    text
}

fn walks() -> impl Strategy<Value = Vec<(u64, Vec<usize>)>> {
    prop::collection::vec((0..3u64, prop::collection::vec(0..BUTTONS, 0..14)), 1..7)
}

fn recorded(bench: &mut Bench, walks: &[(u64, Vec<usize>)]) -> Vec<RecordedTrace> {
    walks
        .iter()
        .map(|(world, buttons)| {
            let events: Vec<Event> = buttons.iter().map(|b| tap(&format!("b{b}"))).collect();
            bench.record(*world, &events)
        })
        .collect()
}

fn run_again(bench: &mut Bench, reduction: &SuiteReduction) -> Vec<RecordedTrace> {
    let run = |one: &retap_reduce::ReducedTrace| {
        let events: Vec<Event> = one.trace.events().cloned().collect();
        bench.record(one.trace.world_seed, &events)
    };
    reduction.traces.iter().map(run).collect()
}

fn covered_in(bench: &Bench, list: &[RecordedTrace]) -> BTreeSet<String> {
    total(&bench.scope(), list.iter().map(|one| (&one.trace, one.covered.as_slice())))
}

/// Steps from the launch on that some recording made in the same world, one after another.
fn longest_recorded_prefix(trace: &Trace, recordings: &[RecordedTrace]) -> usize {
    let same = |recording: &&RecordedTrace| recording.trace.world_seed == trace.world_seed;
    let shared = |recording: &RecordedTrace| {
        recording.trace.events().zip(trace.events()).take_while(|(a, b)| a == b).count()
    };
    recordings.iter().filter(same).map(shared).max().unwrap_or(0)
}

fn options(bench: &Bench, fragments: usize, cost: CostModel) -> ReductionOptions {
    let limits = ReductionLimits {
        fragments,
        candidates: 16,
        plans: 6,
        nodes: 300,
        effort: 2_000,
        ..ReductionLimits::default()
    };
    ReductionOptions { scope: bench.scope(), cost, limits }
}

fn covered_by(bench: &Bench, reduction: &SuiteReduction) -> BTreeSet<String> {
    let traces = reduction.traces.iter().map(|one| (&one.trace, one.covered.as_slice()));
    total(&bench.scope(), traces)
}

fn costs() -> impl Strategy<Value = CostModel> {
    prop_oneof![Just(CostModel::Events), Just(CostModel::Restarts), Just(CostModel::Time)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn in_one_world_each_nothing_is_lost_and_nothing_costs_more(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
        k in 0..5usize,
        cost in costs(),
        repeats in any::<bool>(),
    ) {
        let mut bench = Bench::parse(&source(&rules, true));
        bench.repeats = repeats;
        let recordings = recorded(&mut bench, &walks);
        let options = options(&bench, k, cost);
        let reduction = reduce(&recordings, &options, &mut bench).unwrap();

        // It replays, step by step, and covers what the original did.
        let again = run_again(&mut bench, &reduction);
        for (again, one) in again.iter().zip(&reduction.traces) {
            prop_assert_eq!(&again.trace, &one.trace);
        }
        let original = covered_in(&bench, &recordings);
        prop_assert!(covered_in(&bench, &again).is_superset(&original));
        prop_assert!(reduction.quarantined.is_empty() && reduction.unstable.is_empty());
        // What it covers beyond that are code units alone, and each of a step with another past than any
        // recording has: nothing else can do what no recording did.
        let states = |all: &BTreeSet<String>| -> BTreeSet<String> {
            all.iter().filter(|need| !need.starts_with("unit")).cloned().collect()
        };
        prop_assert_eq!(states(&covered_in(&bench, &again)), states(&original));
        for one in &again {
            let old = longest_recorded_prefix(&one.trace, &recordings);
            let recorded = total(&bench.scope(), [(&one.trace, &one.covered[..=old])]);
            prop_assert!(recorded.is_subset(&original), "{recorded:?} {original:?}");
        }

        // Never more costly, never below the bound.
        let stages = reduction.stages;
        prop_assert!(stages.selected.cost <= stages.recorded.cost);
        prop_assert!(stages.phase_1.cost <= stages.selected.cost);
        prop_assert!(stages.phase_2.cost <= stages.phase_1.cost);
        prop_assert!(stages.phase_3.cost <= stages.phase_2.cost);
        let bound = reduction.lower_bound.unwrap();
        prop_assert!(bound.cost <= stages.phase_3.cost, "{:?} {:?}", bound, stages);
        let mut again = Bench::parse(&source(&rules, true));
        again.repeats = repeats;
        let recordings = recorded(&mut again, &walks);
        let same = reduce(&recordings, &options, &mut again).unwrap();
        prop_assert_eq!(common::tapped(&same), common::tapped(&reduction));
    }

    #[test]
    fn where_luck_differs_the_answer_covers_all_that_replays_and_says_what_does_not(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
    ) {
        let mut bench = Bench::parse(&source(&rules, false));
        let recordings = recorded(&mut bench, &walks);
        bench.runs = 4;
        let options = options(&bench, 3, CostModel::Events);
        let reduction = reduce(&recordings, &options, &mut bench).unwrap();
        let original = {
            let pairs = recordings.iter().map(|r| (&r.trace, r.covered.as_slice()));
            total(&bench.scope(), pairs.collect::<Vec<_>>())
        };
        let mut accounted = covered_by(&bench, &reduction);
        for unstable in &reduction.unstable {
            let name = match unstable.requirement {
                retap_reduce::Requirement::Unit(unit) => format!("unit {unit}"),
                retap_reduce::Requirement::State(state) => format!("state {state}"),
                retap_reduce::Requirement::Crash(crash) => format!("crash {crash}"),
                retap_reduce::Requirement::NotResponding => "hang".into(),
            };
            prop_assert!(accounted.insert(name), "both covered and unstable: {unstable:?}");
        }
        prop_assert!(original.is_subset(&accounted));
        prop_assert!(reduction.stages.phase_3.cost <= reduction.stages.recorded.cost);
        prop_assert!(reduction.lower_bound.unwrap().cost <= reduction.stages.phase_3.cost);
        // Every claim of the proof points at a step that covers it.
        prop_assert_eq!(reduction.proof.covered.len(), reduction.requirements().count());
    }

    #[test]
    fn whenever_it_is_stopped_the_best_so_far_replays_and_covers_what_was_looked_at(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
        rounds in 0..12u64,
    ) {
        let mut bench = Bench::parse(&source(&rules, true));
        let recordings = recorded(&mut bench, &walks);
        bench.rounds_left = rounds;
        let reduction = reduce(&recordings, &options(&bench, 3, CostModel::Events), &mut bench).unwrap();
        prop_assert_eq!(reduction.stopped, reduction.lower_bound.is_none());
        prop_assert!(reduction.stopped || reduction.unexamined.is_empty());
        bench.rounds_left = u64::MAX;
        let again = run_again(&mut bench, &reduction);
        for (again, one) in again.iter().zip(&reduction.traces) {
            prop_assert_eq!(&again.trace, &one.trace);
        }
        let looked_at: Vec<RecordedTrace> = recordings
            .iter()
            .enumerate()
            .filter(|(at, _)| !reduction.unexamined.contains(at))
            .map(|(_, recording)| recording.clone())
            .collect();
        prop_assert!(covered_in(&bench, &again).is_superset(&covered_in(&bench, &looked_at)));
        prop_assert!(reduction.stages.phase_3.cost <= reduction.stages.selected.cost);
        let removed_unseen = reduction
            .proof
            .removed
            .iter()
            .any(|removed| reduction.unexamined.contains(&removed.trace));
        prop_assert!(!removed_unseen, "what nobody looked at was not removed");
    }

    #[test]
    fn recordings_that_do_not_hold_are_found_out_where_they_are_believed_at_first(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
        tampered in any::<prop::sample::Index>(),
        step in any::<prop::sample::Index>(),
    ) {
        let mut bench = Bench::parse(&source(&rules, true));
        let mut recordings = recorded(&mut bench, &walks);
        let honest = recordings.clone();
        let tampered = tampered.index(recordings.len());
        let trace = &mut recordings[tampered].trace;
        let step = step.index(trace.steps.len() + 1);
        let result = if step == 0 { &mut trace.start } else { &mut trace.steps[step - 1].result };
        result.state = Some("00000000000000aa".parse().unwrap());
        bench.repeats = true;
        let options = options(&bench, 3, CostModel::Events);
        let reduction = reduce(&recordings, &options, &mut bench).unwrap();
        let again = run_again(&mut bench, &reduction);
        for (again, one) in again.iter().zip(&reduction.traces) {
            prop_assert_eq!(&again.trace, &one.trace);
        }
        let others: Vec<RecordedTrace> = honest
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != tampered)
            .map(|(_, recording)| recording.clone())
            .collect();
        prop_assert!(covered_in(&bench, &again).is_superset(&covered_in(&bench, &others)));
    }

    #[test]
    fn what_is_kept_stays_as_it_is(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
    ) {
        let mut bench = Bench::parse(&source(&rules, true));
        let mut recordings = recorded(&mut bench, &walks);
        recordings[0].keep = true;
        let options = options(&bench, 3, CostModel::Events);
        let reduction = reduce(&recordings, &options, &mut bench).unwrap();
        prop_assert_eq!(&reduction.traces[0].trace, &recordings[0].trace);
        let original = total(
            &bench.scope(),
            recordings.iter().map(|r| (&r.trace, r.covered.as_slice())).collect::<Vec<_>>(),
        );
        prop_assert!(covered_by(&bench, &reduction).is_superset(&original));
        prop_assert!(reduction.lower_bound.unwrap().cost <= reduction.stages.phase_3.cost);
    }
}
