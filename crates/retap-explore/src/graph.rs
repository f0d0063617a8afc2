//! The state graph: every state that was visited, how often, what was found from it, the shortest known path to it
//! and the events that lead on from it.
//!
//! It is a fold over recorded entries and bounded in memory: the least valuable states make room for new ones, and
//! screens stay on disk.

mod forgetting;
mod node;
mod path_tree;
mod recording;
mod search;
#[cfg(test)]
mod tests;

pub use node::{StateEdge, StateNode};
pub use search::PathStep;

use crate::policy::InterestingPolicy;
use path_tree::{PathId, PathTree};
use retap_model::{Event, StateId};
use std::collections::BTreeMap;

/// The largest number of states in the graph.
const MAX_STATES: usize = 20_000;

#[derive(Debug, Clone)]
pub struct StateGraph {
    interesting: InterestingPolicy,
    nodes: BTreeMap<StateId, StateNode>,
    paths: PathTree,
    /// The path to each of the first steps of the current trace, as far as one was needed.
    trace_paths: Vec<PathId>,
    current_state: Option<StateId>,
    /// The state that a clean launch leads to.
    launch_state: Option<StateId>,
    max_states: usize,
}

impl StateGraph {
    pub fn new(interesting: InterestingPolicy) -> Self {
        Self::with_max_states(interesting, MAX_STATES)
    }

    pub fn with_max_states(interesting: InterestingPolicy, max_states: usize) -> Self {
        Self {
            interesting,
            nodes: BTreeMap::new(),
            paths: PathTree::default(),
            trace_paths: vec![PathTree::LAUNCH],
            current_state: None,
            launch_state: None,
            max_states: max_states.max(2),
        }
    }

    /// Notes that a device holds a snapshot of this state, or holds it no longer.
    pub fn set_has_snapshot(&mut self, state: StateId, has_snapshot: bool) {
        if let Some(node) = self.nodes.get_mut(&state) {
            node.has_snapshot = has_snapshot;
        }
    }

    /// Returns the state after the last recorded entry.
    pub fn current_state(&self) -> Option<StateId> {
        self.current_state
    }

    pub fn node(&self, state: StateId) -> Option<&StateNode> {
        self.nodes.get(&state)
    }

    pub fn nodes(&self) -> impl Iterator<Item = (StateId, &StateNode)> {
        self.nodes.iter().map(|(state, node)| (*state, node))
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the states to go back to: interesting ones of the app with a path that still works.
    pub fn corpus(&self) -> impl Iterator<Item = (StateId, &StateNode)> {
        self.nodes().filter(|(_, node)| node.is_interesting && node.is_destination())
    }

    /// Returns the number of events of the shortest recorded path to a state.
    pub fn path_length(&self, state: StateId) -> Option<usize> {
        self.nodes.get(&state)?.path.map(|path| self.paths.len(path))
    }

    /// Returns the shortest recorded path to a state, from a clean launch.
    pub fn recorded_path(&self, state: StateId) -> Option<Vec<Event>> {
        self.nodes.get(&state)?.path.map(|path| self.paths.events(path))
    }

    /// Finds a path that is shorter than the recorded one, along events that are known to lead on. A trace that
    /// found a state after a hundred events seldom needed them all. Returns `None` if there is no such path or if it
    /// failed before.
    pub fn find_shortcut(&self, state: StateId) -> Option<Vec<PathStep>> {
        let node = self.nodes.get(&state).filter(|node| node.failed_returns == 0)?;
        let recorded = self.paths.len(node.path?);
        self.find_shortest_path(self.launch_state?, state, recorded.checked_sub(1)?)
    }

    /// Returns the number of events that a return to each state takes: those of the shortcut if one would be tried.
    pub fn return_lengths(&self) -> BTreeMap<StateId, usize> {
        let shortcuts = self.launch_state.map(|launch| self.distances_from(launch, usize::MAX));
        let shortcuts = shortcuts.unwrap_or_default();
        let length = |(state, node): (StateId, &StateNode)| {
            let recorded = self.paths.len(node.path?);
            let shortcut = shortcuts.get(&state).filter(|_| node.failed_returns == 0);
            Some((state, shortcut.map_or(recorded, |shortcut| recorded.min(*shortcut))))
        };
        self.nodes().filter_map(length).collect()
    }

    /// Returns the event of an edge.
    pub fn event_of(&self, edge: &StateEdge) -> Option<&Event> {
        self.paths.event(edge.event)
    }
}
