//! Tests of the fitness formula and of the choice that follows from it.

use super::*;
use crate::exploration::Novelty;
use crate::policy::InterestingPolicy;
use retap_model::trace::StepResult;
use retap_model::{Event, Step, Trace};

/// Builds a graph from traces of states. Every new state is interesting.
fn graph_of(traces: &[&[u64]]) -> StateGraph {
    let mut graph = StateGraph::new(InterestingPolicy::NewState);
    for states in traces {
        let result_of =
            |state: u64| StepResult { state: Some(StateId(state)), ..StepResult::default() };
        let mut trace = Trace { world_seed: 0, start: result_of(states[0]), steps: Vec::new() };
        for (number, state) in states.iter().enumerate() {
            let result = result_of(*state);
            let novelty = Novelty {
                result: &result,
                is_new_state: true,
                new_units: 1,
                has_coverage: true,
                is_new_activity: false,
                units: None,
                screen: None,
            };
            if number == 0 {
                graph.record_start(&trace, novelty);
            } else {
                let event = Event::Wait(*state as u32);
                trace.steps.push(Step { event, result: result.clone() });
                graph.record_step(&trace, novelty);
            }
        }
    }
    graph
}

fn choose(policy: &str, graph: &StateGraph) -> Option<u64> {
    let policy: FittestPolicy = policy.parse().unwrap();
    policy.choose(graph, usize::MAX, &mut DecisionRng::new(1, 1)).map(|state| state.0)
}

#[test]
fn fitness_is_the_papers_formula() {
    let policy = FittestPolicy::default();
    let mut node = StateNode::default();
    (node.visits, node.discoveries, node.is_interesting) = (5, 2, true);
    let expected = 6.0 * 1.1f64.powi(2) * 0.9f64.powi(3);
    assert!((policy.fitness(&node).exp() - expected).abs() < 1e-9);
    node.is_interesting = false;
    assert!((policy.fitness(&node).exp() - expected / 6.0).abs() < 1e-9);
}

#[test]
fn a_state_before_often_visited_states_is_less_fit_than_its_equal_before_new_ones() {
    // 1 and 2 were both visited once; behind 1 lies 8 ⇄ 9, visited again and again.
    let often: Vec<u64> = [0, 1, 8].into_iter().chain([9, 8].repeat(40)).collect();
    let graph = graph_of(&[&often, &[0, 2, 3]]);
    let policy = FittestPolicy::default();
    let own = |state: u64| policy.fitness(graph.node(StateId(state)).unwrap());
    assert_eq!(own(1), own(2));
    let sums = policy.sum_neighbourhoods(&graph, &[StateId(1), StateId(2)]);
    assert!(sums[&StateId(1)].mean() < sums[&StateId(2)].mean());
}

#[test]
fn the_mean_is_over_all_paths_of_length_k() {
    // 0 → 1 → 2 and 0 → 3: with k = 1 the paths from 0 are 0-1 and 0-3.
    let graph = graph_of(&[&[0, 1, 2], &[0, 3]]);
    let policy: FittestPolicy = "neighbourhood,k=1".parse().unwrap();
    let f = |state: u64| policy.fitness(graph.node(StateId(state)).unwrap()).exp();
    let mean = policy.sum_neighbourhoods(&graph, &[StateId(0)])[&StateId(0)].mean().exp();
    let expected = (f(0) + f(1) + f(0) + f(3)) / 4.0;
    assert!((mean - expected).abs() < 1e-9, "{mean} is not {expected}");
}

#[test]
fn of_two_equally_fit_states_the_nearer_is_chosen_where_returns_cost_events() {
    // 9 and 8 were both visited once and led to one state each; 9 is nearer. The launch was visited often.
    let mut traces: Vec<&[u64]> = vec![&[0]; 40];
    traces.push(&[0, 9, 8, 3]);
    let graph = graph_of(&traces);
    assert_eq!(choose("own,c=0.5", &graph), Some(9));
    assert_eq!(choose("own", &graph), Some(8), "the first of equals");
}

#[test]
fn a_fittest_state_exists_even_after_a_hundred_thousand_visits() {
    let often: Vec<u64> = [0, 1].repeat(100_000);
    let graph = graph_of(&[&often, &[0, 2]]);
    assert_eq!(choose("neighbourhood", &graph), Some(2));
}

#[test]
fn settings_are_parsed_and_invalid_ones_are_refused() {
    let policy: FittestPolicy = "own,k=2,r=0.5,p=0.2,f0=3".parse().unwrap();
    assert_eq!(policy.choice, FittestChoice::Own);
    assert_eq!(policy.path_length, 2);
    assert_eq!(policy.head_start, 3.0);
    for wrong in ["best", "own,z=1", "own,k=x", "own,p=1", "own,c=1", "own,k=99", ""] {
        assert!(wrong.parse::<FittestPolicy>().is_err(), "{wrong}");
    }
}
