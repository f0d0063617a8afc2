//! What reducing took, in counts that are the same on every machine.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Traces put together and worth running.
    pub candidates: u64,
    /// Candidates that had to be run, some of them several times.
    pub replayed: u64,
    /// Candidates that replayed.
    pub faithful: u64,
    /// Candidates that replayed but covered less than their steps did elsewhere.
    pub short: u64,
    /// Candidates known to replay because they begin, or are, one that did.
    pub known: u64,
    /// Branches of searches cut because they begin with a known-bad prefix.
    pub cut: u64,
    /// Recorded traces that never had to be run because others cover all they do.
    pub traces_saved: u64,
    /// Nodes of searches that were expanded.
    pub expanded: u64,
    pub rounds: u64,
    /// Runs of phase 3, wherever they led.
    #[serde(default)]
    pub attempts: u64,
    /// Those of them that covered all that was needed.
    #[serde(default)]
    pub sufficient: u64,
    /// Events that all replays took, a restart counted as fifteen.
    pub effort: u64,
    /// Searches that ended at a limit and not at an answer.
    pub limits_hit: u64,
}
