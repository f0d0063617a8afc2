//! The tries and rewards of events: per family, per signature and per state.

use super::actions::PossibleAction;
use super::event_key::{EventFamily, EventKey, EventSignature};
use super::experience::Experience;
use super::guide::{MapGuide, MapInputNumber};
use super::reward_record::RewardRecord;
use retap_model::StateId;
use std::collections::{BTreeMap, BTreeSet};

/// Each try of an event in a state multiplies its expected reward there by this. More tries than these lower it no further.
const TRIED_HERE: f64 = 0.2;
const MAX_TRIES: u32 = 20;
const MAX_STATES: usize = 20_000;
/// The largest number of signatures. Those of events that were tried once tell least and are forgotten first.
const MAX_SIGNATURES: usize = 200_000;
/// The largest number of events that a state remembers to have been tried: forms make ever new ones of one button.
const MAX_TRIED: usize = 256;

#[derive(Debug, Clone, Default)]
pub struct EventStatistics {
    states: BTreeMap<StateId, StateStatistics>,
    signatures: BTreeMap<EventSignature, RewardRecord>,
    families: BTreeMap<EventFamily, RewardRecord>,
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
    /// The expected reward of the best event when it was last computed. It falls over time, so this is seldom too low.
    last_reward: f64,
}

impl StateStatistics {
    /// Forgets the tries of events that the state does not offer as such, if there are too many.
    fn forget_tries(&mut self) {
        if self.tries.len() > MAX_TRIED {
            let offered: BTreeSet<_> = self.offered.iter().map(|it| it.key.signature).collect();
            self.tries.retain(|signature, _| offered.contains(signature));
        }
    }
}

#[derive(Debug, Clone)]
struct OfferedEvent {
    key: EventKey,
    prior: f32,
    inputs: Vec<MapInputNumber>,
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

    /// Counts a try of an event in a state. A text is not counted: the next one is another text.
    pub fn count_try(&mut self, state: StateId, key: EventKey) {
        if let Some(statistics) = self.states.get_mut(&state) {
            *statistics.tries.entry(key.signature).or_default() += 1;
            statistics.forget_tries();
        }
    }

    /// Records the reward of an event in a state.
    pub fn record_reward(&mut self, state: StateId, key: EventKey, reward: f64, guide: &MapGuide) {
        self.signatures.entry(key.signature).or_default().add(reward);
        if self.signatures.len() > MAX_SIGNATURES {
            self.signatures.retain(|_, record| !record.is_single());
            // Halving lets the remaining ones fall out in their turn.
            self.signatures.values_mut().for_each(RewardRecord::halve);
        }
        self.families.entry(key.family).or_default().add(reward);
        self.refresh(state, guide);
        self.refresh_next(guide);
    }

    /// Notes that an event is worth no other try in a state, and hardly one where it looks the same.
    pub fn give_up(&mut self, state: StateId, key: EventKey) {
        self.signatures.entry(key.signature).or_default().give_up();
        if let Some(statistics) = self.states.get_mut(&state) {
            statistics.tries.insert(key.signature, MAX_TRIES);
        }
    }

    /// Gives the events before a reward, the newest first, a share of it: half for the last one, then half as much.
    pub fn share<'k>(&mut self, reward: f64, before: impl Iterator<Item = &'k EventKey>) {
        let mut share = reward;
        for key in before {
            share /= 2.0;
            self.families.entry(key.family).or_default().share(share);
        }
    }

    /// Returns the expected reward of an event in a state. Its family tells what to expect of an event of this look, and the
    /// look what to expect here: what was tried elsewhere is a belief, what was tried here is known.
    pub fn expected_reward(&self, state: StateId, key: EventKey, prior: f64) -> f64 {
        self.expected_reward_in(self.states.get(&state), key, prior)
    }

    fn expected_reward_in(
        &self,
        state: Option<&StateStatistics>,
        key: EventKey,
        prior: f64,
    ) -> f64 {
        let signature = self.signatures.get(&key.signature).copied().unwrap_or_default();
        let mut expected = self.experience.prior(key.family, prior);
        if self.learns_from_families
            && let Some(family) = self.families.get(&key.family)
        {
            expected = family.without(signature).expected_reward(expected);
        }
        let here = state.and_then(|it| it.tries.get(&key.signature)).copied().unwrap_or(0);
        signature.expected_reward(expected) * TRIED_HERE.powi(here.min(MAX_TRIES) as i32)
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

    /// Returns the expected reward of the best event of a state when it was last computed.
    pub fn last_reward(&self, state: StateId) -> f64 {
        self.states.get(&state).map_or(0.0, |statistics| statistics.last_reward)
    }

    /// Computes the expected reward of the best event of a state.
    pub fn compute_best_reward(&self, state: StateId, guide: &MapGuide) -> f64 {
        let Some(statistics) = self.states.get(&state) else { return 0.0 };
        let rewards = statistics.offered.iter().map(|event| {
            let prior = f64::from(event.prior) + guide.bonus(&event.inputs);
            self.expected_reward_in(Some(statistics), event.key, prior)
        });
        rewards.fold(0.0, f64::max)
    }

    pub fn count_actions(&self, state: StateId) -> ActionCounts {
        let Some(StateStatistics { offered, tries, .. }) = self.states.get(&state) else {
            return ActionCounts::default();
        };
        let untried = offered.iter().filter(|event| !tries.contains_key(&event.key.signature));
        ActionCounts { untried: untried.count(), offered: offered.len() }
    }

    fn refresh(&mut self, state: StateId, guide: &MapGuide) {
        let reward = self.compute_best_reward(state, guide);
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

    fn try_once(statistics: &mut EventStatistics, state: StateId, row: usize, reward: f64) {
        let key = key_of_row(row);
        statistics.count_try(state, key);
        statistics.record_reward(state, key, reward, &MapGuide::default());
    }

    #[test]
    fn rows_of_a_list_are_worth_trying_as_long_as_they_lead_on_and_no_longer() {
        let state = StateId(1);
        let mut statistics = EventStatistics::new(true);
        for number in 0..200 {
            let reward = if number % 2 == 0 { 0.7 } else { 0.0 };
            try_once(&mut statistics, state, number, reward);
        }
        assert!(statistics.expected_reward(state, key_of_row(200), 1.0) > 0.3);
        for number in 200..240 {
            try_once(&mut statistics, state, number, 0.0);
        }
        // A belief never fades altogether: where nothing else is left, the other rows are tried as well.
        let left = statistics.expected_reward(state, key_of_row(240), 1.0);
        assert!(left > 0.05 && left < 0.25, "{left}");
    }

    #[test]
    fn what_gave_nothing_elsewhere_is_worth_more_than_what_gave_nothing_here() {
        let guide = MapGuide::default();
        let mut statistics = EventStatistics::new(true);
        for state in 1..=6 {
            statistics.record_offers(StateId(state), Vec::new(), &guide);
            try_once(&mut statistics, StateId(state), 0, 0.0);
        }
        let reward = |state| statistics.expected_reward(StateId(state), key_of_row(0), 1.0);
        assert!(reward(7) > 3.0 * reward(6), "{} and {}", reward(7), reward(6));
    }

    #[test]
    fn a_state_forgets_the_buttons_of_forms_that_it_no_longer_shows() {
        let guide = MapGuide::default();
        let mut statistics = EventStatistics::new(true);
        statistics.record_offers(StateId(1), Vec::new(), &guide);
        for row in 0..=2 * MAX_TRIED {
            try_once(&mut statistics, StateId(1), row, 0.0);
        }
        assert!(statistics.states[&StateId(1)].tries.len() <= MAX_TRIED);
    }
}
