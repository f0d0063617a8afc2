//! One state of the graph and the edges that leave it.

use super::path_tree::{EventId, PathId};
use retap_model::StateId;

/// The largest number of edges that leave a state, and of those that lead to the same state.
const MAX_EDGES: usize = 64;
const MAX_EDGES_TO_ONE_STATE: usize = 4;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct StateNode {
    /// Events that led here from another state, and returns.
    pub visits: u64,
    /// Events that did not leave the state.
    pub stays: u64,
    /// Returns that arrived here.
    pub returns: u64,
    /// True if the first visit was an interesting one.
    pub is_interesting: bool,
    /// Interesting states that were first reached from here.
    pub discoveries: u64,
    /// True if the app is not in front in this state. No path goes through such a state.
    pub is_outside_app: bool,
    /// True if a snapshot is held at the end of the recorded path.
    pub has_snapshot: bool,
    /// The shortest recorded path to the state.
    pub(super) path: Option<PathId>,
    /// Failed returns in a row. An arrival after failures resets the number to one.
    pub(super) failed_returns: u8,
    pub edges: Vec<StateEdge>,
}

/// An event that led from one state to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateEdge {
    pub(super) event: EventId,
    pub to: StateId,
    /// The number of times that the event led there; halved whenever it leads elsewhere.
    pub times: u32,
}

impl StateNode {
    /// Returns true if a return may lead here: a recorded path still does, and the app is in front.
    pub fn is_destination(&self) -> bool {
        self.path.is_some() && !self.is_outside_app
    }

    /// Returns the states that events led to from here, each once.
    pub fn next_states(&self) -> impl Iterator<Item = StateId> + '_ {
        let edges = &self.edges;
        edges.iter().enumerate().filter_map(|(index, edge)| {
            let is_repeated = edges[..index].iter().any(|earlier| earlier.to == edge.to);
            (!is_repeated).then_some(edge.to)
        })
    }

    /// Halves the count of every edge on which this event led to another state than `to`.
    pub(super) fn halve_other_transitions(&mut self, event: EventId, to: StateId) {
        for other in self.edges.iter_mut().filter(|e| e.event == event && e.to != to) {
            other.times /= 2;
        }
        self.edges.retain(|edge| edge.times > 0);
    }

    /// Records that an event led from here to a state.
    pub(super) fn record_transition(&mut self, event: EventId, to: StateId) {
        self.halve_other_transitions(event, to);
        if let Some(edge) = self.edges.iter_mut().find(|e| e.event == event && e.to == to) {
            edge.times = edge.times.saturating_add(1);
            return;
        }
        let parallel_edges = self.edges.iter().filter(|edge| edge.to == to).count();
        if parallel_edges < MAX_EDGES_TO_ONE_STATE && self.edges.len() < MAX_EDGES {
            self.edges.push(StateEdge { event, to, times: 1 });
        }
    }

    /// Returns how much the graph loses if it forgets this state. The state of least value is forgotten first.
    pub(super) fn value(&self) -> i64 {
        let found = 10 * self.discoveries as i64 + if self.is_interesting { 10 } else { 0 };
        found - self.visits.min(1 << 40) as i64
    }
}
