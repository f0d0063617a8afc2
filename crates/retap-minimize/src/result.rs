//! The result of minimising.

use crate::algorithms::Algorithm;
use crate::search::{Candidate, SearchCost, SearchStop};
use crate::statistics::{Check, RunCounts};
use serde::{Deserialize, Serialize};

/// The result of minimising: the answer, the runs behind it, and the cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MinimizeResult {
    pub ending: MinimizeEnding,
    /// The shortest verified candidate, or the original if the baseline was not interesting.
    pub answer: Candidate,
    /// The runs of the original before the search.
    pub baseline: RunCounts,
    /// The runs that decided for the answer.
    #[serde(rename = "tally")]
    pub deciding_runs: RunCounts,
    /// Fresh runs of the answer afterwards, independent of those that chose it.
    ///
    /// Their success rate is at least the one that the check asks for, unless the answer is the
    /// original. There are none where a single run is the check: that run was the verification.
    pub verification: Option<RunCounts>,
    /// The check that the answer without any single event fails. None if the algorithm does not test every single
    /// event, if the search stopped before it had, or if fresh runs refuted its answer.
    pub minimality: Option<Check>,
    pub cost: SearchCost,
    /// The best answers one after the other, longest first, with their cost and algorithm.
    #[serde(rename = "trail")]
    pub improvements: Vec<Improvement>,
    /// The run counts of every candidate; they refine the prior.
    pub observed: Vec<RunCounts>,
}

/// The reason why the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MinimizeEnding {
    /// The algorithm came to its end.
    Finished,
    /// The original itself does not succeed often enough.
    NotReproduced,
    Stopped(SearchStop),
}

/// A best answer of the search, and the cost up to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Improvement {
    pub answer: Candidate,
    pub cost: SearchCost,
    /// The algorithm that found it.
    #[serde(rename = "by")]
    pub algorithm: Algorithm,
}
