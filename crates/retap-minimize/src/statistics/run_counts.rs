//! The successes and failures of one candidate.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// The runs of one candidate so far: the paper's (s, f).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunCounts {
    pub successes: u32,
    pub failures: u32,
}

impl RunCounts {
    pub fn new(successes: u32, failures: u32) -> Self {
        Self { successes, failures }
    }

    /// Returns the number of all runs.
    pub fn runs(&self) -> u32 {
        self.successes + self.failures
    }

    /// Returns the share of runs that succeeded, 0 if there were none.
    pub fn success_rate(&self) -> f64 {
        f64::from(self.successes) / f64::from(self.runs().max(1))
    }

    /// Counts one more run.
    pub(crate) fn add_run(&mut self, success: bool) {
        if success {
            self.successes += 1;
        } else {
            self.failures += 1;
        }
    }
}

impl Add for RunCounts {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self::new(self.successes + more.successes, self.failures + more.failures)
    }
}

impl Sub for RunCounts {
    type Output = Self;

    fn sub(self, fewer: Self) -> Self {
        Self::new(self.successes - fewer.successes, self.failures - fewer.failures)
    }
}
