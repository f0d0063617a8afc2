//! The work that a reduction took.

use serde::{Deserialize, Serialize};

/// Counts of the work that a reduction took. They are the same on every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReductionCounts {
    /// Candidate traces that were worth running.
    pub candidates: u64,
    /// Candidates that were run, some of them several times.
    pub replayed: u64,
    /// Candidates that replayed.
    pub faithful: u64,
    /// Candidates that replayed but covered less than their steps covered elsewhere.
    pub short: u64,
    /// Candidates known to replay because they equal, or are a prefix of, one that did.
    pub known: u64,
    /// Branches of a search that were cut because their prefix is known not to replay.
    pub cut: u64,
    /// Recorded traces that were not run because other traces cover the same.
    pub traces_saved: u64,
    /// Search nodes that were expanded.
    pub expanded: u64,
    pub rounds: u64,
    /// Runs of phase 3. Suites written before that phase existed lack the field.
    #[serde(default)]
    pub attempts: u64,
    /// Runs of phase 3 that covered all requirements. Suites written before that phase existed lack the field.
    #[serde(default)]
    pub sufficient: u64,
    /// Events that all replays took, a restart counted as fifteen. The first suites lack the field.
    #[serde(default)]
    pub effort: u64,
    /// Searches that ended at a limit instead of at an answer.
    pub limits_hit: u64,
}
