//! ProbDD (Wang et al., Probabilistic Delta Debugging, FSE 2021): believes of every event how
//! likely it is needed, leaves out the set with the greatest expected gain, learns from failures.
//! Departure: events equally likely are taken from the end of the sequence, not by chance; a
//! 1-minimality pass closes it.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::forecast::Forecast;
use crate::minimize::Options;
use crate::oracle::{Goal, Stop};
use crate::singles;
use std::collections::BTreeMap;

/// From here on an event counts as needed.
const CERTAIN: f64 = 1.0 - 1e-6;

pub(crate) fn reduce(examiner: &mut Examiner<'_>, options: &Options) -> Result<(), Stop> {
    singles::try_empty(examiner)?;
    let mut current = examiner.best().clone();
    let belief = |position: &u32| {
        let known = options.beliefs.get(*position as usize);
        (*position, known.copied().unwrap_or(options.density))
    };
    let mut beliefs: BTreeMap<u32, f64> = current.positions().iter().map(belief).collect();
    loop {
        let removed = greatest_expected_gain(&current, &beliefs);
        if removed.is_empty() {
            break;
        }
        let candidate = minus(&current, &removed);
        match examiner.get_passing(Goal::Interesting, &[candidate])? {
            Some(passing) => current = passing.candidate,
            None => learn(&mut beliefs, &removed),
        }
    }
    singles::reduce(examiner, Forecast::new(None))
}

/// The s least likely needed events, s chosen to make s · Π(1 − p) greatest; none when all that is
/// left is needed.
fn greatest_expected_gain(current: &Candidate, beliefs: &BTreeMap<u32, f64>) -> Vec<u32> {
    let mut order: Vec<(f64, u32)> = current
        .positions()
        .iter()
        .map(|position| (beliefs[position], *position))
        .filter(|(belief, _)| *belief < CERTAIN)
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let (mut size, mut greatest, mut unneeded) = (0, 0.0, 1.0);
    for (index, (belief, _)) in order.iter().enumerate() {
        unneeded *= 1.0 - belief;
        let gain = (index + 1) as f64 * unneeded;
        if gain > greatest {
            (size, greatest) = (index + 1, gain);
        }
    }
    order[..size].iter().map(|&(_, position)| position).collect()
}

/// At least one of the set is needed: Bayes' rule for each.
fn learn(beliefs: &mut BTreeMap<u32, f64>, removed: &[u32]) {
    let none_needed: f64 = removed.iter().map(|position| 1.0 - beliefs[position]).product();
    for position in removed {
        if let Some(belief) = beliefs.get_mut(position) {
            *belief = if removed.len() == 1 { 1.0 } else { *belief / (1.0 - none_needed) };
        }
    }
}

fn minus(current: &Candidate, removed: &[u32]) -> Candidate {
    current.positions().iter().copied().filter(|position| !removed.contains(position)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_raises_what_is_believed_of_the_set_that_was_left_out() {
        let mut beliefs: BTreeMap<u32, f64> = (0..4).map(|position| (position, 0.1)).collect();
        learn(&mut beliefs, &[2, 3]);
        assert!((beliefs[&2] - 0.1 / (1.0 - 0.81)).abs() < 1e-12);
        assert_eq!(beliefs[&0], 0.1);
        learn(&mut beliefs, &[2]);
        assert_eq!(beliefs[&2], 1.0);
    }

    #[test]
    fn what_is_likely_needed_is_left_out_last() {
        let beliefs = BTreeMap::from([(0, 0.01), (1, 0.9), (2, 0.01), (3, 0.9)]);
        let removed = greatest_expected_gain(&Candidate::whole(4), &beliefs);
        assert_eq!(removed, [2, 0]);
    }

    #[test]
    fn the_first_set_has_the_size_of_greatest_expected_gain() {
        let beliefs: BTreeMap<u32, f64> = (0..100).map(|position| (position, 0.1)).collect();
        // s · 0.9^s is greatest at 9 (and equal at 10: the smaller is taken).
        let removed = greatest_expected_gain(&Candidate::whole(100), &beliefs);
        assert!((9..=10).contains(&removed.len()));
        assert_eq!(removed[0], 99);
    }
}
