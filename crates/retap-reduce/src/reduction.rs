//! The answer: the suite, how it became smaller, how far it is from the best, and the proof.

use crate::bound::LowerBound;
use crate::cost::Size;
use crate::need::Need;
use crate::proof::Proof;
use crate::select::{Quarantined, Unstable};
use crate::tally::Tally;
use retap_model::{Coverage, Trace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct Reduction {
    pub traces: Vec<Reduced>,
    pub stages: Stages,
    pub lower_bound: Option<LowerBound>,
    pub quarantined: Vec<Quarantined>,
    pub unstable: Vec<Unstable>,
    /// It was stopped: the suite is the best that was known to replay by then, and has no bound.
    pub stopped: bool,
    /// Recordings that were not looked at any more: what only they cover is not in the suite.
    pub unexamined: Vec<usize>,
    pub proof: Proof,
    pub tally: Tally,
}

/// A trace of the answer.
#[derive(Debug, Clone)]
pub struct Reduced {
    pub trace: Trace,
    /// What ran when it was replayed, the launch first.
    pub covered: Vec<Arc<Coverage>>,
    /// Which recorded launch and steps it is made of.
    pub origins: Vec<Origin>,
    /// Was to be kept as it is.
    pub kept: bool,
}

/// A launch (step zero) or step of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Origin {
    pub trace: usize,
    pub step: usize,
}

/// How large the suite was on its way, kept traces included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stages {
    pub recorded: Size,
    /// What was not redundant, cut to what replays.
    pub selected: Size,
    pub phase_1: Size,
    pub phase_2: Size,
    pub phase_3: Size,
}

impl Reduction {
    /// How far above the lower bound the answer is, as a share of the bound.
    pub fn gap(&self) -> Option<f64> {
        let bound = self.lower_bound?.cost;
        (bound > 0).then(|| self.stages.phase_3.cost as f64 / bound as f64 - 1.0)
    }

    pub fn needs(&self) -> impl Iterator<Item = Need> + '_ {
        self.proof.covered.iter().map(|(need, _)| *need)
    }
}
