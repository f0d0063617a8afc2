//! The tries and rewards of events: per state, per signature and per family.

use super::actions::PossibleAction;
use super::event_key::{EventFamily, EventKey, EventSignature};
use super::experience::Experience;
use super::guide::{MapGuide, MapInputNumber};
use retap_model::StateId;
use std::collections::BTreeMap;

/// Each try of an event in this state, and in another state where it looks the same, multiplies its expected reward.
const TRIED_HERE: f64 = 0.3;
const TRIED_ELSEWHERE: f64 = 0.8;
/// More tries than these lower the expected reward no further.
const MAX_TRIES: u32 = 20;
/// Each try in a family multiplies the rewards of earlier ones by this.
const REWARD_DECAY: f64 = 0.7;
/// The weight of a fruitless try against the prior of a family.
const FRUITLESS_WEIGHT: f64 = 0.3;
/// A try with a lower reward than this is fruitless.
pub(super) const SUCCESS: f64 = 0.3;
/// The expected reward of a state is the sum over this many of its best events.
const BEST_EVENTS: usize = 3;
const MAX_STATES: usize = 20_000;
/// The largest number of signatures. Those of events that were tried once tell least and are forgotten first.
const MAX_SIGNATURES: usize = 200_000;

#[derive(Debug, Clone, Default)]
pub struct EventStatistics {
    states: BTreeMap<StateId, StateStatistics>,
    tries: BTreeMap<EventSignature, u32>,
    families: BTreeMap<EventFamily, FamilyStatistics>,
    /// The state whose expected reward was recomputed last, in the round over all states.
    last_refreshed: Option<StateId>,
    learns_from_families: bool,
    /// What an earlier run learnt.
    experience: Experience,
}

/// The events that a state offers, and how often each was tried there.
#[derive(Debug, Clone, Default)]
struct StateStatistics {
    offered: Vec<OfferedEvent>,
    tries: BTreeMap<EventSignature, u32>,
    /// The expected reward when it was last computed. It falls over time, so this is seldom too low.
    last_reward: f64,
}

#[derive(Debug, Clone)]
struct OfferedEvent {
    key: EventKey,
    prior: f32,
    inputs: Vec<MapInputNumber>,
}

#[derive(Debug, Clone, Copy, Default)]
struct FamilyStatistics {
    /// Fruitless tries. A success halves them, so that the rows of a long list are worth trying to the last as long
    /// as they lead on.
    fruitless: f64,
    /// The sum of rewards, in which older ones count less.
    reward: f64,
}

/// The number of events that a state offers, and of those never tried there.
#[derive(Debug, Clone, Copy, Default)]
pub struct ActionCounts {
    pub untried: usize,
    pub offered: usize,
}

impl EventStatistics {
    pub fn new(learns_from_families: bool) -> Self {
        Self { learns_from_families, ..Self::default() }
    }

    pub fn set_experience(&mut self, experience: Experience) {
        self.experience = experience;
    }

    /// Records the actions that a state offers at present.
    pub fn record_offers(
        &mut self,
        state: StateId,
        actions: Vec<PossibleAction>,
        guide: &MapGuide,
    ) {
        if self.states.len() >= MAX_STATES && !self.states.contains_key(&state) {
            self.forget_least_promising();
        }
        let offered = actions
            .into_iter()
            .map(|PossibleAction { key, prior, inputs, .. }| OfferedEvent {
                key,
                prior: prior as f32,
                inputs,
            })
            .collect();
        self.states.entry(state).or_default().offered = offered;
        self.refresh(state, guide);
    }

    /// Records the reward of an event in a state.
    pub fn record_try(&mut self, state: StateId, key: EventKey, reward: f64, guide: &MapGuide) {
        if let Some(statistics) = self.states.get_mut(&state) {
            *statistics.tries.entry(key.signature).or_default() += 1;
        }
        *self.tries.entry(key.signature).or_default() += 1;
        if self.tries.len() > MAX_SIGNATURES {
            self.tries.retain(|_, tries| *tries > 1);
            // Halving lets the remaining ones fall out in their turn.
            self.tries.values_mut().for_each(|tries| *tries /= 2);
        }
        let family = self.families.entry(key.family).or_default();
        family.fruitless =
            if reward < SUCCESS { family.fruitless + 1.0 } else { family.fruitless / 2.0 };
        family.reward = REWARD_DECAY * family.reward + reward;
        self.refresh(state, guide);
        self.refresh_next(guide);
    }

    /// Gives the events before a reward, the newest first, a share of it: half for the last one, then half as much.
    pub fn share<'k>(&mut self, reward: f64, before: impl Iterator<Item = &'k EventKey>) {
        let mut share = reward;
        for key in before {
            share /= 2.0;
            let family = self.families.entry(key.family).or_default();
            family.reward += share;
            family.fruitless = (family.fruitless - 1.0).max(0.0);
        }
    }

    /// Returns the expected reward of an event in a state.
    pub fn expected_reward(&self, state: StateId, key: EventKey, prior: f64) -> f64 {
        let no_tries = BTreeMap::new();
        let tries = self.states.get(&state).map_or(&no_tries, |statistics| &statistics.tries);
        self.expected_reward_after(tries, key, prior)
    }

    fn expected_reward_after(
        &self,
        tries_here: &BTreeMap<EventSignature, u32>,
        key: EventKey,
        prior: f64,
    ) -> f64 {
        let here = tries_here.get(&key.signature).copied().unwrap_or(0);
        let everywhere = self.tries.get(&key.signature).copied().unwrap_or(0);
        let elsewhere = everywhere.saturating_sub(here).min(MAX_TRIES);
        let family = self.families.get(&key.family).filter(|_| self.learns_from_families);
        let family = family.copied().unwrap_or_default();
        let prior = self.experience.prior(key.family, prior);
        let expected = (prior + 2.0 * family.reward) / (1.0 + FRUITLESS_WEIGHT * family.fruitless);
        expected
            * TRIED_HERE.powi(here.min(MAX_TRIES) as i32)
            * TRIED_ELSEWHERE.powi(elsewhere as i32)
    }

    /// Returns the inputs of the code map that an event of a state may be.
    pub fn inputs_of(&self, state: StateId, key: EventKey) -> &[MapInputNumber] {
        let offered = self.states.get(&state).map(|it| it.offered.as_slice()).unwrap_or_default();
        let event = offered.iter().find(|it| it.key.signature == key.signature);
        event.map(|it| it.inputs.as_slice()).unwrap_or_default()
    }

    /// Returns how often an event was tried in a state.
    pub fn tries(&self, state: StateId, key: EventKey) -> u32 {
        let statistics = self.states.get(&state);
        statistics.and_then(|s| s.tries.get(&key.signature)).copied().unwrap_or(0)
    }

    /// Returns the expected reward of a state when it was last computed.
    pub fn last_state_reward(&self, state: StateId) -> f64 {
        self.states.get(&state).map_or(0.0, |statistics| statistics.last_reward)
    }

    /// Computes the expected reward of a state.
    pub fn compute_state_reward(&self, state: StateId, guide: &MapGuide) -> f64 {
        let Some(statistics) = self.states.get(&state) else { return 0.0 };
        sum_of_best(statistics.offered.iter().map(|event| {
            let prior = f64::from(event.prior) + guide.bonus(&event.inputs);
            self.expected_reward_after(&statistics.tries, event.key, prior)
        }))
    }

    pub fn count_actions(&self, state: StateId) -> ActionCounts {
        let Some(StateStatistics { offered, tries, .. }) = self.states.get(&state) else {
            return ActionCounts::default();
        };
        let untried = offered.iter().filter(|event| !tries.contains_key(&event.key.signature));
        ActionCounts { untried: untried.count(), offered: offered.len() }
    }

    fn refresh(&mut self, state: StateId, guide: &MapGuide) {
        let reward = self.compute_state_reward(state, guide);
        if let Some(statistics) = self.states.get_mut(&state) {
            statistics.last_reward = reward;
        }
    }

    /// Refreshes one state after another, because each reward of a family changes the value of many states.
    fn refresh_next(&mut self, guide: &MapGuide) {
        use std::ops::Bound::{Excluded, Unbounded};
        let after = self.last_refreshed.map_or(Unbounded, Excluded);
        let next = self.states.range((after, Unbounded)).next().map(|(state, _)| *state);
        self.last_refreshed = next;
        if let Some(state) = next {
            self.refresh(state, guide);
        }
    }

    /// Drops the tenth of the states with the lowest expected reward.
    fn forget_least_promising(&mut self) {
        let mut rewards: Vec<(f64, StateId)> =
            self.states.iter().map(|(state, s)| (s.last_reward, *state)).collect();
        rewards.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, state) in rewards.iter().take(MAX_STATES / 10) {
            self.states.remove(state);
        }
    }
}

/// Returns the sum of the highest few rewards.
pub fn sum_of_best(rewards: impl Iterator<Item = f64>) -> f64 {
    let mut best = [0.0; BEST_EVENTS];
    for reward in rewards {
        let mut next = reward;
        for held in &mut best {
            if next > *held {
                std::mem::swap(held, &mut next);
            }
        }
    }
    best.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::super::event_key::key_of_event;
    use super::*;
    use retap_model::{Event, Selector, Target};

    /// Returns the key of a row of a list: all rows are one family, and each has its own signature.
    fn key_of_row(number: usize) -> EventKey {
        let on = Selector { id: "row".into(), text: number.to_string(), ..Selector::default() };
        key_of_event(&Event::Tap(Target { on: Some(on), at: None }), "List", 0)
    }

    #[test]
    fn rows_of_a_list_are_worth_trying_as_long_as_they_lead_on_and_no_longer() {
        let state = StateId(1);
        let mut statistics = EventStatistics::new(true);
        let guide = MapGuide::default();
        for number in 0..200 {
            let reward = if number % 2 == 0 { 0.7 } else { 0.0 };
            statistics.record_try(state, key_of_row(number), reward, &guide);
        }
        assert!(statistics.expected_reward(state, key_of_row(200), 1.0) > 1.0);
        for number in 200..240 {
            statistics.record_try(state, key_of_row(number), 0.0, &guide);
        }
        assert!(statistics.expected_reward(state, key_of_row(240), 1.0) < 0.1);
    }
}
