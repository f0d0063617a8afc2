//! The paper's worked examples 2.1 to 2.4, on fakes that behave like its apps.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{FakeReplay, tapped, taps};
use retap_reduce::{
    CostModel, ReductionLimits, ReductionOptions, RemovedKind, SuiteReduction, reduce,
};
use std::path::Path;

fn reduce_app(app: &str, traces: &[&str]) -> SuiteReduction {
    reduce_with_fragments(app, traces, 3)
}

fn reduce_with_fragments(app: &str, traces: &[&str], fragments: usize) -> SuiteReduction {
    reduce_on(&mut FakeReplay::load(app), traces, fragments)
}

fn reduce_on(fake: &mut FakeReplay, traces: &[&str], fragments: usize) -> SuiteReduction {
    let recorded: Vec<_> = traces.iter().map(|names| fake.record(1, &taps(names))).collect();
    let limits = ReductionLimits { fragments, ..ReductionLimits::default() };
    let options = ReductionOptions { scope: fake.scope(), cost: CostModel::Events, limits };
    reduce(&recorded, &options, fake).unwrap()
}

#[test]
fn example_2_1_the_menu_loop_is_removed() {
    let reduction = reduce_app("files-2.1.fake", &["menu menu menu option"]);
    assert_eq!(tapped(&reduction), ["menu option"]);
    assert_eq!(reduction.proof.removed.len(), 1);
    assert_eq!(reduction.proof.removed[0].kind, RemovedKind::Loop);
}

#[test]
fn example_2_2_the_loop_is_kept_if_closing_the_menu_has_a_handler_of_its_own() {
    let reduction = reduce_app("files-2.2.fake", &["menu menu menu option"]);
    assert_eq!(tapped(&reduction), ["menu menu menu option"]);
}

#[test]
fn example_2_3_the_loop_is_kept_if_the_next_tap_does_something_else_without_it() {
    let reduction = reduce_app("files-2.3.fake", &["foo foo foo"]);
    assert_eq!(tapped(&reduction), ["foo foo foo"]);
    assert!(reduction.stats.replayed > 0, "the shorter trace was tried");
}

/// The paper counts transitions: 4 + 5 + 4 = 13, and besides them 3 launches.
#[test]
fn example_2_4_three_traces_become_one_of_seven_steps() {
    let traces = ["a b c d", "a d e c d", "a b c f"];
    let reduction = reduce_app("files-2.4.fake", &traces);
    assert_eq!(tapped(&reduction), ["a b c d e c f"]);
    let before = reduction.stages.recorded;
    assert_eq!((before.steps, before.restarts), (13, 3));
    let after = reduction.stages.phase_2;
    assert_eq!((after.steps, after.restarts, after.cost), (7, 1, 8));
}

/// A search that always takes the largest next gain would take f before d and e.
#[test]
fn example_2_4_does_not_depend_on_how_much_a_dead_end_covers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes/files-2.4.fake");
    let source = std::fs::read_to_string(path).unwrap();
    let source = source.replace("-> s5 covers C6", "-> s5 covers C6 C7 C8 C9");
    let traces = ["a b c d", "a d e c d", "a b c f"];
    let reduction = reduce_on(&mut FakeReplay::parse(&source), &traces, 3);
    assert_eq!(tapped(&reduction), ["a b c d e c f"]);
}

#[test]
fn example_2_4_without_splicing_keeps_the_needed_part_of_each_trace() {
    let traces = ["a b c d", "a d e c d", "a b c f"];
    let reduction = reduce_with_fragments("files-2.4.fake", &traces, 0);
    assert_eq!(reduction.stages.phase_1.steps, 7);
    assert_eq!(tapped(&reduction), ["a b c f", "a d e"]);
}

#[test]
fn more_fragments_never_cost_more_in_example_2_4() {
    let traces = ["a b c d", "a d e c d", "a b c f"];
    let cost = |k| reduce_with_fragments("files-2.4.fake", &traces, k).stages.phase_2.cost;
    assert!(cost(1) >= cost(2) && cost(2) >= cost(3) && cost(3) >= cost(5));
    assert_eq!(cost(3), 8);
}
