//! How often a test fails in many worlds, and where to begin looking.

use crate::TestEnd;
use retap_model::{Rate, WorldSeed};
use serde::Serialize;

/// The failures of one test in several worlds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flakiness {
    /// The share of worlds in which the test failed.
    pub failures: Rate,
    /// The 95% interval of that share.
    pub interval: (f64, f64),
    /// The first world in which it failed: `--world-seed` with it fails every time.
    pub failing_seed: Option<WorldSeed>,
    /// A world in which it passed.
    pub passing_seed: Option<WorldSeed>,
}

impl Flakiness {
    /// Counts the ends of one test, each with its world.
    pub fn of<'a>(ends: impl IntoIterator<Item = (WorldSeed, &'a TestEnd)>) -> Self {
        let mut failures = Rate::default();
        let (mut failing_seed, mut passing_seed) = (None, None);
        for (seed, end) in ends {
            failures.add(end.is_failure());
            let seen = if end.is_failure() { &mut failing_seed } else { &mut passing_seed };
            seen.get_or_insert(seed);
        }
        Self { interval: failures.interval(), failures, failing_seed, passing_seed }
    }

    /// Returns true if the test failed in some worlds and not in others.
    pub fn is_flaky(&self) -> bool {
        self.failing_seed.is_some() && self.passing_seed.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_flaky_if_worlds_disagree() {
        let failed = TestEnd::Failed("at a.B".into());
        let ends = [(1, &TestEnd::Passed), (2, &failed), (3, &TestEnd::Passed), (4, &failed)];
        let flaky = Flakiness::of(ends);
        assert!(flaky.is_flaky());
        assert_eq!((flaky.failing_seed, flaky.passing_seed), (Some(2), Some(1)));
        assert_eq!((flaky.failures.successes, flaky.failures.runs), (2, 4));
        assert!(!Flakiness::of([(1, &failed), (2, &failed)]).is_flaky());
        assert!(!Flakiness::of([(1, &TestEnd::Passed), (2, &TestEnd::Ignored)]).is_flaky());
    }
}
