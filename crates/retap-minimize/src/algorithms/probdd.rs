//! ProbDD (Wang et al., Probabilistic Delta Debugging, FSE 2021): estimates for every event how likely it
//! is needed, leaves out the set with the greatest expected gain, and learns from failures.
//!
//! Departures: events of equal probability are taken from the end of the sequence, not by chance, and a
//! 1-minimality pass follows.

use super::one_minimality;
use crate::problem::MinimizeOptions;
use crate::search::{Candidate, CandidateGoal, Examiner, Forecast, SearchStop};
use std::collections::BTreeMap;

/// The probability, by position, that an event is needed.
type Probabilities = BTreeMap<u32, f64>;

/// From this probability on, an event counts as needed.
const CERTAIN: f64 = 1.0 - 1e-6;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    options: &MinimizeOptions,
) -> Result<(), SearchStop> {
    one_minimality::try_empty(examiner)?;
    let mut current = examiner.best().clone();
    let mut probabilities = initial_probabilities(&current, options);
    loop {
        let removed = set_of_greatest_gain(&current, &probabilities);
        if removed.is_empty() {
            break;
        }
        let candidate = leave_out(&current, &removed);
        match examiner.get_passing(CandidateGoal::Interesting, &[candidate])? {
            Some(passing) => current = passing.candidate,
            None => learn_from_failure(&mut probabilities, &removed),
        }
    }
    one_minimality::remove_single_events(examiner, Forecast::without_states())
}

fn initial_probabilities(current: &Candidate, options: &MinimizeOptions) -> Probabilities {
    let probability = |position: u32| {
        let known = options.event_probabilities.get(position as usize);
        known.copied().unwrap_or(options.initial_probability)
    };
    current.positions().iter().map(|&position| (position, probability(position))).collect()
}

/// Returns the s events least likely needed, with s chosen to make s · Π(1 − p) greatest. Returns none
/// if all remaining events are needed.
fn set_of_greatest_gain(current: &Candidate, probabilities: &Probabilities) -> Vec<u32> {
    let mut order: Vec<(f64, u32)> = current
        .positions()
        .iter()
        .map(|position| (probabilities[position], *position))
        .filter(|(probability, _)| *probability < CERTAIN)
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let (mut size, mut greatest_gain, mut none_needed) = (0, 0.0, 1.0);
    for (index, (probability, _)) in order.iter().enumerate() {
        none_needed *= 1.0 - probability;
        let gain = (index + 1) as f64 * none_needed;
        if gain > greatest_gain {
            (size, greatest_gain) = (index + 1, gain);
        }
    }
    order[..size].iter().map(|&(_, position)| position).collect()
}

/// Applies Bayes' rule to each event of the set, of which at least one is needed.
fn learn_from_failure(probabilities: &mut Probabilities, removed: &[u32]) {
    let none_needed: f64 = removed.iter().map(|position| 1.0 - probabilities[position]).product();
    for position in removed {
        if let Some(probability) = probabilities.get_mut(position) {
            *probability =
                if removed.len() == 1 { 1.0 } else { *probability / (1.0 - none_needed) };
        }
    }
}

fn leave_out(current: &Candidate, removed: &[u32]) -> Candidate {
    current.positions().iter().copied().filter(|position| !removed.contains(position)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_raises_the_probabilities_of_the_set_that_was_left_out() {
        let mut probabilities: Probabilities = (0..4).map(|position| (position, 0.1)).collect();
        learn_from_failure(&mut probabilities, &[2, 3]);
        assert!((probabilities[&2] - 0.1 / (1.0 - 0.81)).abs() < 1e-12);
        assert_eq!(probabilities[&0], 0.1);
        learn_from_failure(&mut probabilities, &[2]);
        assert_eq!(probabilities[&2], 1.0);
    }

    #[test]
    fn events_that_are_likely_needed_are_left_out_last() {
        let probabilities = BTreeMap::from([(0, 0.01), (1, 0.9), (2, 0.01), (3, 0.9)]);
        let removed = set_of_greatest_gain(&Candidate::whole(4), &probabilities);
        assert_eq!(removed, [2, 0]);
    }

    #[test]
    fn the_first_set_has_the_size_of_greatest_expected_gain() {
        let probabilities: Probabilities = (0..100).map(|position| (position, 0.1)).collect();
        // s · 0.9^s is greatest at 9 (and equal at 10: the smaller is taken).
        let removed = set_of_greatest_gain(&Candidate::whole(100), &probabilities);
        assert!((9..=10).contains(&removed.len()));
        assert_eq!(removed[0], 99);
    }
}
