//! Tests of what the graph records and of its bounds.

use super::*;
use crate::exploration::Novelty;
use retap_model::trace::{Return, StepResult};
use retap_model::{Key, Step, Trace};

fn result(state: u64) -> StepResult {
    StepResult { state: Some(StateId(state)), ..StepResult::default() }
}

fn novelty(result: &StepResult) -> Novelty<'_> {
    Novelty {
        result,
        is_new_state: true,
        new_units: 1,
        has_coverage: true,
        is_new_activity: false,
        units: None,
        screen: None,
    }
}

fn event(name: &str) -> Event {
    Event::Key(Key::new(name).unwrap())
}

/// Records a trace: the state of the launch, then events and states.
fn record_trace(graph: &mut StateGraph, launch: u64, steps: &[(&str, u64)]) {
    let mut trace = Trace { world_seed: 0, start: result(launch), steps: Vec::new() };
    graph.record_start(&trace, novelty(&result(launch)));
    for (name, state) in steps {
        trace.steps.push(Step { event: event(name), result: result(*state) });
        graph.record_step(&trace, novelty(&result(*state)));
    }
}

/// Records a return along these events that ends in a state.
fn record_return(graph: &mut StateGraph, to: u64, steps: &[&str], ended: u64) {
    let step = |name: &&str| Step { event: event(name), result: result(ended) };
    let steps: Vec<Step> = steps.iter().map(step).collect();
    let returns = Return { to: StateId(to), steps: steps.len(), events: steps.len() as u64 };
    let trace = Trace { world_seed: 0, start: result(ended), steps };
    graph.record_return(&trace, &returns, novelty(&result(ended)));
}

/// Returns the recorded path to a state as the names of its keys.
fn path_to(graph: &StateGraph, state: u64) -> Option<String> {
    let events = graph.recorded_path(StateId(state))?;
    let name = |event: &Event| match event {
        Event::Key(key) => key.name().to_string(),
        other => other.to_string(),
    };
    Some(events.iter().map(name).collect::<Vec<_>>().join(" "))
}

#[test]
fn the_shortest_path_to_a_state_is_kept() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1), ("b", 2), ("c", 3)]);
    assert_eq!(path_to(&graph, 3).as_deref(), Some("a b c"));
    record_trace(&mut graph, 0, &[("x", 3)]);
    assert_eq!(path_to(&graph, 3).as_deref(), Some("x"));
    record_trace(&mut graph, 0, &[("a", 1), ("d", 3)]);
    assert_eq!(path_to(&graph, 3).as_deref(), Some("x"));
    assert_eq!(path_to(&graph, 0).as_deref(), Some(""));
}

#[test]
fn a_node_counts_its_visits_its_returns_and_its_discoveries() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1), ("b", 2), ("back", 1), ("c", 3)]);
    record_return(&mut graph, 1, &["a"], 1);
    let node = graph.node(StateId(1)).unwrap();
    assert_eq!((node.visits, node.returns, node.discoveries), (3, 1, 2));
    assert!(node.is_interesting);
}

#[test]
fn the_path_to_a_state_after_a_return_includes_the_path_of_the_return() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1), ("b", 2)]);
    record_return(&mut graph, 2, &["a", "b"], 2);
    let mut trace = Trace { world_seed: 0, start: result(0), steps: Vec::new() };
    for (name, state) in [("a", 1), ("b", 2), ("c", 9)] {
        trace.steps.push(Step { event: event(name), result: result(state) });
    }
    graph.record_step(&trace, novelty(&result(9)));
    assert_eq!(path_to(&graph, 9).as_deref(), Some("a b c"));
}

#[test]
fn a_state_that_three_returns_in_a_row_missed_is_given_up_until_it_is_met_again() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1)]);
    for _ in 0..3 {
        assert_eq!(path_to(&graph, 1).as_deref(), Some("a"));
        record_return(&mut graph, 1, &["a"], 0);
    }
    assert_eq!(path_to(&graph, 1), None);
    assert!(graph.corpus().all(|(state, _)| state != StateId(1)));
    record_trace(&mut graph, 0, &[("b", 5), ("c", 1)]);
    assert_eq!(path_to(&graph, 1).as_deref(), Some("b c"));
}

#[test]
fn a_repaired_path_replaces_the_broken_one() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1)]);
    record_return(&mut graph, 1, &["a", "again"], 1);
    assert_eq!(path_to(&graph, 1).as_deref(), Some("a again"));
}

#[test]
fn a_shortest_path_has_the_fewest_events_and_exists_only_along_known_events() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1), ("b", 2), ("c", 3), ("back", 0), ("x", 2)]);
    let path = |from, to, max| graph.find_shortest_path(StateId(from), StateId(to), max);
    let step = |name: &str, to: u64| PathStep { event: event(name), to: StateId(to) };
    assert_eq!(path(0, 3, 9), Some(vec![step("x", 2), step("c", 3)]));
    assert_eq!(path(0, 3, 1), None);
    assert_eq!(path(0, 77, 9), None);
    assert_eq!(path(2, 2, 9), Some(Vec::new()));
}

#[test]
fn a_shortcut_leaves_out_unneeded_events_and_is_not_tried_again_after_a_failure() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1), ("back", 0), ("b", 2), ("stay", 2), ("c", 3)]);
    let shortcut = |graph: &StateGraph| Some(graph.find_shortcut(StateId(3))?.len());
    assert_eq!(path_to(&graph, 3).as_deref(), Some("a back b stay c"));
    assert_eq!(shortcut(&graph), Some(2));
    assert_eq!(graph.find_shortcut(StateId(1)), None, "its path is short already");
    record_return(&mut graph, 3, &["b", "c"], 2);
    assert_eq!(shortcut(&graph), None);
    record_return(&mut graph, 3, &["a", "back", "b", "stay", "c"], 3);
    assert_eq!(shortcut(&graph), None);
    record_trace(&mut graph, 0, &[("a", 1), ("back", 0), ("b", 2), ("c", 4)]);
    record_return(&mut graph, 4, &["b", "c"], 4);
    assert_eq!(
        path_to(&graph, 4).as_deref(),
        Some("b c"),
        "a shortcut that arrived is the recorded path from now on"
    );
}

#[test]
fn an_event_that_led_elsewhere_on_one_path_is_left_out_of_other_paths() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1), ("back", 0), ("b", 2), ("c", 3), ("d", 4)]);
    let shortcut = |graph: &StateGraph| Some(graph.find_shortcut(StateId(4))?.len());
    assert_eq!(shortcut(&graph), Some(3));
    // On the path to 3 the event c leads to a new state.
    let steps =
        [("b", 2), ("c", 77)].map(|(name, to)| Step { event: event(name), result: result(to) });
    let trace = Trace { world_seed: 0, start: result(0), steps: steps.to_vec() };
    graph.record_return(
        &trace,
        &Return { to: StateId(3), steps: 2, events: 2 },
        novelty(&result(77)),
    );
    assert_eq!(shortcut(&graph), None);
}

#[test]
fn visits_and_stays_are_counted_separately() {
    let mut graph = StateGraph::new(InterestingPolicy::default());
    record_trace(&mut graph, 0, &[("a", 1), ("b", 1), ("c", 1), ("back", 0), ("a", 1)]);
    assert_eq!(graph.node(StateId(1)).map(|node| (node.visits, node.stays)), Some((2, 2)));
}

#[test]
fn a_full_graph_forgets_the_least_valuable_states_and_keeps_every_other_path_whole() {
    let mut graph = StateGraph::with_max_states(InterestingPolicy::default(), 50);
    for n in 0..500 {
        let name = format!("k{n}");
        record_trace(&mut graph, 0, &[("a", 1), ("b", 2), (&name, 100 + n)]);
        assert!(graph.len() <= 50);
    }
    // The newest was visited once and is still there; the launch has too many discoveries to be forgotten.
    assert_eq!(path_to(&graph, 599).as_deref(), Some("a b k499"));
    let kept: Vec<StateId> = graph.nodes().map(|(state, _)| state).collect();
    for state in kept {
        let node = graph.node(state).unwrap();
        assert!(node.edges.iter().all(|edge| graph.node(edge.to).is_some()));
        assert!(node.edges.iter().all(|edge| graph.event_of(edge).is_some()));
        assert!(graph.recorded_path(state).is_some_and(|path| path.len() <= 3));
    }
}
