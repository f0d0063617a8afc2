//! Stoat (Su et al., FSE 2017): first a model of the app is built by weighted exploration; then its probabilities are
//! mutated again and again, each time a test suite is drawn from it and run, and a model is kept if its suite is good.

mod action_weights;
mod gibbs_sampling;
mod markov_model;
mod test_suite;

use super::gui_model::GuiModel;
use crate::decision_rng::DecisionRng;
use crate::strategy::{DecisionContext, Move, RecordedEntry, Strategy};
use action_weights::ActionWeights;
use gibbs_sampling::GibbsSampling;
use markov_model::MarkovModel;
use retap_model::{App, Event, Key};

#[derive(Debug, Clone)]
pub struct Stoat {
    seed: u64,
    app: App,
    gui: GuiModel,
    weights: ActionWeights,
    model: MarkovModel,
    /// The number of events that building the model takes.
    model_events: u64,
    events: u64,
    /// The second phase, once it has begun.
    sampling: Option<GibbsSampling>,
}

impl Stoat {
    pub fn new(seed: u64, app: App, model_events: u64) -> Self {
        Self {
            seed,
            gui: GuiModel::new(app.clone()),
            app,
            weights: ActionWeights::default(),
            model: MarkovModel::default(),
            model_events,
            events: 0,
            sampling: None,
        }
    }

    /// Chooses one of the actions with the largest weight.
    fn choose_weighted(&self, context: &DecisionContext<'_>) -> Move {
        let mut rng = DecisionRng::new(self.seed, context.decision_number);
        let offers = self.gui.offered(context, &mut rng);
        let weights: Vec<f64> = offers.iter().map(|action| self.weights.weight(action)).collect();
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let heaviest = offers.iter().zip(&weights).filter(|(_, weight)| **weight >= largest);
        let heaviest: Vec<_> = heaviest.map(|(action, _)| action).collect();
        let chosen = rng.pick(&heaviest);
        Move::Do(chosen.map_or(Event::Key(Key::back()), |action| action.event.clone()))
    }

    /// Begins the second phase if the model is built.
    fn begin_sampling(&mut self) {
        let is_due = self.sampling.is_none() && self.events >= self.model_events;
        if let Some(entry) = self.gui.launch.filter(|_| is_due) {
            let model = std::mem::take(&mut self.model);
            self.sampling = GibbsSampling::begin(model, entry, self.seed, &self.app);
        }
    }
}

impl Strategy for Stoat {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        let is_test_due = self.sampling.as_ref().is_some_and(GibbsSampling::wants_restart);
        if context.is_trace_over || is_test_due {
            return Move::Restart;
        }
        if let Some(event) = self.gui.way_back(context) {
            return Move::Do(event);
        }
        match self.sampling.as_ref().and_then(GibbsSampling::next_event) {
            Some(event) => Move::Do(event.clone()),
            None => self.choose_weighted(context),
        }
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        let from = self.gui.current;
        let before = self.gui.current_state().map(|state| state.actions.clone());
        let transition = self.gui.learn(entry);
        if let RecordedEntry::Step(step, _) = entry {
            self.events += 1;
            if let (Some(from), Some(transition)) = (from, transition)
                && self.sampling.is_none()
            {
                let after = self.gui.current_state().map(|state| state.actions.as_slice());
                let before = before.unwrap_or_default();
                self.weights.record(transition.action, &before, after.unwrap_or_default());
                if let Some(to) = transition.to {
                    self.model.record(from, transition.action, &step.event, to);
                }
            }
        }
        match &mut self.sampling {
            Some(sampling) => sampling.learn(entry, &self.app),
            None => self.begin_sampling(),
        }
    }

    fn reason(&self) -> String {
        match &self.sampling {
            None => "building the model".into(),
            Some(sampling) => sampling.describe(),
        }
    }

    fn wants_screens(&self) -> bool {
        true
    }
}
