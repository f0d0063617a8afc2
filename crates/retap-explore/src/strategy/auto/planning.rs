//! Decides where to be: in the current state, in one a few known events away, or back in an earlier one.

use super::{Auto, AutoPart};
use crate::strategy::{Decision, DecisionContext, Move};
use retap_model::StateId;

/// Each event on the way to a state multiplies its expected reward by this.
const DISCOUNT: f64 = 0.93;
/// Another state must have an expected reward higher than the current one by this factor.
const LEAVE_FACTOR: f64 = 1.3;
/// A clean launch takes time though no event. It costs as much as this many events.
const LAUNCH_COST: usize = 6;
/// A snapshot spares the events of a path, but they are still written. This many written events cost as much as one
/// performed event.
const WRITTEN_EVENTS_PER_EVENT: usize = 8;
/// The values of this many promising states are recomputed, because their events may have been tried since.
const MAX_RECOMPUTED: usize = 12;

/// Another state to be in, and the reason for it.
pub(super) struct BetterState {
    pub state: StateId,
    /// The expected reward, discounted by the cost.
    reward: f64,
    pub reason: String,
}

/// A state, its discounted expected reward and the cost of getting there.
#[derive(Clone, Copy)]
struct RatedState {
    state: StateId,
    reward: f64,
    cost: usize,
}

impl Auto {
    /// Returns the move to a better state than the current one, if there is one.
    pub(super) fn leave_for_better_state(
        &self,
        context: &DecisionContext<'_>,
        current: StateId,
        current_reward: f64,
    ) -> Option<Decision> {
        let reward_to_beat = current_reward * LEAVE_FACTOR;
        let walk = self.find_best_walk(context, current, reward_to_beat);
        let reward_to_beat = walk.as_ref().map_or(reward_to_beat, |walk| walk.reward);
        if let Some(back) = self.find_best_return(context, reward_to_beat) {
            let reason = self.describe_current_state(context, current, back.reason);
            return Some(Decision::new(Move::Return(back.state), reason));
        }
        let walk = walk?;
        let path = context.graph.find_shortest_path(current, walk.state, usize::MAX)?;
        let first = path.into_iter().next()?;
        let reason = self.describe_current_state(context, current, walk.reason);
        Some(Decision::new(Move::Do(first.event), reason))
    }

    fn find_best_walk(
        &self,
        context: &DecisionContext<'_>,
        current: StateId,
        reward_to_beat: f64,
    ) -> Option<BetterState> {
        // Where a return costs no events, a walk is always dearer.
        if context.has_snapshots || !self.parts.has(AutoPart::Walk) {
            return None;
        }
        let near = context.graph.distances_from(current, usize::MAX);
        let RatedState { state, reward, cost } =
            self.find_best(near.into_iter(), reward_to_beat)?;
        let reason = format!("walking to {state}, {cost} events away, expected reward {reward:.2}");
        Some(BetterState { state, reward, reason })
    }

    pub(super) fn find_best_return(
        &self,
        context: &DecisionContext<'_>,
        reward_to_beat: f64,
    ) -> Option<BetterState> {
        if !self.parts.has(AutoPart::Return) {
            return None;
        }
        let others = context.graph.nodes().filter(|(state, _)| {
            Some(*state) != context.graph.current_state() || context.is_trace_over
        });
        let candidates = others.filter_map(|(state, node)| {
            let length = node.is_destination().then(|| context.graph.path_length(state))??;
            // A return to a state that is too far away becomes a restart. The state would be chosen again and again
            // and keep the run at its beginning.
            if length >= context.path_limit {
                return None;
            }
            let cost = if node.has_snapshot && context.has_snapshots {
                1 + length / WRITTEN_EVENTS_PER_EVENT
            } else {
                length + LAUNCH_COST
            };
            Some((state, cost))
        });
        let RatedState { state, reward, cost } = self.find_best(candidates, reward_to_beat)?;
        let reason = format!("expected reward {reward:.2} at a cost of {cost}");
        Some(BetterState { state, reward, reason })
    }

    /// Returns the candidate with the highest discounted reward above `reward_to_beat`. A candidate is a state and
    /// the cost of getting there.
    fn find_best(
        &self,
        candidates: impl Iterator<Item = (StateId, usize)>,
        reward_to_beat: f64,
    ) -> Option<RatedState> {
        let discount = |reward: f64, cost: usize| reward * DISCOUNT.powi(cost as i32);
        let mut promising: Vec<RatedState> = candidates
            .map(|(state, cost)| {
                let reward = discount(self.statistics.last_reward(state), cost);
                RatedState { state, reward, cost }
            })
            .filter(|rated| rated.reward > reward_to_beat)
            .collect();
        promising.sort_by(|a, b| b.reward.total_cmp(&a.reward).then(a.state.cmp(&b.state)));
        promising
            .into_iter()
            .take(MAX_RECOMPUTED)
            .map(|rated| {
                let reward = self.statistics.compute_best_reward(rated.state, &self.guide);
                RatedState { reward: discount(reward, rated.cost), ..rated }
            })
            .filter(|rated| rated.reward > reward_to_beat)
            .reduce(|best, next| if next.reward > best.reward { next } else { best })
    }

    /// Puts what is wrong with the current state before the reason to leave it.
    fn describe_current_state(
        &self,
        context: &DecisionContext<'_>,
        current: StateId,
        reason: String,
    ) -> String {
        let counts = self.statistics.count_actions(current);
        if counts.untried > 0 {
            return reason;
        }
        let offered = counts.offered;
        let node = context.graph.node(current);
        let is_dead_end = node.is_some_and(|node| node.next_states().all(|to| to == current));
        let mut widgets = context.observation.screen.actionable();
        let asks_for_password = widgets.any(|w| super::text_class::is_password(w.widget().flags));
        match is_dead_end {
            true if asks_for_password => {
                format!("a login wall, {offered} events tried; {reason}")
            }
            true => format!("a dead end, {offered} events tried; {reason}"),
            false => format!("all {offered} events were tried here; {reason}"),
        }
    }
}
