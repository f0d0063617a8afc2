//! Makes room in a full graph.

use super::path_tree::{EventId, PathId};
use super::{StateEdge, StateGraph};
use retap_model::StateId;

impl StateGraph {
    /// Drops the tenth of the states that were visited most for what was found from them.
    pub(super) fn forget_least_valuable(&mut self) {
        let mut values: Vec<(i64, StateId)> = self
            .nodes()
            .filter(|(state, _)| Some(*state) != self.current_state)
            .map(|(state, node)| (node.value(), state))
            .collect();
        values.sort_unstable();
        for (_, state) in values.iter().take(self.max_states.div_ceil(10)) {
            self.nodes.remove(state);
        }
        self.drop_dangling_edges();
        self.compact_paths();
    }

    fn drop_dangling_edges(&mut self) {
        let nodes = &self.nodes;
        let is_gone = |state: StateId| !nodes.contains_key(&state);
        let with_dangling_edges: Vec<StateId> = nodes
            .iter()
            .filter(|(_, node)| node.edges.iter().any(|edge| is_gone(edge.to)))
            .map(|(state, _)| *state)
            .collect();
        for state in with_dangling_edges {
            let Some(mut node) = self.nodes.remove(&state) else { continue };
            let is_known = |edge: &StateEdge| edge.to == state || self.nodes.contains_key(&edge.to);
            node.edges.retain(is_known);
            self.nodes.insert(state, node);
        }
    }

    /// Drops the paths and events that no node refers to.
    pub(super) fn compact_paths(&mut self) {
        let mut paths: Vec<&mut PathId> = self.trace_paths.iter_mut().collect();
        let mut events: Vec<&mut EventId> = Vec::new();
        for node in self.nodes.values_mut() {
            paths.extend(node.path.as_mut());
            events.extend(node.edges.iter_mut().map(|edge| &mut edge.event));
        }
        self.paths.compact(paths, events);
    }
}
