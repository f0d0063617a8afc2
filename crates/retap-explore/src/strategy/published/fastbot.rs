//! Fastbot2 (Lv et al., ASE 2022): a model of which action led to which activity how often, untried actions first, and
//! then n-step SARSA with a reward for whatever may lead to activities that were not visited yet.

use super::gui_model::{GuiModel, GuiState};
use crate::decision_rng::DecisionRng;
use crate::strategy::auto::EventSignature;
use crate::strategy::{DecisionContext, Move, RecordedEntry, Strategy};
use retap_model::{App, Event, Key, StateId};
use std::collections::{BTreeMap, VecDeque};

/// The rewards that a value looks ahead (n of the n-step SARSA).
const STEPS: usize = 5;
/// The share of a reward that the step before it earns.
const GAMMA: f64 = 0.8;
/// The share by which a new value replaces the old one.
const ALPHA: f64 = 0.5;
/// How much chance decides between values: the smaller, the less (α of equation 2 and β of equation 6).
const TEMPERATURE: f64 = 0.1;

/// An action in a state, which has a value of its own.
type StateAction = (StateId, EventSignature);

#[derive(Debug, Clone)]
pub struct Fastbot {
    seed: u64,
    model: GuiModel,
    /// How often an action led to an activity.
    reached: BTreeMap<EventSignature, BTreeMap<String, u64>>,
    values: BTreeMap<StateAction, f64>,
    /// The last actions, each with the reward for it.
    recent: VecDeque<(StateAction, f64)>,
}

impl Fastbot {
    pub fn new(seed: u64, app: App) -> Self {
        Self {
            seed,
            model: GuiModel::new(app),
            reached: BTreeMap::new(),
            values: BTreeMap::new(),
            recent: VecDeque::new(),
        }
    }

    /// Returns how likely an action leads to an activity that this run has not visited (equation 1).
    fn expectation(&self, action: EventSignature) -> f64 {
        let Some(activities) = self.reached.get(&action) else { return 0.0 };
        let is_new = |activity: &str| !self.model.activities.contains(activity);
        let total: u64 = activities.values().sum();
        let new: u64 = activities.iter().filter(|it| is_new(it.0)).map(|it| it.1).sum();
        new as f64 / total.max(1) as f64
    }

    /// Returns what the actions of a state promise together (equation 5).
    fn promise(&self, state: &GuiState) -> f64 {
        let of_action = |action: &EventSignature| {
            let is_known = self.reached.contains_key(action);
            let novelty = match (is_known, state.is_tried(*action)) {
                (false, _) => 1.0,
                (true, true) => 0.5,
                (true, false) => 0.0,
            };
            novelty + self.expectation(*action)
        };
        state.actions.iter().map(of_action).sum()
    }

    /// Returns the reward of an action that led to a state (equation 4).
    fn reward(&self, from: &GuiState, action: EventSignature, to: Option<&GuiState>) -> f64 {
        let expectation = match self.expectation(action) {
            nothing if nothing < 1e-4 => 1.0,
            some => some,
        };
        let tries = from.tries.get(&action).copied().unwrap_or_default();
        let of_action = expectation / (tries as f64 + 1.0).sqrt();
        let of_state = to.map_or(0.0, |to| self.promise(to) / (to.visits as f64 + 1.0).sqrt());
        of_action + of_state
    }

    fn value(&self, action: StateAction) -> f64 {
        self.values.get(&action).copied().unwrap_or_default()
    }

    /// Updates the value of the action `STEPS` ago (equation 3).
    fn update_values(&mut self) {
        if self.recent.len() <= STEPS {
            return;
        }
        let Some(((action, reward), (last, _))) = self.recent.pop_front().zip(self.recent.back())
        else {
            return;
        };
        let later = self.recent.iter().take(STEPS - 1).rev();
        let ahead = later.fold(self.value(*last), |ahead, (_, reward)| reward + GAMMA * ahead);
        let old = self.value(action);
        self.values.insert(action, old + ALPHA * (reward + GAMMA * ahead - old));
    }
}

impl Strategy for Fastbot {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        if context.is_trace_over {
            return Move::Restart;
        }
        if let Some(event) = self.model.way_back(context) {
            return Move::Do(event);
        }
        let mut rng = DecisionRng::new(self.seed, context.decision_number);
        let offers = self.model.offered(context, &mut rng);
        let state = self.model.current_state();
        let untried: Vec<_> = offers
            .iter()
            .filter(|action| state.is_none_or(|state| !state.is_tried(action.id)))
            .collect();
        let unknown: Vec<_> =
            untried.iter().filter(|action| !self.reached.contains_key(&action.id)).collect();
        let promising = untried.iter().filter(|action| self.expectation(action.id) > 1e-4);
        let promising: Vec<_> =
            promising.map(|action| (*action, self.expectation(action.id))).collect();
        let chosen = if let Some(unknown) = rng.pick(&unknown) {
            Some(**unknown)
        } else if let Some(promising) = draw_by_value(&promising, &mut rng) {
            Some(*promising)
        } else if let Some(untried) = rng.pick(&untried) {
            Some(*untried)
        } else {
            let value = |id| self.model.current.map_or(0.0, |state| self.value((state, id)));
            let valued: Vec<_> = offers.iter().map(|action| (action, value(action.id))).collect();
            draw_by_value(&valued, &mut rng).copied()
        };
        Move::Do(chosen.map_or(Event::Key(Key::back()), |action| action.event.clone()))
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        let from = self.model.current;
        let transition = self.model.learn(entry);
        let (Some(from), Some(transition)) = (from, transition) else {
            self.recent.clear();
            return;
        };
        let to = transition.to.and_then(|state| self.model.state(state));
        let Some(before) = self.model.state(from) else { return };
        let reward = self.reward(before, transition.action, to);
        if let Some(to) = to.filter(|to| !to.activity.is_empty()) {
            let activity = to.activity.clone();
            let activities = self.reached.entry(transition.action).or_default();
            *activities.entry(activity).or_default() += 1;
        }
        self.recent.push_back(((from, transition.action), reward));
        self.update_values();
    }

    fn wants_screens(&self) -> bool {
        true
    }
}

/// Draws an item, each with a probability that grows exponentially with its value.
fn draw_by_value<'a, T>(items: &'a [(T, f64)], rng: &mut DecisionRng) -> Option<&'a T> {
    let gumbel = |rng: &mut DecisionRng| {
        let uniform = (rng.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30);
        -(-uniform.ln()).ln()
    };
    let noisy = items.iter().map(|(item, value)| (item, value / TEMPERATURE + gumbel(rng)));
    noisy.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(item, _)| item)
}
