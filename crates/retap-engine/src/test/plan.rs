//! What to run: the settings as the user gave them, and the tests that they select.

use retap_model::WorldSeed;
use retap_test::{TestFilter, TestName};
use std::time::Duration;

/// When the app's data is wiped and its process begins anew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CleanInstalls {
    /// Before each test, as the Orchestrator does.
    #[default]
    Each,
    /// Once, and again after a test that ended the process.
    Once,
}

/// How tests are run.
#[derive(Debug, Clone)]
pub struct TestSettings {
    pub filter: TestFilter,
    /// Arguments for the runner.
    pub arguments: Vec<(String, String)>,
    pub clean: CleanInstalls,
    /// Tries after the first one that fails.
    pub retries: u32,
    pub fail_fast: bool,
    /// Virtual time for each test.
    pub limit: Duration,
    pub world_seed: WorldSeed,
    /// The number of worlds in which each test runs.
    pub worlds: u32,
    /// The number of runs in each world.
    pub runs: u32,
    /// The number of devices.
    pub jobs: u16,
    /// Whether failures are run again for a picture of their last screen and for their steps.
    pub looks_closer: bool,
}

impl TestSettings {
    /// Returns the seed of the world of each run of a test.
    pub fn seeds(&self) -> impl Iterator<Item = WorldSeed> + use<> {
        let (first, runs) = (self.world_seed, self.runs as usize);
        (0..u64::from(self.worlds))
            .flat_map(move |n| std::iter::repeat_n(first.wrapping_add(n), runs))
    }

    /// Returns true if each test runs several times whatever comes of it, and not until it passes.
    pub fn is_of_worlds(&self) -> bool {
        self.worlds > 1 || self.runs > 1
    }
}

/// The tests to run, in the order of the runner.
#[derive(Debug, Clone, Default)]
pub struct TestPlan {
    pub tests: Vec<TestName>,
    /// Tests that the filter leaves out.
    pub left_out: usize,
}

impl TestPlan {
    pub fn new(listed: Vec<TestName>, filter: &TestFilter) -> Self {
        let mut plan = Self::default();
        for test in listed {
            if !filter.selects(&test) {
                plan.left_out += 1;
            } else if !plan.tests.contains(&test) {
                plan.tests.push(test);
            }
        }
        plan
    }
}
