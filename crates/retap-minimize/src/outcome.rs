//! What minimising came to.

use crate::algorithm::Algorithm;
use crate::candidate::Candidate;
use crate::check::Tally;
use crate::cost::Cost;
use crate::oracle::Stop;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub ending: Ending,
    /// The shortest verified candidate; the original where the baseline was not interesting.
    pub answer: Candidate,
    /// The original's own runs.
    pub baseline: Tally,
    /// The runs that decided for the answer.
    pub tally: Tally,
    /// Fresh runs of the answer afterwards, independent of those that chose it: at least the rate that the
    /// check asks for, unless the answer is the original. None where a single run is the check: that run
    /// was the verification.
    pub verification: Option<Tally>,
    pub cost: Cost,
    /// How the best answer shrank, longest first: size over cost, and who did it.
    pub trail: Vec<Milestone>,
    /// Every candidate's runs: what refines the prior.
    pub observed: Vec<Tally>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The algorithm came to its end.
    Finished,
    /// The original itself does not succeed often enough.
    NotReproduced,
    Stopped(Stop),
}

/// One verified answer on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Milestone {
    pub answer: Candidate,
    pub cost: Cost,
    pub by: Algorithm,
}
