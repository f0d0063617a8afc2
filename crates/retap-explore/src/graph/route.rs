//! From state to state along events that are known to lead there.

use super::{Edge, Graph};
use retap_model::{Event, StateId};
use std::collections::{BTreeMap, VecDeque};

/// States that are looked at before a search is given up.
const MOST_LOOKED_AT: usize = 4_000;

/// One event of a route and where it should lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leg {
    pub event: Event,
    pub to: StateId,
}

impl Graph {
    /// The fewest events that lead from one state to another, none longer than `longest`.
    pub fn route(&self, from: StateId, to: StateId, longest: usize) -> Option<Vec<Leg>> {
        let reached = self.around(from, longest, Some(to));
        let mut legs = Vec::new();
        let mut at = to;
        while at != from {
            let (before, edge, _) = reached.get(&at)?;
            legs.push(Leg { event: self.event(edge)?.clone(), to: at });
            at = *before;
        }
        legs.reverse();
        Some(legs)
    }

    /// How many events away from here each state near it is.
    pub fn distances(&self, from: StateId, longest: usize) -> BTreeMap<StateId, usize> {
        let reached = self.around(from, longest, None);
        reached.into_iter().map(|(state, (_, _, distance))| (state, distance)).collect()
    }

    /// Breadth first: of each state near `from`, the step that leads there first.
    fn around(
        &self,
        from: StateId,
        longest: usize,
        goal: Option<StateId>,
    ) -> BTreeMap<StateId, (StateId, Edge, usize)> {
        let mut reached = BTreeMap::new();
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((at, distance)) = queue.pop_front() {
            if distance == longest || reached.len() > MOST_LOOKED_AT {
                break;
            }
            for edge in self.node(at).map_or(&[][..], |node| &node.edges) {
                if edge.to == from || reached.contains_key(&edge.to) {
                    continue;
                }
                reached.insert(edge.to, (at, *edge, distance + 1));
                if goal == Some(edge.to) {
                    return reached;
                }
                if self.node(edge.to).is_some_and(|node| !node.away) {
                    queue.push_back((edge.to, distance + 1));
                }
            }
        }
        reached
    }
}
