//! DroidBot's greedy search (Li et al., ICSE-C 2017): an action that the state has not tried yet; else a walk to a
//! reachable state that has one; else a restart of the app; and random actions where that led nowhere either.

use super::gui_model::GuiModel;
use crate::decision_rng::DecisionRng;
use crate::graph::StateGraph;
use crate::strategy::{DecisionContext, Move, RecordedEntry, Strategy};
use retap_model::{App, Event, Key, StateId};
use std::collections::{BTreeMap, VecDeque};

/// Where Back stands among the actions of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchOrder {
    /// Back comes last, so that the search goes deep first.
    DepthFirst,
    /// Back comes first.
    BreadthFirst,
}

#[derive(Debug, Clone)]
pub struct DroidBot {
    seed: u64,
    order: SearchOrder,
    model: GuiModel,
}

impl DroidBot {
    pub fn new(seed: u64, order: SearchOrder, app: App) -> Self {
        Self { seed, order, model: GuiModel::new(app) }
    }

    fn has_untried(&self, state: StateId, graph: &StateGraph) -> bool {
        let is_inside = graph.node(state).is_some_and(|node| !node.is_outside_app);
        is_inside && self.model.state(state).is_some_and(|known| !known.is_explored())
    }

    /// Finds the first event of the shortest walk from a state to another one with an untried action.
    fn find_walk(&self, from: StateId, graph: &StateGraph) -> Option<Event> {
        // Each state with the first event of the walk to it. The graph drops edges that lead elsewhere.
        let mut first_events: BTreeMap<StateId, &Event> = BTreeMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            let first = first_events.get(&state).copied();
            if let Some(first) = first.filter(|_| self.has_untried(state, graph)) {
                return Some(first.clone());
            }
            let edges = graph.node(state).into_iter().flat_map(|node| &node.edges);
            for edge in edges.filter(|edge| edge.to != from) {
                if let Some(event) = first.or_else(|| graph.event_of(edge))
                    && !first_events.contains_key(&edge.to)
                {
                    first_events.insert(edge.to, event);
                    queue.push_back(edge.to);
                }
            }
        }
        None
    }

    /// Returns true if a restart leads to an untried action.
    fn is_worth_a_restart(&self, graph: &StateGraph) -> bool {
        let is_worth =
            |launch| self.has_untried(launch, graph) || self.find_walk(launch, graph).is_some();
        self.model.launch.filter(|launch| self.model.current != Some(*launch)).is_some_and(is_worth)
    }
}

impl Strategy for DroidBot {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        if context.is_trace_over {
            return Move::Restart;
        }
        if let Some(event) = self.model.way_back(context) {
            return Move::Do(event);
        }
        let mut rng = DecisionRng::new(self.seed, context.decision_number);
        let mut offers = self.model.offered(context, &mut rng);
        let back = Event::Key(Key::back());
        // As with DroidBot's flag -random: the order of the actions is drawn, but for Back.
        let drawn: Vec<usize> = offers.iter().map(|_| rng.below(1 << 30)).collect();
        let mut ranks = drawn.into_iter();
        offers.sort_by_cached_key(|action| {
            let rank = ranks.next().unwrap_or_default();
            let is_back = action.event == back;
            (is_back == (self.order == SearchOrder::DepthFirst), rank)
        });
        let state = self.model.current_state();
        let is_untried = |id| state.is_none_or(|state| !state.is_tried(id));
        if let Some(untried) = offers.iter().find(|action| is_untried(action.id)) {
            return Move::Do(untried.event.clone());
        }
        let walk = self.model.current.and_then(|state| self.find_walk(state, context.graph));
        if let Some(event) = walk.filter(|event| !context.is_avoided(event)) {
            return Move::Do(event);
        }
        if self.is_worth_a_restart(context.graph) {
            return Move::Restart;
        }
        Move::Do(rng.pick(&offers).map_or(back, |action| action.event.clone()))
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        self.model.learn(entry);
    }

    fn wants_screens(&self) -> bool {
        true
    }
}
