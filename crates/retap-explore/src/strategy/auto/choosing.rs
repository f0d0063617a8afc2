//! Chooses the next move: an unplanned event of a burst, another state, or an action of the current screen.

use super::actions::list_mapped_actions;
use super::event_key::{class_family, field_family};
use super::{ActionKind, Auto, AutoPart, PossibleAction, TextClass};
use crate::decision_rng::DecisionRng;
use crate::strategy::{Decision, DecisionContext, Move};
use retap_model::{Event, Outcome, Target};

/// Keeps the random numbers of this strategy apart from those of random events.
const SEED_OFFSET: u64 = 0x6175_746f;
/// While nothing new is met, a burst of this many unplanned events follows twice as many planned ones.
const BURST_EVENTS: u64 = 15;

impl Auto {
    pub(super) fn choose(&self, context: &DecisionContext<'_>) -> Decision {
        let mut rng = DecisionRng::new(self.random.seed ^ SEED_OFFSET, context.decision_number);
        let Some(state) = context.graph.current_state().filter(|_| !context.is_trace_over) else {
            return match self.find_best_return(context, 0.0) {
                Some(place) => Decision::new(Move::Return(place.state), place.reason),
                None => Decision::new(Move::Restart, "the trace is over"),
            };
        };
        if let Some(decision) = self.choose_unplanned_event(context) {
            return decision;
        }
        let actions =
            list_mapped_actions(&context.observation.screen, context.app, self.form(), &self.guide);
        let rewards: Vec<f64> = actions
            .iter()
            .map(|action| match &action.kind {
                ActionKind::Do(event) if context.is_avoided(event) => 0.0,
                _ => {
                    let prior = action.prior + self.guide.bonus(&action.inputs);
                    self.statistics.expected_reward(state, action.key, prior)
                }
            })
            .collect();
        let best_reward = rewards.iter().copied().fold(0.0, f64::max);
        if let Some(decision) = self.fill_form(context, &actions, &rewards, &mut rng) {
            return decision;
        }
        if !self.is_trace_new
            && let Some(decision) = self.leave_for_better_state(context, state, best_reward)
        {
            return decision;
        }
        match draw_action(&actions, &rewards, &mut rng) {
            Some((action, reward)) => {
                let tried = match self.statistics.tries(state, action.key) {
                    0 => "not tried here".to_string(),
                    tries => format!("tried {tries}× here"),
                };
                let reason =
                    format!("{tried}, expected reward {reward:.2} of {best_reward:.2} at most");
                Decision::new(Move::Do(self.event_of(action, context, &mut rng)), reason)
            }
            None => {
                Decision::new(Move::Do(self.random.draw_event(context)), "nothing is left to try")
            }
        }
    }

    /// Draws an unplanned event if the app is not in front or a burst is due. What an event leaves behind without showing it
    /// (a closed database, a saved state that lacks something) is met events later and elsewhere: no plan leads there, and a
    /// return with a clean install would wipe it out.
    fn choose_unplanned_event(&self, context: &DecisionContext<'_>) -> Option<Decision> {
        let is_outside_app =
            matches!(context.observation.outcome, Outcome::Exited | Outcome::Left { .. });
        let is_burst = self.parts.has(AutoPart::Bursts)
            && (self.events_without_reward / BURST_EVENTS) % 3 == 2;
        let (random, reason) = match (is_outside_app, is_burst) {
            (true, _) => (&self.random, "the app is not in front"),
            (false, true) => (&self.burst, "unplanned"),
            (false, false) => return None,
        };
        Some(Decision::new(Move::Do(random.draw_event(context)), reason))
    }

    /// Fills in another field of a form that was begun, so that it is sent as a whole.
    fn fill_form(
        &self,
        context: &DecisionContext<'_>,
        actions: &[PossibleAction],
        rewards: &[f64],
        rng: &mut DecisionRng,
    ) -> Option<Decision> {
        if self.typed_texts.is_empty() || !self.parts.has(AutoPart::Fill) {
            return None;
        }
        let activity = &context.observation.screen.activity;
        let is_open = |action: &PossibleAction| match &action.kind {
            ActionKind::Type(on) => !self.typed_texts.contains_key(&field_family(on, activity)),
            ActionKind::Do(_) => false,
        };
        let open = actions.iter().zip(rewards).filter(|(action, _)| is_open(action));
        let (fields, rewards): (Vec<PossibleAction>, Vec<f64>) =
            open.map(|(action, reward)| (action.clone(), *reward)).unzip();
        let (action, _) = draw_action(&fields, &rewards, rng)?;
        let event = self.event_of(action, context, rng);
        Some(Decision::new(Move::Do(event), "another field of the form"))
    }

    /// Returns the event of an action. A text is drawn only now.
    fn event_of(
        &self,
        action: &PossibleAction,
        context: &DecisionContext<'_>,
        rng: &mut DecisionRng,
    ) -> Event {
        match &action.kind {
            ActionKind::Do(event) => event.clone(),
            ActionKind::Type(on) => {
                let activity = &context.observation.screen.activity;
                let class = self.draw_class(on, activity, rng);
                let field = field_family(on, activity);
                let rewarded =
                    self.rewarded_texts.get(&field).filter(|_| self.parts.has(AutoPart::Text));
                let text = match rewarded {
                    Some(text) if rng.chance(0.5) => text.clone(),
                    _ => self.draw_text(class, on, activity, rng),
                };
                Event::Text { on: on.clone(), text }
            }
        }
    }
}

impl Auto {
    /// Draws a class of texts. What texts of the class gave in this field makes it likelier.
    fn draw_class(&self, on: &Target, activity: &str, rng: &mut DecisionRng) -> TextClass {
        let weights = TextClass::ALL.map(|class| {
            let record = self.text_classes.get(&class_family(on, class, activity));
            let mean = record.copied().unwrap_or_default().expected_reward(class.prior());
            (class, (mean * 1000.0).ceil() as u32)
        });
        rng.weighted(&weights).copied().unwrap_or(TextClass::Word)
    }

    /// Draws a text of a class. Half of the time it is one that the code of the window itself compares with, if it has any.
    fn draw_text(
        &self,
        class: TextClass,
        on: &Target,
        activity: &str,
        rng: &mut DecisionRng,
    ) -> String {
        let is_here = |word: &str| self.guide.holds_text(activity, word);
        let own = if self.guide.is_empty() || !rng.chance(0.5) {
            None
        } else {
            self.vocabulary.draw_where(class, &is_here, rng)
        };
        own.unwrap_or_else(|| class.draw(on, &self.vocabulary, rng))
    }
}

/// Draws one of the actions. The weight of an action is the square of its expected reward.
fn draw_action<'a>(
    actions: &'a [PossibleAction],
    rewards: &[f64],
    rng: &mut DecisionRng,
) -> Option<(&'a PossibleAction, f64)> {
    let highest = rewards.iter().copied().fold(0.0, f64::max);
    if highest <= 0.0 {
        return None;
    }
    let weight_of = |reward: f64| ((reward / highest).powi(2) * 10_000.0).ceil() as u32;
    let weighted: Vec<((&PossibleAction, f64), u32)> = actions
        .iter()
        .zip(rewards)
        .map(|(action, reward)| ((action, *reward), weight_of(*reward)))
        .collect();
    rng.weighted(&weighted).copied()
}
