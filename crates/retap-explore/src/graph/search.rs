//! Finds shortest paths between states, along events that are known to lead on.

use super::{StateEdge, StateGraph};
use retap_model::{Event, StateId};
use std::collections::{BTreeMap, VecDeque};

/// A search is given up after it has reached this many states.
const MAX_REACHED: usize = 4_000;

/// One event of a path and the state it should lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathStep {
    pub event: Event,
    pub to: StateId,
}

/// The step that reaches a state first, and the distance of that state.
struct ReachedBy {
    from: StateId,
    edge: StateEdge,
    distance: usize,
}

impl StateGraph {
    /// Finds the fewest events that lead from one state to another. Returns `None` if that takes more than
    /// `max_events`.
    pub fn find_shortest_path(
        &self,
        from: StateId,
        to: StateId,
        max_events: usize,
    ) -> Option<Vec<PathStep>> {
        let reached = self.search_breadth_first(from, max_events, Some(to));
        let mut path = Vec::new();
        let mut state = to;
        while state != from {
            let ReachedBy { from: before, edge, .. } = reached.get(&state)?;
            path.push(PathStep { event: self.event_of(edge)?.clone(), to: state });
            state = *before;
        }
        path.reverse();
        Some(path)
    }

    /// Returns the number of events from a state to each state that at most `max_events` lead to.
    pub fn distances_from(&self, from: StateId, max_events: usize) -> BTreeMap<StateId, usize> {
        let reached = self.search_breadth_first(from, max_events, None);
        reached.into_iter().map(|(state, by)| (state, by.distance)).collect()
    }

    /// Searches breadth first, until `goal` is reached if there is one.
    fn search_breadth_first(
        &self,
        from: StateId,
        max_events: usize,
        goal: Option<StateId>,
    ) -> BTreeMap<StateId, ReachedBy> {
        let mut reached = BTreeMap::new();
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((state, distance)) = queue.pop_front() {
            if distance == max_events || reached.len() > MAX_REACHED {
                break;
            }
            for edge in self.node(state).map_or(&[][..], |node| &node.edges) {
                if edge.to == from || reached.contains_key(&edge.to) {
                    continue;
                }
                let by = ReachedBy { from: state, edge: *edge, distance: distance + 1 };
                reached.insert(edge.to, by);
                if goal == Some(edge.to) {
                    return reached;
                }
                if self.node(edge.to).is_some_and(|node| !node.is_outside_app) {
                    queue.push_back((edge.to, distance + 1));
                }
            }
        }
        reached
    }
}
