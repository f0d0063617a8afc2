//! What the published explorers remember of a run: for each state its activity, the actions it offers, how often each
//! was tried and how often the state was met. It is a fold over recorded entries.

use super::actions::{GuiAction, action_of, offered_actions};
use crate::decision_rng::DecisionRng;
use crate::strategy::auto::EventSignature;
use crate::strategy::{DecisionContext, RecordedEntry};
use retap_model::observation::RecordedOutcome;
use retap_model::{App, Event, Key, Outcome, Screen, StateId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The largest number of states. Those met longest ago are forgotten.
const MAX_STATES: usize = 20_000;

/// Outside the app these explorers press Back so often before they launch the app again.
const STEPS_OUTSIDE: u32 = 2;

#[derive(Debug, Clone, Default)]
pub struct GuiState {
    pub activity: String,
    pub actions: Vec<EventSignature>,
    pub tries: BTreeMap<EventSignature, u64>,
    pub visits: u64,
    /// How often an action was repeated here although another one seemed untried: that one cannot be chosen.
    pub futile_visits: u32,
}

/// After this many futile visits a state counts as explored.
const MAX_FUTILE_VISITS: u32 = 3;

impl GuiState {
    pub fn is_tried(&self, action: EventSignature) -> bool {
        self.tries.contains_key(&action)
    }

    /// Returns true if every action that the state offers was tried.
    pub fn is_explored(&self) -> bool {
        self.futile_visits >= MAX_FUTILE_VISITS
            || self.actions.iter().all(|action| self.is_tried(*action))
    }
}

/// An action in a state, and the state that it led to.
#[derive(Debug, Clone, Copy)]
pub struct GuiTransition {
    pub action: EventSignature,
    pub to: Option<StateId>,
}

#[derive(Debug, Clone)]
pub struct GuiModel {
    app: App,
    states: BTreeMap<StateId, GuiState>,
    /// The states in the order in which they were met.
    order: VecDeque<StateId>,
    pub activities: BTreeSet<String>,
    pub current: Option<StateId>,
    /// The state that a clean launch led to last.
    pub launch: Option<StateId>,
    steps_outside: u32,
}

impl GuiModel {
    pub fn new(app: App) -> Self {
        Self {
            app,
            states: BTreeMap::new(),
            order: VecDeque::new(),
            activities: BTreeSet::new(),
            current: None,
            launch: None,
            steps_outside: 0,
        }
    }

    pub fn state(&self, state: StateId) -> Option<&GuiState> {
        self.states.get(&state)
    }

    pub fn current_state(&self) -> Option<&GuiState> {
        self.current.and_then(|state| self.state(state))
    }

    /// Lists the actions of the screen at hand that may be chosen.
    pub fn offered(&self, context: &DecisionContext<'_>, rng: &mut DecisionRng) -> Vec<GuiAction> {
        let mut actions = offered_actions(&context.observation.screen, &self.app, rng);
        actions.retain(|action| !context.is_avoided(&action.event));
        actions
    }

    /// Returns the event that leads back into the app, if another app is in front or none.
    pub fn way_back(&self, context: &DecisionContext<'_>) -> Option<Event> {
        match context.observation.outcome {
            Outcome::Exited => Some(Event::Launch),
            Outcome::Left { .. } if self.steps_outside > STEPS_OUTSIDE => Some(Event::Launch),
            Outcome::Left { .. } => Some(Event::Key(Key::back())),
            _ => None,
        }
    }

    /// Learns from an entry. Returns the transition if it was a step from a known state.
    pub fn learn(&mut self, entry: RecordedEntry<'_>) -> Option<GuiTransition> {
        let (novelty, event) = match entry {
            RecordedEntry::Start(novelty) | RecordedEntry::Return { novelty, .. } => {
                (novelty, None)
            }
            RecordedEntry::Step(step, novelty) => (novelty, Some(&step.event)),
        };
        let from = self.current.and_then(|state| self.states.get_mut(&state));
        let action = event.zip(from).map(|(event, from)| {
            let action = action_of(event, &from.activity);
            if from.is_tried(action) && !from.is_explored() {
                from.futile_visits += 1;
            }
            *from.tries.entry(action).or_default() += 1;
            action
        });
        let is_outside = matches!(novelty.result.outcome, RecordedOutcome::Left(_));
        self.steps_outside = if is_outside { self.steps_outside + 1 } else { 0 };
        self.current = novelty.result.state;
        if matches!(entry, RecordedEntry::Start(_)) {
            self.launch = self.current;
        }
        if let Some(state) = novelty.result.state {
            let is_inside = novelty.result.outcome.is_running();
            self.enter(state, novelty.screen.filter(|_| is_inside));
        }
        action.map(|action| GuiTransition { action, to: self.current })
    }

    fn enter(&mut self, state: StateId, screen: Option<&Screen>) {
        if !self.states.contains_key(&state) {
            self.order.push_back(state);
            if self.order.len() > MAX_STATES
                && let Some(oldest) = self.order.pop_front()
            {
                self.states.remove(&oldest);
            }
        }
        let known = self.states.entry(state).or_default();
        known.visits += 1;
        if let Some(screen) = screen {
            // The texts of these actions are never typed: only what the actions are counts here.
            let actions = offered_actions(screen, &self.app, &mut DecisionRng::new(0, 0));
            known.actions = actions.into_iter().map(|action| action.id).collect();
            known.activity.clone_from(&screen.activity);
            if !self.activities.contains(&screen.activity) {
                self.activities.insert(screen.activity.clone());
            }
        }
    }
}
