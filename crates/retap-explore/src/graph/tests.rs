//! What the graph remembers, and that it stays small.

use super::*;
use retap_model::trace::StepResult;
use retap_model::{Key, Step};

fn result(state: u64) -> StepResult {
    StepResult { state: Some(StateId(state)), ..StepResult::default() }
}

fn met(result: &StepResult) -> Met<'_> {
    Met { result, first: true, new_units: 1, sees_code: true, new_activity: false, screen: None }
}

fn event(name: &str) -> Event {
    Event::Key(Key::new(name).unwrap())
}

/// Tells the graph of a trace: the launch's state, then events and states.
fn tell(graph: &mut Graph, launch: u64, steps: &[(&str, u64)]) {
    let mut trace = Trace { world_seed: 0, start: result(launch), steps: Vec::new() };
    graph.start(&trace, met(&result(launch)));
    for (name, state) in steps {
        trace.steps.push(Step { event: event(name), result: result(*state) });
        graph.step(&trace, met(&result(*state)));
    }
}

/// Tells it of a return along these events that ends in a state.
fn come_back(graph: &mut Graph, to: u64, steps: &[&str], ended: u64) {
    let step = |name: &&str| Step { event: event(name), result: result(ended) };
    let steps: Vec<Step> = steps.iter().map(step).collect();
    let returns = Return { to: StateId(to), steps: steps.len(), events: steps.len() as u64 };
    let trace = Trace { world_seed: 0, start: result(ended), steps };
    graph.returned(&trace, &returns, met(&result(ended)));
}

fn way(graph: &Graph, state: u64) -> Option<String> {
    let events = graph.way_to(StateId(state))?;
    let name = |event: &Event| match event {
        Event::Key(key) => key.name().to_string(),
        other => other.to_string(),
    };
    Some(events.iter().map(name).collect::<Vec<_>>().join(" "))
}

#[test]
fn the_shortest_way_to_a_state_is_kept() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1), ("b", 2), ("c", 3)]);
    assert_eq!(way(&graph, 3).as_deref(), Some("a b c"));
    tell(&mut graph, 0, &[("x", 3)]);
    assert_eq!(way(&graph, 3).as_deref(), Some("x"));
    tell(&mut graph, 0, &[("a", 1), ("d", 3)]);
    assert_eq!(way(&graph, 3).as_deref(), Some("x"));
    assert_eq!(way(&graph, 0).as_deref(), Some(""));
}

#[test]
fn a_node_knows_its_visits_its_returns_and_what_was_found_from_it() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1), ("b", 2), ("back", 1), ("c", 3)]);
    come_back(&mut graph, 1, &["a"], 1);
    let node = graph.node(StateId(1)).unwrap();
    assert_eq!((node.visits, node.restored, node.found), (3, 1, 2));
    assert!(node.interesting);
}

#[test]
fn what_follows_a_return_is_led_to_by_the_way_and_what_follows() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1), ("b", 2)]);
    come_back(&mut graph, 2, &["a", "b"], 2);
    let mut trace = Trace { world_seed: 0, start: result(0), steps: Vec::new() };
    for (name, state) in [("a", 1), ("b", 2), ("c", 9)] {
        trace.steps.push(Step { event: event(name), result: result(state) });
    }
    graph.step(&trace, met(&result(9)));
    assert_eq!(way(&graph, 9).as_deref(), Some("a b c"));
}

#[test]
fn a_state_that_three_returns_in_a_row_missed_is_given_up_until_it_is_met_again() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1)]);
    for _ in 0..3 {
        assert_eq!(way(&graph, 1).as_deref(), Some("a"));
        come_back(&mut graph, 1, &["a"], 0);
    }
    assert_eq!(way(&graph, 1), None);
    assert!(graph.corpus().all(|(state, _)| state != StateId(1)));
    tell(&mut graph, 0, &[("b", 5), ("c", 1)]);
    assert_eq!(way(&graph, 1).as_deref(), Some("b c"));
}

#[test]
fn a_repaired_way_takes_the_place_of_the_broken_one() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1)]);
    come_back(&mut graph, 1, &["a", "again"], 1);
    assert_eq!(way(&graph, 1).as_deref(), Some("a again"));
}

#[test]
fn a_route_takes_the_fewest_events_and_none_is_made_up() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1), ("b", 2), ("c", 3), ("back", 0), ("x", 2)]);
    let route = |from, to, longest| graph.route(StateId(from), StateId(to), longest);
    let leg = |name: &str, to: u64| Leg { event: event(name), to: StateId(to) };
    assert_eq!(route(0, 3, 9), Some(vec![leg("x", 2), leg("c", 3)]));
    assert_eq!(route(0, 3, 1), None);
    assert_eq!(route(0, 77, 9), None);
    assert_eq!(route(2, 2, 9), Some(Vec::new()));
}

#[test]
fn a_shortcut_leaves_out_what_was_not_needed_and_is_not_tried_again_where_it_failed() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1), ("back", 0), ("b", 2), ("stay", 2), ("c", 3)]);
    let shortcut = |graph: &Graph| Some(graph.shortcut_to(StateId(3))?.len());
    assert_eq!(way(&graph, 3).as_deref(), Some("a back b stay c"));
    assert_eq!(shortcut(&graph), Some(2));
    assert_eq!(graph.shortcut_to(StateId(1)), None, "its way is short already");
    come_back(&mut graph, 3, &["b", "c"], 2);
    assert_eq!(shortcut(&graph), None);
    come_back(&mut graph, 3, &["a", "back", "b", "stay", "c"], 3);
    assert_eq!(shortcut(&graph), None);
    tell(&mut graph, 0, &[("a", 1), ("back", 0), ("b", 2), ("c", 4)]);
    come_back(&mut graph, 4, &["b", "c"], 4);
    assert_eq!(
        way(&graph, 4).as_deref(),
        Some("b c"),
        "one that result there is the way from now on"
    );
}

#[test]
fn an_event_that_led_elsewhere_on_a_way_is_no_part_of_other_ways() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1), ("back", 0), ("b", 2), ("c", 3), ("d", 4)]);
    let shortcut = |graph: &Graph| Some(graph.shortcut_to(StateId(4))?.len());
    assert_eq!(shortcut(&graph), Some(3));
    // On the way to 3 the event c leads where nobody was before.
    let steps =
        [("b", 2), ("c", 77)].map(|(name, to)| Step { event: event(name), result: result(to) });
    let trace = Trace { world_seed: 0, start: result(0), steps: steps.to_vec() };
    graph.returned(&trace, &Return { to: StateId(3), steps: 2, events: 2 }, met(&result(77)));
    assert_eq!(shortcut(&graph), None);
}

#[test]
fn visits_and_stays_are_told_apart() {
    let mut graph = Graph::new(Interesting::default());
    tell(&mut graph, 0, &[("a", 1), ("b", 1), ("c", 1), ("back", 0), ("a", 1)]);
    assert_eq!(graph.node(StateId(1)).map(|node| (node.visits, node.stays)), Some((2, 2)));
}

#[test]
fn a_full_graph_forgets_what_is_worn_out_and_every_way_left_is_whole() {
    let mut graph = Graph::with_room_for(Interesting::default(), 50);
    for n in 0..500 {
        let name = format!("k{n}");
        tell(&mut graph, 0, &[("a", 1), ("b", 2), (&name, 100 + n)]);
        assert!(graph.len() <= 50);
    }
    // The newest was visited once and is still there; the launch gave too much to be forgotten.
    assert_eq!(way(&graph, 599).as_deref(), Some("a b k499"));
    let kept: Vec<StateId> = graph.nodes().map(|(state, _)| state).collect();
    for state in kept {
        let node = graph.node(state).unwrap();
        assert!(node.edges.iter().all(|edge| graph.node(edge.to).is_some()));
        assert!(node.edges.iter().all(|edge| graph.event(edge).is_some()));
        assert!(graph.way_to(state).is_some_and(|way| way.len() <= 3));
    }
}
