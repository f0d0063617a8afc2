//! The results of a device's checks.

use std::fmt;

/// The results of all checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConformanceReport {
    pub results: Vec<CheckResult>,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    pub name: &'static str,
    pub outcome: CheckOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    Pass,
    Fail(String),
    /// The device does not support it, or the script has no entry for it.
    Skipped(String),
}

impl ConformanceReport {
    /// Returns the names of the failed checks.
    pub fn failed(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.results.iter().filter(|f| matches!(f.outcome, CheckOutcome::Fail(_))).map(|f| f.name)
    }

    /// Returns the names of the skipped checks.
    pub fn skipped(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.results
            .iter()
            .filter(|f| matches!(f.outcome, CheckOutcome::Skipped(_)))
            .map(|f| f.name)
    }

    pub fn passes(&self) -> bool {
        self.failed().next().is_none()
    }
}

impl fmt::Display for ConformanceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for CheckResult { name, outcome } in &self.results {
            match outcome {
                CheckOutcome::Pass => writeln!(f, "pass  {name}")?,
                CheckOutcome::Fail(reason) => writeln!(f, "FAIL  {name}: {reason}")?,
                CheckOutcome::Skipped(reason) => writeln!(f, "skip  {name}: {reason}")?,
            }
        }
        Ok(())
    }
}
