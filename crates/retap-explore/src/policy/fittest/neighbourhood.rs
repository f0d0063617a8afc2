//! The neighbourhood of a state: all paths of length k that begin in it.

use super::FittestPolicy;
use crate::graph::{StateGraph, StateNode};
use retap_model::StateId;
use std::collections::{BTreeMap, BTreeSet};

impl FittestPolicy {
    /// Sums the fitness over all paths of length k from each state of the corpus. It builds the paths of length k
    /// from those of length k−1 that begin one state further on. A path that cannot go on ends where it is.
    pub(super) fn sum_neighbourhoods(
        &self,
        graph: &StateGraph,
        corpus: &[StateId],
    ) -> BTreeMap<StateId, PathSum> {
        let mut shorter: BTreeMap<StateId, PathSum> = BTreeMap::new();
        for length in 0..=self.path_length {
            // Only states that paths of the corpus can reach with this many steps left matter.
            let reachable = states_within(graph, corpus, self.path_length - length);
            let mut longer = BTreeMap::new();
            for state in reachable {
                let Some(node) = graph.node(state) else { continue };
                let fitness = self.fitness(node);
                let next = node.next_states().filter(|next| *next != state);
                let next = next.filter_map(|next| shorter.get(&next));
                let paths = next.copied().reduce(PathSum::add).filter(|_| length > 0);
                let sum = paths
                    .map_or(PathSum::of_one_state(fitness), |paths| paths.prepend_state(fitness));
                longer.insert(state, sum);
            }
            shorter = longer;
        }
        shorter
    }
}

/// Returns the corpus and all states at most this many steps away from it.
fn states_within(graph: &StateGraph, corpus: &[StateId], steps: usize) -> Vec<StateId> {
    let mut reached: BTreeSet<StateId> = corpus.iter().copied().collect();
    let mut frontier: Vec<StateId> = corpus.to_vec();
    for _ in 0..steps {
        let next: Vec<StateId> = frontier
            .iter()
            .filter_map(|state| graph.node(*state))
            .flat_map(StateNode::next_states)
            .filter(|state| reached.insert(*state))
            .collect();
        frontier = next;
    }
    reached.into_iter().collect()
}

/// Sums over a set of paths, as logarithms.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathSum {
    /// The number of paths.
    paths: f64,
    /// The number of states on all of them.
    states: f64,
    /// The fitness of all those states.
    fitness: f64,
}

impl PathSum {
    fn of_one_state(fitness: f64) -> Self {
        Self { paths: 0.0, states: 0.0, fitness }
    }

    fn add(self, other: Self) -> Self {
        Self {
            paths: log_add(self.paths, other.paths),
            states: log_add(self.states, other.states),
            fitness: log_add(self.fitness, other.fitness),
        }
    }

    /// Adds one state at the beginning of every path.
    fn prepend_state(self, fitness: f64) -> Self {
        Self {
            paths: self.paths,
            states: log_add(self.states, self.paths),
            fitness: log_add(self.fitness, self.paths + fitness),
        }
    }

    /// Returns the logarithm of the mean fitness of the states.
    pub(super) fn mean(self) -> f64 {
        self.fitness - self.states
    }
}

/// Returns ln(e^a + e^b).
fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if high == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}
