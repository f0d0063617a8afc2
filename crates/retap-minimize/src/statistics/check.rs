//! ND3MIN's `passes`: a candidate passes if enough of its runs succeed.

use super::run_counts::RunCounts;
use serde::{Deserialize, Serialize};

/// The condition for passing: `required` successes (the paper's st) in `runs` runs (nr), in rounds of
/// at most `width` oracle calls (m). One of one is the deterministic check of plain delta debugging.
///
/// With one run per candidate the answer does not depend on the width. With more runs the width is an
/// input like a seed, because it decides which candidate passes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub runs: u32,
    pub required: u32,
    pub width: u32,
}

impl Check {
    pub const ONCE: Self = Self { runs: 1, required: 1, width: 1 };
    /// The paper's parameters.
    pub const ND3MIN: Self = Self { runs: 20, required: 18, width: 15 };

    pub fn is_valid(&self) -> bool {
        (1..=self.runs).contains(&self.required) && self.width > 0
    }

    /// Returns the number of failures that a passing candidate may have.
    pub fn tolerance(&self) -> u32 {
        self.runs - self.required
    }

    /// Returns the successes that make the original worth minimising: 15 of 20 in the paper.
    pub fn baseline_required(&self) -> u32 {
        (self.required * 5).div_ceil(6)
    }

    /// Returns the check for the fresh runs of an answer: the same rate in four times as many runs.
    ///
    /// A search judges many candidates and takes the luckiest. With 18 of 20 required, a candidate
    /// with a success rate of 0.86 passes once in two times, and with 72 of 80 fresh runs once in five.
    pub fn confirmation(&self) -> Self {
        const TIMES: u32 = 4;
        Self { runs: self.runs * TIMES, required: self.required * TIMES, width: self.width }
    }

    /// Decides a candidate's status from its runs.
    pub(crate) fn status_of(&self, counts: &RunCounts) -> CandidateStatus {
        if counts.runs() > self.runs {
            // A verified answer has more runs than the check asks for: their rate counts.
            let is_often_enough = counts.successes * self.runs >= self.required * counts.runs();
            return if is_often_enough { CandidateStatus::Passes } else { CandidateStatus::Dead };
        }
        if counts.successes >= self.required {
            CandidateStatus::Passes
        } else if counts.failures > self.tolerance() {
            CandidateStatus::Dead
        } else {
            CandidateStatus::Open
        }
    }

    /// Returns the number of runs that may still be needed to decide an open candidate.
    pub(crate) fn remaining_runs(&self, counts: &RunCounts) -> u32 {
        self.runs.saturating_sub(counts.runs())
    }
}

/// The status of a candidate under a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CandidateStatus {
    Passes,
    /// The candidate can no longer pass, so it is not run further.
    Dead,
    /// The candidate needs more runs.
    Open,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_decided_as_soon_as_it_can_no_longer_change() {
        let status_of = |s, f| Check::ND3MIN.status_of(&RunCounts::new(s, f));
        assert_eq!(status_of(17, 2), CandidateStatus::Open);
        assert_eq!(status_of(18, 0), CandidateStatus::Passes);
        assert_eq!(status_of(18, 2), CandidateStatus::Passes);
        assert_eq!(status_of(0, 3), CandidateStatus::Dead);
        assert_eq!(status_of(0, 2), CandidateStatus::Open);
        assert_eq!(status_of(36, 4), CandidateStatus::Passes);
        assert_eq!(status_of(35, 5), CandidateStatus::Dead);
    }

    #[test]
    fn the_baseline_must_succeed_15_times_of_20() {
        assert_eq!(Check::ND3MIN.baseline_required(), 15);
        assert_eq!(Check::ONCE.baseline_required(), 1);
    }
}
