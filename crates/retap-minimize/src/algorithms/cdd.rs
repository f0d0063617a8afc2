//! CDD (Zhang et al., Toward a Better Understanding of Probabilistic Delta Debugging, 2024): ProbDD
//! with a counter of rounds in place of its probabilities.
//!
//! In round r every set of s_r = ⌊−1/ln(1−p0) · (1−1/e)^r⌋ neighbours is left out once. Departure: a
//! 1-minimality pass follows.

use super::one_minimality;
use crate::search::{CandidateGoal, Examiner, Forecast, SearchStop};
use std::f64::consts::E;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    initial_probability: f64,
) -> Result<(), SearchStop> {
    one_minimality::try_empty(examiner)?;
    for round in 0.. {
        let size = set_size(round, initial_probability);
        leave_out_sets(examiner, size)?;
        if size == 1 {
            break;
        }
    }
    one_minimality::remove_single_events(examiner, Forecast::without_states())
}

/// Returns s_r, but at least 1.
fn set_size(round: u32, initial_probability: f64) -> usize {
    let first = -1.0 / (1.0 - initial_probability).ln();
    let size = first * (1.0 - 1.0 / E).powi(round.min(1000) as i32);
    (size as usize).max(1)
}

/// Leaves out each set of neighbours once, from the end to the beginning, to reach the last events of
/// the trace early.
fn leave_out_sets(examiner: &mut Examiner<'_>, size: usize) -> Result<(), SearchStop> {
    let mut current = examiner.best().clone();
    let mut end = current.len();
    while end > 0 {
        let start = end.saturating_sub(size);
        let candidate = current.without(start..end);
        if let Some(passing) = examiner.get_passing(CandidateGoal::Interesting, &[candidate])? {
            current = passing.candidate;
        }
        end = start.min(current.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_shrink_by_the_papers_factor() {
        let sizes: Vec<usize> = (0..6).map(|round| set_size(round, 0.1)).collect();
        assert_eq!(sizes, [9, 5, 3, 2, 1, 1]);
    }
}
