//! A test suite that is drawn from Stoat's model, and the two parts of its objective that need no run: the transitions
//! it covers and how different its tests are.

use super::markov_model::{MarkovModel, Probabilities};
use crate::decision_rng::DecisionRng;
use crate::strategy::auto::EventSignature;
use crate::strategy::random::draw_system_event;
use retap_model::{App, Event, StateId};
use std::collections::{BTreeMap, BTreeSet};

const MAX_TESTS: usize = 30;
const MAX_TEST_LENGTH: usize = 20;
/// A suite takes each transition of a state so often before it takes one of them again.
const MAX_CHOICES: u32 = 3;

#[derive(Debug, Clone, Default)]
pub struct TestSuite {
    pub tests: Vec<Vec<Event>>,
    actions: Vec<Vec<EventSignature>>,
    covered: BTreeSet<(StateId, usize)>,
}

impl TestSuite {
    /// Draws tests from the model until they visit all its states, or there are enough.
    pub fn draw(
        model: &MarkovModel,
        probabilities: &Probabilities,
        entry: StateId,
        app: &App,
        rng: &mut DecisionRng,
    ) -> Self {
        let mut suite = Self::default();
        let mut choices: BTreeMap<(StateId, usize), u32> = BTreeMap::new();
        let mut visited = BTreeSet::new();
        while visited.len() < model.states.len() && suite.tests.len() < MAX_TESTS {
            let (mut state, mut events, mut actions) = (entry, Vec::new(), Vec::new());
            visited.insert(state);
            while events.len() < MAX_TEST_LENGTH {
                let Some(of_state) = probabilities.get(&state) else { break };
                let Some(index) = draw_transition(state, of_state, &mut choices, rng) else {
                    break;
                };
                let Some(transition) = model.transitions(state).get(index) else { break };
                suite.covered.insert((state, index));
                events.push(transition.event.clone());
                actions.push(transition.action);
                state = transition.to;
                visited.insert(state);
            }
            if events.is_empty() {
                break;
            }
            // A system event at a random place of every second test.
            if rng.chance(0.5) {
                let place = rng.below(events.len());
                events.insert(place, Event::System(draw_system_event(app, rng)));
            }
            suite.tests.push(events);
            suite.actions.push(actions);
        }
        suite
    }

    /// Returns the part of the model's transitions that the tests take.
    pub fn transition_coverage(&self, model: &MarkovModel) -> f64 {
        self.covered.len() as f64 / model.count_transitions().max(1) as f64
    }

    /// Returns how far the tests lie from their centre, as vectors over the model's actions.
    pub fn diversity(&self, model: &MarkovModel) -> f64 {
        let actions: BTreeSet<EventSignature> =
            model.states.values().flatten().map(|transition| transition.action).collect();
        let vectors: Vec<Vec<f64>> =
            self.actions.iter().map(|test| vector_of(test, &actions)).collect();
        let tests = vectors.len().max(1) as f64;
        let mut centre = vec![0.0; actions.len()];
        for vector in &vectors {
            centre.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value / tests);
        }
        let distance = |vector: &Vec<f64>| {
            let squares = centre.iter().zip(vector).map(|(a, b)| (a - b).powi(2));
            squares.sum::<f64>().sqrt()
        };
        let mean = vectors.iter().map(distance).sum::<f64>() / tests;
        (mean / actions.len().max(1) as f64).sqrt()
    }
}

/// Draws a transition by probability, among those that were chosen less often than the bound.
fn draw_transition(
    state: StateId,
    probabilities: &[f64],
    choices: &mut BTreeMap<(StateId, usize), u32>,
    rng: &mut DecisionRng,
) -> Option<usize> {
    let chosen = |choices: &BTreeMap<_, u32>, index| choices.get(&(state, index)).copied();
    let is_open = |choices: &BTreeMap<_, u32>, index: &usize| {
        chosen(choices, *index).unwrap_or(0) < MAX_CHOICES
    };
    let mut open: Vec<usize> =
        (0..probabilities.len()).filter(|index| is_open(choices, index)).collect();
    if open.is_empty() {
        open = (0..probabilities.len()).collect();
        choices.retain(|(chosen_in, _), _| *chosen_in != state);
    }
    let total: f64 = open.iter().map(|index| probabilities[*index]).sum();
    let mut draw = rng.fraction() * total;
    let index = open.iter().copied().find(|index| {
        draw -= probabilities[*index];
        draw <= 0.0
    });
    let index = index.or(open.last().copied())?;
    *choices.entry((state, index)).or_default() += 1;
    Some(index)
}

/// Returns the vector of a test: each event adds one to all actions but itself, and a turn shortens the vector.
fn vector_of(test: &[EventSignature], actions: &BTreeSet<EventSignature>) -> Vec<f64> {
    let of_event = |event: EventSignature| {
        actions.iter().map(move |action| if *action == event { 0.0 } else { 1.0 })
    };
    let mut events = test.iter();
    let mut vector: Vec<f64> =
        events.next().into_iter().flat_map(|event| of_event(*event)).collect();
    for event in events {
        let sum: Vec<f64> = vector.iter().zip(of_event(*event)).map(|(a, b)| a + b).collect();
        let cosine = cosine(&sum, &vector);
        vector = sum.into_iter().map(|value| value * cosine).collect();
    }
    vector
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::super::actions::action_of;
    use super::*;
    use retap_model::Key;

    fn actions(keys: &[&str]) -> Vec<EventSignature> {
        let action = |key: &&str| action_of(&Event::Key(Key::new(key).unwrap()), "Main");
        keys.iter().map(action).collect()
    }

    #[test]
    fn tests_that_differ_are_more_diverse_than_tests_that_repeat() {
        let mut model = MarkovModel::default();
        for key in ["a", "b", "c"] {
            let event = Event::Key(Key::new(key).unwrap());
            model.record(StateId(1), action_of(&event, "Main"), &event, StateId(1));
        }
        let suite = |tests: &[&[&str]]| TestSuite {
            actions: tests.iter().map(|test| actions(test)).collect(),
            ..TestSuite::default()
        };
        let alike = suite(&[&["a", "b"], &["a", "b"]]).diversity(&model);
        let different = suite(&[&["a", "a"], &["b", "c"]]).diversity(&model);
        assert!(alike < 1e-9 && different > 0.1, "{alike} {different}");
    }

    #[test]
    fn no_transition_is_taken_a_fourth_time_while_another_was_not_taken_three_times() {
        let (mut choices, mut rng) = (BTreeMap::new(), DecisionRng::new(1, 1));
        let mut counts = [0; 3];
        for _ in 0..9 {
            let index =
                draw_transition(StateId(1), &[0.9, 0.05, 0.05], &mut choices, &mut rng).unwrap();
            counts[index] += 1;
        }
        assert_eq!(counts, [3, 3, 3]);
    }
}
