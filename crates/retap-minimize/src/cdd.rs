//! CDD (Zhang et al., Toward a Better Understanding of Probabilistic Delta Debugging, 2024): ProbDD
//! with its probabilities replaced by a counter of rounds. In round r every set of
//! s_r = ⌊−1/ln(1−p0) · (1−1/e)^r⌋ neighbours is left out once. A 1-minimality pass closes it.

use crate::examiner::Examiner;
use crate::forecast::Forecast;
use crate::oracle::{Goal, Stop};
use crate::singles;
use std::f64::consts::E;

pub(crate) fn reduce(examiner: &mut Examiner<'_>, density: f64) -> Result<(), Stop> {
    singles::try_empty(examiner)?;
    for round in 0.. {
        let size = set_size(round, density);
        leave_out_sets(examiner, size)?;
        if size == 1 {
            break;
        }
    }
    singles::reduce(examiner, Forecast::new(None))
}

fn set_size(round: u32, density: f64) -> usize {
    let first = -1.0 / (1.0 - density).ln();
    let size = first * (1.0 - 1.0 / E).powi(round.min(1000) as i32);
    (size as usize).max(1)
}

/// From the end to the beginning, so that what a trace ends in is reached early.
fn leave_out_sets(examiner: &mut Examiner<'_>, size: usize) -> Result<(), Stop> {
    let mut current = examiner.best().clone();
    let mut end = current.len();
    while end > 0 {
        let start = end.saturating_sub(size);
        let candidate = current.without(start..end);
        if let Some(passing) = examiner.get_passing(Goal::Interesting, &[candidate])? {
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
