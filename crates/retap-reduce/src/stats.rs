//! The effort of a reduction, in counts that are the same on every machine.

use serde::{Deserialize, Serialize};

/// The counts of one reduction. Files name some of them differently: see the serde names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReductionStats {
    /// Candidates of phases 1 and 2 that were proposed.
    pub candidates: u64,
    /// Candidates that had to be run, some of them several times.
    pub replayed: u64,
    /// Candidates that were run and replayed.
    pub faithful: u64,
    /// Candidates that replayed but covered less than their steps covered elsewhere.
    #[serde(rename = "short")]
    pub insufficient: u64,
    /// Candidates known to replay because all their prefixes have been seen.
    #[serde(rename = "known")]
    pub known_replayable: u64,
    /// Branches of searches that were cut because they begin with a prefix that failed.
    #[serde(rename = "cut")]
    pub cut_branches: u64,
    /// Recorded traces that never had to be run because others cover all that they cover.
    pub traces_saved: u64,
    /// Nodes that searches expanded.
    pub expanded: u64,
    /// Rounds of replays.
    pub rounds: u64,
    /// Runs of phase 3, wherever they led.
    #[serde(default)]
    pub attempts: u64,
    /// Runs of phase 3 that covered everything needed.
    #[serde(default)]
    pub sufficient: u64,
    /// Events that all replays took; a restart counts as [`RESTART_EFFORT`](crate::RESTART_EFFORT) events.
    pub effort: u64,
    /// Searches that ended at a limit before they had an answer.
    pub limits_hit: u64,
}
