//! Stoat's model: the transitions that were seen in each state, and the probabilities by which tests are drawn.

use crate::decision_rng::DecisionRng;
use crate::strategy::auto::EventSignature;
use retap_model::{Event, StateId};
use std::collections::BTreeMap;

/// A mutation changes each probability of a state by so much, up or down.
const STEP: f64 = 0.1;

/// A transition that was seen: an action in a state led to another state.
#[derive(Debug, Clone)]
pub struct MarkovTransition {
    pub action: EventSignature,
    pub event: Event,
    pub to: StateId,
    times: u64,
}

#[derive(Debug, Clone, Default)]
pub struct MarkovModel {
    pub states: BTreeMap<StateId, Vec<MarkovTransition>>,
}

/// The probability of each transition of each state, in the model's order.
pub type Probabilities = BTreeMap<StateId, Vec<f64>>;

impl MarkovModel {
    pub fn record(&mut self, from: StateId, action: EventSignature, event: &Event, to: StateId) {
        self.states.entry(to).or_default();
        let transitions = self.states.entry(from).or_default();
        match transitions.iter_mut().find(|known| known.action == action && known.to == to) {
            Some(known) => known.times += 1,
            None => {
                let event = event.clone();
                transitions.push(MarkovTransition { action, event, to, times: 1 });
            }
        }
    }

    pub fn transitions(&self, state: StateId) -> &[MarkovTransition] {
        self.states.get(&state).map(Vec::as_slice).unwrap_or_default()
    }

    pub fn count_transitions(&self) -> usize {
        self.states.values().map(Vec::len).sum()
    }

    /// Returns the probabilities by which the transitions were seen.
    pub fn seen_probabilities(&self) -> Probabilities {
        let of_state = |transitions: &Vec<MarkovTransition>| {
            normalized(transitions.iter().map(|known| known.times as f64).collect())
        };
        self.states.iter().map(|(state, known)| (*state, of_state(known))).collect()
    }
}

/// Mutates the probabilities of every second state, drawn by chance.
pub fn mutate(probabilities: &Probabilities, rng: &mut DecisionRng) -> Probabilities {
    let mut mutated = probabilities.clone();
    for of_state in mutated.values_mut() {
        if rng.chance(0.5) {
            let changed = of_state.iter().map(|probability| {
                let changed = probability + if rng.chance(0.5) { STEP } else { -STEP };
                if changed > 0.0 && changed < 1.0 { changed } else { *probability }
            });
            *of_state = normalized(changed.collect());
        }
    }
    mutated
}

fn normalized(weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::actions::action_of;
    use super::*;
    use retap_model::Key;

    #[test]
    fn probabilities_follow_what_was_seen_and_mutations_keep_their_sum() {
        let mut model = MarkovModel::default();
        for (key, to) in [("a", 2), ("a", 2), ("b", 3), ("c", 1)] {
            let event = Event::Key(Key::new(key).unwrap());
            model.record(StateId(1), action_of(&event, "Main"), &event, StateId(to));
        }
        let seen = model.seen_probabilities();
        assert_eq!(seen[&StateId(1)], [0.5, 0.25, 0.25]);
        assert!(seen[&StateId(3)].is_empty());
        let mut has_changed = false;
        for number in 0..20 {
            let mutated = mutate(&seen, &mut DecisionRng::new(1, number));
            assert!((mutated[&StateId(1)].iter().sum::<f64>() - 1.0).abs() < 1e-9);
            has_changed |= mutated != seen;
        }
        assert!(has_changed);
    }
}
