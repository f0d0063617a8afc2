//! The parts of recorded traces that do not replay, and the requirements that are lost with them.

use crate::model::requirement::Requirement;
use crate::model::requirement_index::RequirementIndex;
use crate::recorded_trace::RecordedTrace;
use retap_model::{Coverage, Rate};
use serde::Serialize;

/// The end of a recorded trace that did not replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuarantinedTrace {
    /// The index of the recorded trace.
    pub trace: usize,
    /// The first step at which some run diverged; zero is the launch.
    pub step: usize,
    /// The number of steps of the recorded trace.
    pub steps: usize,
    pub rate: Rate,
}

/// A requirement that a recording covered and no replay did: lost to nondeterminism, and reported.
#[derive(Debug, Clone, PartialEq)]
pub struct UnstableRequirement {
    pub requirement: Requirement,
    /// The index of the first recorded trace that covered it.
    pub trace: usize,
    /// The step that covered it; zero is the launch.
    pub step: usize,
}

/// Returns where each lost requirement was recorded first.
pub(crate) fn find_unstable(
    recorded_traces: &[RecordedTrace],
    requirements: &mut RequirementIndex,
    lost: &Coverage,
) -> Vec<UnstableRequirement> {
    let mut missing = lost.clone();
    let mut unstable = Vec::new();
    for (trace, recorded) in recorded_traces.iter().enumerate() {
        if missing.is_empty() {
            break;
        }
        let by_step = requirements.covered_by_steps(&recorded.trace, &recorded.covered);
        for (step, covered) in by_step.iter().enumerate() {
            for number in covered.intersection(&missing).iter() {
                let requirement = requirements.requirement(number);
                unstable.push(UnstableRequirement { requirement, trace, step });
            }
            missing = missing.difference(covered);
        }
    }
    unstable
}
