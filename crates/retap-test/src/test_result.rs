//! What came of a test: all its runs.

use crate::{Flakiness, Parting, TestEnd, TestName};
use retap_model::{Coverage, WorldSeed};
use serde::Serialize;

/// One run of a test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestAttempt {
    pub world_seed: WorldSeed,
    #[serde(flatten)]
    pub end: TestEnd,
    /// Virtual time.
    pub elapsed_ms: u64,
    #[serde(skip)]
    pub coverage: Coverage,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_limitations: Vec<String>,
    #[serde(skip)]
    pub log: Vec<String>,
}

/// All runs of a test: one, unless it was tried again or ran in several worlds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestResult {
    pub test: TestName,
    pub attempts: Vec<TestAttempt>,
    /// Whether the runs are those of several worlds, and not tries until one passes.
    #[serde(skip)]
    pub is_of_worlds: bool,
    /// Where a passing and a failing run part, if the test is flaky.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parting: Option<Parting>,
}

impl TestResult {
    /// Returns the run that decides: the worst one of several worlds, or the last try.
    pub fn deciding(&self) -> Option<&TestAttempt> {
        if self.is_of_worlds {
            let failed = self.attempts.iter().find(|attempt| attempt.end.is_failure());
            return failed.or(self.attempts.first());
        }
        self.attempts.last()
    }

    pub fn flakiness(&self) -> Flakiness {
        Flakiness::of(self.attempts.iter().map(|attempt| (attempt.world_seed, &attempt.end)))
    }

    /// Returns true if the test failed in the end, or in any world.
    pub fn is_failure(&self) -> bool {
        self.deciding().is_none_or(|attempt| attempt.end.is_failure())
    }

    /// Returns true if some runs failed and others did not.
    pub fn is_flaky(&self) -> bool {
        self.flakiness().is_flaky()
    }

    /// Returns the word for a line of results.
    pub fn word(&self) -> &'static str {
        match self.deciding() {
            Some(_) if self.is_flaky() => "FLAKY",
            Some(attempt) => attempt.end.word(),
            None => "NOT RUN",
        }
    }

    /// Returns what all runs covered.
    pub fn coverage(&self) -> Coverage {
        let mut all = Coverage::new();
        self.attempts.iter().for_each(|attempt| all.union_with(&attempt.coverage));
        all
    }
}
