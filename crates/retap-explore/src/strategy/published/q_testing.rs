//! Q-testing (Pan et al., ISSTA 2020): Q-learning whose reward is curiosity. A state is rewarded if it is unlike every
//! state in a memory, so that one functional scenario with many states is rewarded once.

mod scenario_memory;

use super::gui_model::GuiModel;
use crate::decision_rng::DecisionRng;
use crate::strategy::auto::EventSignature;
use crate::strategy::{DecisionContext, Move, RecordedEntry, Strategy};
use retap_model::{App, Event, Key, StateId};
use scenario_memory::ScenarioMemory;
use std::collections::BTreeMap;

/// The share by which a new value replaces the old one.
const ALPHA: f64 = 0.5;
/// The share of the next state's value that an action earns.
const GAMMA: f64 = 0.9;
/// How often a random action is chosen.
const EPSILON: f64 = 0.2;
/// The reward for a state of a scenario that is not in the memory. States of known scenarios have none.
const CURIOSITY: f64 = 1.0;

#[derive(Debug, Clone)]
pub struct QTesting {
    seed: u64,
    model: GuiModel,
    memory: ScenarioMemory,
    values: BTreeMap<(StateId, EventSignature), f64>,
    reason: String,
}

impl QTesting {
    pub fn new(seed: u64, app: App) -> Self {
        Self {
            seed,
            model: GuiModel::new(app),
            memory: ScenarioMemory::default(),
            values: BTreeMap::new(),
            reason: String::new(),
        }
    }

    fn value(&self, state: StateId, action: EventSignature) -> f64 {
        self.values.get(&(state, action)).copied().unwrap_or_default()
    }

    /// Returns the highest value of the actions that were tried in a state. Untried ones promise nothing, else every new
    /// state would be worth as much as a new scenario.
    fn best_value(&self, state: StateId) -> f64 {
        let tried = self.model.state(state).into_iter().flat_map(|known| known.tries.keys());
        tried.map(|action| self.value(state, *action)).fold(0.0, f64::max)
    }
}

impl Strategy for QTesting {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        self.reason.clear();
        if context.is_trace_over {
            return Move::Restart;
        }
        if let Some(event) = self.model.way_back(context) {
            return Move::Do(event);
        }
        let mut rng = DecisionRng::new(self.seed, context.decision_number);
        let offers = self.model.offered(context, &mut rng);
        let state = self.model.current_state();
        let is_untried = |id| state.is_none_or(|state| !state.is_tried(id));
        let untried: Vec<_> = offers.iter().filter(|action| is_untried(action.id)).collect();
        let value = |id| self.model.current.map_or(0.0, |state| self.value(state, id));
        let highest = offers.iter().map(|action| value(action.id)).fold(0.0, f64::max);
        let best: Vec<_> = offers.iter().filter(|action| value(action.id) >= highest).collect();
        let (chosen, reason) = if rng.chance(EPSILON) {
            (rng.pick(&offers), "any action".to_string())
        } else if let Some(untried) = rng.pick(&untried) {
            (Some(*untried), "not tried here".to_string())
        } else {
            (rng.pick(&best).copied(), format!("value {highest:.2}"))
        };
        self.reason = reason;
        Move::Do(chosen.map_or(Event::Key(Key::back()), |action| action.event.clone()))
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        let from = self.model.current;
        let transition = self.model.learn(entry);
        let novelty = entry.novelty();
        let screen = novelty.screen.filter(|_| novelty.result.outcome.is_running());
        let is_new_scenario = screen.is_some_and(|screen| self.memory.remember(screen));
        let (Some(from), Some(transition)) = (from, transition) else { return };
        let reward = if is_new_scenario { CURIOSITY } else { 0.0 };
        let ahead = transition.to.map_or(0.0, |to| self.best_value(to));
        let old = self.value(from, transition.action);
        let new = old + ALPHA * (reward + GAMMA * ahead - old);
        self.values.insert((from, transition.action), new);
    }

    fn reason(&self) -> String {
        self.reason.clone()
    }

    fn wants_screens(&self) -> bool {
        true
    }
}
