//! What is remembered of one state.

use super::paths::{EventId, PathId};
use retap_model::StateId;

/// Ways on that are remembered of one state, and how many of them lead to the same one.
const MOST_EDGES: usize = 64;
const MOST_ALIKE: usize = 4;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// Times that it was come to from elsewhere, returns included.
    pub visits: u64,
    /// Events that did not lead away from it.
    pub stays: u64,
    /// Times that a return led here.
    pub restored: u64,
    /// Whether its first visit was an interesting one.
    pub interesting: bool,
    /// Interesting states that were found from here.
    pub found: u64,
    /// Whether something else is in front there: no place to pass through.
    pub away: bool,
    /// Whether a device holds a snapshot of it.
    pub saved: bool,
    pub(super) path: Option<PathId>,
    /// Returns in a row that led elsewhere; one that came after them leaves one.
    pub(super) failures: u8,
    pub edges: Vec<Edge>,
}

/// An event that led from one state to another, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub(super) event: EventId,
    pub to: StateId,
    pub times: u32,
}

impl Node {
    /// Whether there is a way here that still works.
    pub fn is_reachable(&self) -> bool {
        self.path.is_some()
    }

    /// The states that events led to from here, each once.
    pub fn next(&self) -> impl Iterator<Item = StateId> + '_ {
        let edges = &self.edges;
        edges.iter().enumerate().filter_map(|(at, edge)| {
            let met = edges[..at].iter().any(|earlier| earlier.to == edge.to);
            (!met).then_some(edge.to)
        })
    }

    /// An event led from here to this state: that it led elsewhere before counts less and less.
    pub(super) fn doubt(&mut self, event: EventId, to: StateId) {
        for other in self.edges.iter_mut().filter(|e| e.event == event && e.to != to) {
            other.times /= 2;
        }
        self.edges.retain(|edge| edge.times > 0);
    }

    /// An event led from here to a state, and may again.
    pub(super) fn lead(&mut self, event: EventId, to: StateId) {
        self.doubt(event, to);
        if let Some(edge) = self.edges.iter_mut().find(|e| e.event == event && e.to == to) {
            edge.times = edge.times.saturating_add(1);
            return;
        }
        let alike = self.edges.iter().filter(|edge| edge.to == to).count();
        if alike < MOST_ALIKE && self.edges.len() < MOST_EDGES {
            self.edges.push(Edge { event, to, times: 1 });
        }
    }

    /// The less of it, the sooner it is forgotten.
    pub(super) fn worth(&self) -> i64 {
        let gave = 10 * self.found as i64 + if self.interesting { 10 } else { 0 };
        gave - self.visits.min(1 << 40) as i64
    }
}
