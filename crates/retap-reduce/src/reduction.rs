//! The result of a reduction: the suite, its size after each stage, its lower bound and its proof.

use crate::bound::LowerBound;
use crate::model::cost::SizeAndCost;
use crate::model::requirement::Requirement;
use crate::proof::CoverageProof;
use crate::recorded_trace::RecordedTrace;
use crate::select::quarantine::{QuarantinedTrace, UnstableRequirement};
use crate::stats::ReductionStats;
use retap_model::{Coverage, Trace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A reduced suite, and the evidence for it.
#[derive(Debug, Clone)]
pub struct SuiteReduction {
    /// The suite, kept traces first.
    pub traces: Vec<ReducedTrace>,
    pub stages: ReductionStages,
    /// None if the reduction was stopped or the solver found no optimum.
    pub lower_bound: Option<LowerBound>,
    pub quarantined: Vec<QuarantinedTrace>,
    pub unstable: Vec<UnstableRequirement>,
    /// True if the reduction was stopped. The suite is then the best one known to replay, and has no bound.
    pub stopped: bool,
    /// Indices of recorded traces that were not examined before the end. The suite lacks what only they cover.
    pub unexamined: Vec<usize>,
    pub proof: CoverageProof,
    pub stats: ReductionStats,
}

/// A trace of the reduced suite.
#[derive(Debug, Clone)]
pub struct ReducedTrace {
    pub trace: Trace,
    /// The units that ran when the trace was replayed, the launch first.
    pub covered: Vec<Arc<Coverage>>,
    /// The recorded launch and steps that the trace is made of.
    pub origins: Vec<StepPosition>,
    /// True if the trace was to be kept as it is.
    pub kept: bool,
}

/// The position of a launch or step in a list of traces: the recorded traces, or those of the reduced suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepPosition {
    /// The index of the trace.
    pub trace: usize,
    /// Zero is the launch.
    pub step: usize,
}

/// The size of the suite after each stage, kept traces included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReductionStages {
    pub recorded: SizeAndCost,
    /// Without redundant traces, and cut to what replays.
    pub selected: SizeAndCost,
    pub phase_1: SizeAndCost,
    pub phase_2: SizeAndCost,
    pub phase_3: SizeAndCost,
}

impl SuiteReduction {
    /// Returns how far the suite's cost is above the lower bound, as a share of the bound.
    pub fn gap(&self) -> Option<f64> {
        let bound = self.lower_bound?.cost;
        (bound > 0).then(|| self.stages.phase_3.cost as f64 / bound as f64 - 1.0)
    }

    /// Returns the requirements that the suite covers.
    pub fn requirements(&self) -> impl Iterator<Item = Requirement> + '_ {
        self.proof.covered.iter().map(|covered| covered.requirement)
    }
}

impl ReducedTrace {
    /// Returns a recorded trace that stays as it is; `replayed` says what its steps covered in replays.
    pub(crate) fn kept(
        source: usize,
        recorded: &RecordedTrace,
        replayed: &RecordedTrace,
    ) -> ReducedTrace {
        let origin = |step| StepPosition { trace: source, step };
        ReducedTrace {
            trace: recorded.trace.clone(),
            covered: replayed.covered.clone(),
            origins: (0..=recorded.trace.steps.len()).map(origin).collect(),
            kept: true,
        }
    }
}
