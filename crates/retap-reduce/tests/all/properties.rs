//! Properties of every reduction, on random apps with random traces and random nondeterminism.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{FakeReplay, tap, total};
use proptest::prelude::*;
use retap_model::{Coverage, Event, StateId, Step, Trace};
use retap_reduce::{
    CostModel, RecordedTrace, ReducedTrace, ReductionLimits, ReductionOptions, Requirement,
    SuiteReduction, reduce,
};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

const SCREENS: usize = 5;
const BUTTONS: usize = 3;

/// A button's goal and coverage, and what they depend on.
#[derive(Debug, Clone)]
struct Rule {
    goal: usize,
    unit: u8,
    /// The rule holds while the hidden counter is below this; then the other goal and unit hold.
    below: u8,
    other_goal: usize,
    other_unit: u8,
    counts: bool,
    /// The percentage of runs in which the first rule is taken.
    chance: u8,
    crashes: bool,
}

/// Generates rules of which some depend on chance and a few crash.
fn rule() -> impl Strategy<Value = Rule> {
    let chance = prop_oneof![4 => Just(100u8), 1 => 20..90u8];
    let crashes = prop::bool::weighted(0.05);
    (0..SCREENS, 0..12u8, 0..4u8, 0..SCREENS, 0..12u8, any::<bool>(), chance, crashes).prop_map(
        |(goal, unit, below, other_goal, other_unit, counts, chance, crashes)| Rule {
            goal,
            unit,
            below,
            other_goal,
            other_unit,
            counts,
            chance,
            crashes,
        },
    )
}

/// A step as it was seen: the state before, the event, the state after, and what was covered.
type SeenStep<'a> = (Option<StateId>, &'a Event, Option<StateId>, Vec<u32>);

fn seen_steps<'a>(trace: &'a Trace, covered: &'a [Arc<Coverage>]) -> Vec<SeenStep<'a>> {
    let seen = |(at, step): (usize, &'a Step)| {
        let units = covered[at + 1].iter().collect();
        (trace.result_after(at).state, &step.event, step.result.state, units)
    };
    trace.steps.iter().enumerate().map(seen).collect()
}

/// Returns the least number of parts of recordings that make up the steps, or nothing if a step is in no recording.
fn count_fragments(steps: &[SeenStep<'_>], recordings: &[Vec<SeenStep<'_>>]) -> Option<usize> {
    let mut rest = steps;
    let mut count = 0;
    while !rest.is_empty() {
        let shared =
            |from: &[SeenStep<'_>]| from.iter().zip(rest).take_while(|(a, b)| a == b).count();
        let starts = recordings.iter().flat_map(|all| (0..all.len()).map(|start| &all[start..]));
        let longest = starts.map(shared).max().filter(|length| *length > 0)?;
        rest = &rest[longest..];
        count += 1;
    }
    Some(count)
}

/// Returns the fake app's source: every screen has the same buttons, each with its rule.
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
    for (index, rule) in rules.iter().enumerate() {
        let (screen, button) = (index / BUTTONS, index % BUTTONS);
        let on = format!("on s{screen} tap b{button}");
        let counting = if rule.counts { " set hidden = hidden + 1" } else { "" };
        let chance = f64::from(rule.chance) / 100.0;
        let goal = if rule.crashes { "crash boom".into() } else { format!("s{}", rule.goal) };
        writeln!(
            text,
            "{on} if hidden < {} chance {chance} -> {goal}{counting} covers u{}",
            rule.below, rule.unit
        )
        .unwrap();
        writeln!(text, "{on} -> s{}{counting} covers u{}", rule.other_goal, rule.other_unit)
            .unwrap();
    }
    text.push_str("crash boom\n  java.lang.Error: boom\n    at p.A.b(A.java:1)\nend\n");
    text
}

/// A random walk: the buttons to tap in a world.
#[derive(Debug, Clone)]
struct Walk {
    world_seed: u64,
    buttons: Vec<usize>,
}

fn walks() -> impl Strategy<Value = Vec<Walk>> {
    let walk = (0..3u64, prop::collection::vec(0..BUTTONS, 0..14))
        .prop_map(|(world_seed, buttons)| Walk { world_seed, buttons });
    prop::collection::vec(walk, 1..7)
}

fn record_walks(fake: &mut FakeReplay, walks: &[Walk]) -> Vec<RecordedTrace> {
    let record = |Walk { world_seed, buttons }: &Walk| {
        let events: Vec<Event> = buttons.iter().map(|b| tap(&format!("b{b}"))).collect();
        fake.record(*world_seed, &events)
    };
    walks.iter().map(record).collect()
}

/// Runs the reduced suite once and checks that every trace replays step by step.
fn run_again(fake: &mut FakeReplay, reduction: &SuiteReduction) -> Vec<RecordedTrace> {
    let run = |reduced: &ReducedTrace| {
        let events: Vec<Event> = reduced.trace.events().cloned().collect();
        let again = fake.record(reduced.trace.world_seed, &events);
        assert_eq!(again.trace, reduced.trace, "the suite replays step by step");
        again
    };
    reduction.traces.iter().map(run).collect()
}

fn covered_in(fake: &FakeReplay, recorded_traces: &[RecordedTrace]) -> BTreeSet<String> {
    total(&fake.scope(), recorded_traces.iter().map(|one| (&one.trace, one.covered.as_slice())))
}

/// Returns the traces whose index `is_wanted`.
fn filter_traces(
    recorded_traces: &[RecordedTrace],
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<RecordedTrace> {
    let traces = recorded_traces.iter().enumerate();
    traces.filter(|(index, _)| is_wanted(*index)).map(|(_, trace)| trace.clone()).collect()
}

/// Returns the number of first steps that some recorded trace of the same world seed has in common.
fn longest_recorded_prefix(trace: &Trace, recorded_traces: &[RecordedTrace]) -> usize {
    let same = |recorded: &&RecordedTrace| recorded.trace.world_seed == trace.world_seed;
    let shared = |recorded: &RecordedTrace| {
        recorded.trace.events().zip(trace.events()).take_while(|(a, b)| a == b).count()
    };
    recorded_traces.iter().filter(same).map(shared).max().unwrap_or(0)
}

fn options(fake: &FakeReplay, fragments: usize, cost: CostModel) -> ReductionOptions {
    let limits = ReductionLimits {
        fragments,
        candidates: 16,
        plans: 6,
        nodes: 300,
        effort: 2_000,
        ..ReductionLimits::default()
    };
    ReductionOptions { scope: fake.scope(), cost, limits }
}

fn covered_by(fake: &FakeReplay, reduction: &SuiteReduction) -> BTreeSet<String> {
    let traces = reduction.traces.iter().map(|one| (&one.trace, one.covered.as_slice()));
    total(&fake.scope(), traces)
}

fn costs() -> impl Strategy<Value = CostModel> {
    prop_oneof![Just(CostModel::Events), Just(CostModel::Restarts), Just(CostModel::Time)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn on_a_deterministic_app_no_coverage_is_lost_and_no_stage_costs_more(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
        k in 0..5usize,
        cost in costs(),
        can_trust_recordings in any::<bool>(),
    ) {
        let mut fake = FakeReplay::parse(&source(&rules, true));
        fake.can_trust_recordings = can_trust_recordings;
        let recorded_traces = record_walks(&mut fake, &walks);
        let options = options(&fake, k, cost);
        let reduction = reduce(&recorded_traces, &options, &mut fake).unwrap();

        // The suite replays step by step and covers what the original covers.
        let again = run_again(&mut fake, &reduction);
        let original = covered_in(&fake, &recorded_traces);
        prop_assert!(covered_in(&fake, &again).is_superset(&original));
        prop_assert!(reduction.quarantined.is_empty() && reduction.unstable.is_empty());
        // Beyond that it covers only code units, and only in steps after a prefix that no recorded trace has.
        let states = |all: &BTreeSet<String>| -> BTreeSet<String> {
            all.iter().filter(|name| !name.starts_with("unit")).cloned().collect()
        };
        prop_assert_eq!(states(&covered_in(&fake, &again)), states(&original));
        for one in &again {
            let old = longest_recorded_prefix(&one.trace, &recorded_traces);
            let recorded = total(&fake.scope(), [(&one.trace, &one.covered[..=old])]);
            prop_assert!(recorded.is_subset(&original), "{recorded:?} {original:?}");
        }

        // No stage costs more than the one before, and none goes below the bound.
        let stages = reduction.stages;
        prop_assert!(stages.selected.cost <= stages.recorded.cost);
        prop_assert!(stages.phase_1.cost <= stages.selected.cost);
        prop_assert!(stages.phase_2.cost <= stages.phase_1.cost);
        prop_assert!(stages.phase_3.cost <= stages.phase_2.cost);
        let bound = reduction.lower_bound.unwrap();
        prop_assert!(bound.cost <= stages.phase_3.cost, "{:?} {:?}", bound, stages);
        let mut again = FakeReplay::parse(&source(&rules, true));
        again.can_trust_recordings = can_trust_recordings;
        let recorded_traces = record_walks(&mut again, &walks);
        let same = reduce(&recorded_traces, &options, &mut again).unwrap();
        prop_assert_eq!(crate::common::tapped(&same), crate::common::tapped(&reduction));
    }

    #[test]
    fn on_a_nondeterministic_app_the_suite_covers_what_replays_and_reports_the_rest(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
    ) {
        let mut fake = FakeReplay::parse(&source(&rules, false));
        let recorded_traces = record_walks(&mut fake, &walks);
        fake.runs = 4;
        let options = options(&fake, 3, CostModel::Events);
        let reduction = reduce(&recorded_traces, &options, &mut fake).unwrap();
        let original = covered_in(&fake, &recorded_traces);
        let mut accounted = covered_by(&fake, &reduction);
        for unstable in &reduction.unstable {
            let name = match unstable.requirement {
                Requirement::Unit(unit) => format!("unit {unit}"),
                Requirement::State(state) => format!("state {state}"),
                Requirement::Crash(crash) => format!("crash {crash}"),
                Requirement::NotResponding => "hang".into(),
            };
            prop_assert!(accounted.insert(name), "both covered and unstable: {unstable:?}");
        }
        prop_assert!(original.is_subset(&accounted));
        prop_assert!(reduction.stages.phase_3.cost <= reduction.stages.recorded.cost);
        prop_assert!(reduction.lower_bound.unwrap().cost <= reduction.stages.phase_3.cost);
        // The proof names a step for every covered requirement.
        prop_assert_eq!(reduction.proof.covered.len(), reduction.requirements().count());
    }

    #[test]
    fn a_stopped_reduction_returns_a_suite_that_replays_and_covers_the_examined_traces(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
        rounds in 0..12u64,
    ) {
        let mut fake = FakeReplay::parse(&source(&rules, true));
        let recorded_traces = record_walks(&mut fake, &walks);
        fake.rounds_left = rounds;
        let reduction = reduce(&recorded_traces, &options(&fake, 3, CostModel::Events), &mut fake).unwrap();
        prop_assert_eq!(reduction.stopped, reduction.lower_bound.is_none());
        prop_assert!(reduction.stopped || reduction.unexamined.is_empty());
        fake.rounds_left = u64::MAX;
        let again = run_again(&mut fake, &reduction);
        let examined =
            filter_traces(&recorded_traces, |index| !reduction.unexamined.contains(&index));
        prop_assert!(covered_in(&fake, &again).is_superset(&covered_in(&fake, &examined)));
        prop_assert!(reduction.stages.phase_3.cost <= reduction.stages.selected.cost);
        let removes_unexamined = reduction
            .proof
            .removed
            .iter()
            .any(|removed| reduction.unexamined.contains(&removed.trace));
        prop_assert!(!removes_unexamined, "a trace that was not examined is not removed");
    }

    #[test]
    fn a_trusted_recording_that_does_not_hold_is_found_out(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
        tampered in any::<prop::sample::Index>(),
        step in any::<prop::sample::Index>(),
    ) {
        let mut fake = FakeReplay::parse(&source(&rules, true));
        let mut recorded_traces = record_walks(&mut fake, &walks);
        let honest = recorded_traces.clone();
        let tampered = tampered.index(recorded_traces.len());
        let trace = &mut recorded_traces[tampered].trace;
        let step = step.index(trace.steps.len() + 1);
        let result = if step == 0 { &mut trace.start } else { &mut trace.steps[step - 1].result };
        result.state = Some("00000000000000aa".parse().unwrap());
        fake.can_trust_recordings = true;
        let options = options(&fake, 3, CostModel::Events);
        let reduction = reduce(&recorded_traces, &options, &mut fake).unwrap();
        let again = run_again(&mut fake, &reduction);
        let others = filter_traces(&honest, |index| index != tampered);
        prop_assert!(covered_in(&fake, &again).is_superset(&covered_in(&fake, &others)));
    }

    #[test]
    fn a_kept_trace_stays_as_it_is(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
    ) {
        let mut fake = FakeReplay::parse(&source(&rules, true));
        let mut recorded_traces = record_walks(&mut fake, &walks);
        recorded_traces[0].keep = true;
        let options = options(&fake, 3, CostModel::Events);
        let reduction = reduce(&recorded_traces, &options, &mut fake).unwrap();
        prop_assert_eq!(&reduction.traces[0].trace, &recorded_traces[0].trace);
        let original = covered_in(&fake, &recorded_traces);
        prop_assert!(covered_by(&fake, &reduction).is_superset(&original));
        prop_assert!(reduction.lower_bound.unwrap().cost <= reduction.stages.phase_3.cost);
    }

    #[test]
    fn the_bound_holds_for_every_suite_that_the_same_recordings_give(
        rules in prop::collection::vec(rule(), SCREENS * BUTTONS),
        walks in walks(),
        can_trust_recordings in any::<bool>(),
    ) {
        let mut fake = FakeReplay::parse(&source(&rules, true));
        fake.can_trust_recordings = can_trust_recordings;
        let mut recorded_traces = record_walks(&mut fake, &walks);
        let options = options(&fake, 3, CostModel::Events);
        let one = reduce(&recorded_traces, &options, &mut fake).unwrap();
        recorded_traces.reverse();
        let other = reduce(&recorded_traces, &options, &mut fake).unwrap();
        let recordings: Vec<Vec<SeenStep<'_>>> =
            recorded_traces.iter().map(|one| seen_steps(&one.trace, &one.covered)).collect();
        for (bound, suite) in [(&one, &other), (&other, &one)] {
            // Phase 3, or a loop that only this reduction removed, may join more fragments, and a hidden counter may let
            // a step do what no recording shows. The bound speaks of neither.
            let is_of_fragments = |one: &ReducedTrace| {
                count_fragments(&seen_steps(&one.trace, &one.covered), &recordings)
                    .is_some_and(|count| count <= options.limits.fragments)
            };
            prop_assume!(suite.traces.iter().all(is_of_fragments));
            prop_assert!(bound.lower_bound.unwrap().cost <= suite.stages.phase_3.cost);
        }
    }
}
