//! Chooses the next move: escape a plateau, a random event, another state, or an action of the current screen.

use super::actions::list_mapped_actions;
use super::event_key::field_family;
use super::planning::MIN_REWARD;
use super::statistics::sum_of_best;
use super::{ActionKind, Auto, AutoPart, PossibleAction, TextClass};
use crate::decision_rng::DecisionRng;
use crate::strategy::{Decision, DecisionContext, Move};
use retap_model::{Event, Outcome, Target};

/// Keeps the random numbers of this strategy apart from those of random events.
const SEED_OFFSET: u64 = 0x6175_746f;
/// The share of random events at first, and the largest share it grows to while nothing new is met.
const RANDOM_SHARE: f64 = 0.1;
const MAX_RANDOM_SHARE: f64 = 0.6;
/// This many events without a reward raise the share of random events by one.
const EVENTS_PER_RANDOM_SHARE: f64 = 1500.0;
/// After every so many events without a reward the run goes to the least visited state.
const PLATEAU_EVENTS: u64 = 300;

impl Auto {
    pub(super) fn choose(&self, context: &DecisionContext<'_>) -> Decision {
        let mut rng = DecisionRng::new(self.random.seed ^ SEED_OFFSET, context.decision_number);
        if let Some(decision) = self.escape_plateau(context) {
            return decision;
        }
        let Some(state) = context.graph.current_state().filter(|_| !context.is_trace_over) else {
            return match self.find_best_return(context, MIN_REWARD) {
                Some(place) => Decision::new(Move::Return(place.state), place.reason),
                None => Decision::new(Move::Restart, "the trace is over"),
            };
        };
        if let Some(decision) = self.choose_random_event(context, &mut rng) {
            return decision;
        }
        let actions = list_mapped_actions(
            &context.observation.screen,
            context.app,
            self.filled_fields(),
            &self.guide,
        );
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
        let state_reward = sum_of_best(rewards.iter().copied());
        if !self.is_trace_new
            && let Some(decision) = self.leave_for_better_state(context, state, state_reward)
        {
            return decision;
        }
        match draw_action(&actions, &rewards, &mut rng) {
            Some((action, reward)) => {
                let tried = match self.statistics.tries(state, action.key) {
                    0 => "not tried here".to_string(),
                    tries => format!("tried {tries}× here"),
                };
                let reason = format!("{tried}, expected reward {reward:.2} of {state_reward:.2}");
                Decision::new(Move::Do(self.event_of(action, context, &mut rng)), reason)
            }
            None => Decision::new(
                Move::Do(self.random.draw_event(context)),
                "the screen offers no action",
            ),
        }
    }

    /// Returns to the least visited state if nothing new was met for long.
    fn escape_plateau(&self, context: &DecisionContext<'_>) -> Option<Decision> {
        let events = self.events_without_reward;
        let is_plateau = self.parts.has(AutoPart::Escape)
            && !self.is_trace_new
            && events > 0
            && events.is_multiple_of(PLATEAU_EVENTS);
        let state = if is_plateau { self.find_rarest_state(context)? } else { return None };
        let reason = format!("nothing new for {events} events: back to a rarely visited state");
        Some(Decision::new(Move::Return(state), reason))
    }

    /// Draws a random event if the app is not in front, and sometimes otherwise.
    fn choose_random_event(
        &self,
        context: &DecisionContext<'_>,
        rng: &mut DecisionRng,
    ) -> Option<Decision> {
        let is_outside_app =
            matches!(context.observation.outcome, Outcome::Exited | Outcome::Left { .. });
        let added_share = if self.parts.has(AutoPart::Escape) {
            self.events_without_reward as f64 / EVENTS_PER_RANDOM_SHARE
        } else {
            0.0
        };
        let share = (RANDOM_SHARE + added_share).min(MAX_RANDOM_SHARE);
        if !is_outside_app && !rng.chance(share) {
            return None;
        }
        let reason = if is_outside_app { "the app is not in front" } else { "at random" };
        Some(Decision::new(Move::Do(self.random.draw_event(context)), reason))
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
            ActionKind::Type(on, class) => {
                let field = field_family(on, &context.observation.screen.activity);
                let rewarded =
                    self.rewarded_texts.get(&field).filter(|_| self.parts.has(AutoPart::Text));
                let text = match rewarded {
                    Some(text) if TextClass::of(text) == *class && rng.chance(0.5) => text.clone(),
                    _ => self.draw_text(*class, on, &context.observation.screen.activity, rng),
                };
                Event::Text { on: on.clone(), text }
            }
        }
    }
}

impl Auto {
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
