//! ND3MIN's `passes`: a candidate is good when enough of its runs succeed.

use serde::{Deserialize, Serialize};

/// `required` successes (the paper's st) in `runs` runs (nr), in rounds of at most `width` oracle
/// calls (m). One of one is the deterministic check of plain delta debugging.
///
/// With one run per candidate the answer does not depend on the width; with more it is part of the
/// question, as a seed is, because it decides which candidate passes first.
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

    /// Failures that a passing candidate may have.
    pub fn tolerance(&self) -> u32 {
        self.runs - self.required
    }

    /// How often the original must succeed to be worth minimising: 15 of 20 in the paper.
    pub fn baseline_required(&self) -> u32 {
        (self.required * 5).div_ceil(6)
    }

    /// What an answer must stand in fresh runs: the same rate in more of them. A search judges many
    /// candidates and takes the luckiest; with 18 of 20 asked for, one that succeeds at a rate of 0.86
    /// passes once in two times, and in 72 of 80 fresh runs once in five.
    pub fn confirmation(&self) -> Self {
        const TIMES: u32 = 4;
        Self { runs: self.runs * TIMES, required: self.required * TIMES, width: self.width }
    }

    pub(crate) fn verdict(&self, tally: &Tally) -> Verdict {
        if tally.runs() > self.runs {
            // An answer that was verified has more runs than the check asks for: their rate counts.
            let often_enough = tally.successes * self.runs >= self.required * tally.runs();
            return if often_enough { Verdict::Passes } else { Verdict::Dead };
        }
        if tally.successes >= self.required {
            Verdict::Passes
        } else if tally.failures > self.tolerance() {
            Verdict::Dead
        } else {
            Verdict::Open
        }
    }

    /// Runs that may still be needed to judge an open candidate.
    pub(crate) fn left(&self, tally: &Tally) -> u32 {
        self.runs.saturating_sub(tally.runs())
    }
}

/// What the runs of one candidate showed so far: the paper's (s, f).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tally {
    pub successes: u32,
    pub failures: u32,
}

impl Tally {
    pub fn new(successes: u32, failures: u32) -> Self {
        Self { successes, failures }
    }

    pub fn runs(&self) -> u32 {
        self.successes + self.failures
    }

    pub fn rate(&self) -> f64 {
        f64::from(self.successes) / f64::from(self.runs().max(1))
    }

    pub(crate) fn add(&mut self, success: bool) {
        if success {
            self.successes += 1;
        } else {
            self.failures += 1;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Passes,
    /// Can no longer pass: it is not run further.
    Dead,
    Open,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_falls_as_soon_as_it_can_no_longer_change() {
        let check = Check::ND3MIN;
        let verdict = |s, f| check.verdict(&Tally::new(s, f));
        assert_eq!(verdict(17, 2), Verdict::Open);
        assert_eq!(verdict(18, 0), Verdict::Passes);
        assert_eq!(verdict(18, 2), Verdict::Passes);
        assert_eq!(verdict(0, 3), Verdict::Dead);
        assert_eq!(verdict(0, 2), Verdict::Open);
        assert_eq!(verdict(36, 4), Verdict::Passes);
        assert_eq!(verdict(35, 5), Verdict::Dead);
    }

    #[test]
    fn the_baseline_must_succeed_15_times_of_20() {
        assert_eq!(Check::ND3MIN.baseline_required(), 15);
        assert_eq!(Check::ONCE.baseline_required(), 1);
    }
}
