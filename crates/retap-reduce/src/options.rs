//! The options of a reduction: what to keep, what to make small, and how much effort to spend.

use crate::model::cost::CostModel;
use crate::model::requirement::RequirementScope;
use crate::recorded_trace::RecordedTrace;
use crate::replay::run_effort;

/// The options of one reduction.
#[derive(Debug, Clone, PartialEq)]
pub struct ReductionOptions {
    /// The requirements that the suite must keep.
    pub scope: RequirementScope,
    /// The cost that the suite must minimise.
    pub cost: CostModel,
    pub limits: ReductionLimits,
}

/// The limits of the searches. All are counts, so the same input gives the same suite on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReductionLimits {
    /// k: the fragments that one spliced trace may consist of. Zero leaves phase 2 out.
    pub fragments: usize,
    /// Candidates that phase 1 tests for one trace.
    pub candidates: usize,
    /// Plans that phase 2 makes before it takes the rest as phase 1 left it.
    pub plans: usize,
    /// Nodes that one search expands.
    pub nodes: u64,
    /// True if phase 3 minimises each trace in the end.
    pub minimize: bool,
    /// Events that the replays of the first pass may take, with a restart counted as fifteen. Traces that are not
    /// redundant are replayed in any case, and a quarter of this limit is always left for candidates.
    pub effort: u64,
    /// The effort that a unit of cost is worth. As long as a pass that ended at a limit saved this much, another one
    /// follows with twice the effort. Zero makes the first pass the only one.
    pub worth: u64,
}

impl Default for ReductionLimits {
    fn default() -> Self {
        Self {
            fragments: 3,
            candidates: 64,
            plans: 16,
            nodes: 2_000,
            minimize: true,
            effort: 1_000_000,
            worth: 0,
        }
    }
}

/// The total effort at which each phase ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PhaseEffortLimits {
    pub phase_1: u64,
    pub phase_2: u64,
    pub phase_3: u64,
}

impl ReductionLimits {
    /// Divides `available` effort among the phases, after the effort that was `spent` already. `reserve` of it
    /// confirms the suite in the end; phase 3 may use the part of the reserve that it makes needless.
    pub(crate) fn divide_effort(
        &self,
        spent: u64,
        available: u64,
        reserve: u64,
    ) -> PhaseEffortLimits {
        let free = available.saturating_sub(reserve);
        let [phase_1, phase_2, phase_3] = if self.minimize {
            [free * 3 / 10, free * 2 / 5, available]
        } else {
            [free * 2 / 3, free, free]
        };
        PhaseEffortLimits {
            phase_1: spent + phase_1,
            phase_2: spent + phase_2,
            phase_3: spent + phase_3,
        }
    }

    /// Returns nine tenths of the effort that recording these traces took, for the first pass. Reducing also computes,
    /// so this share makes it take less time than recording. A minimum leaves enough for a handful of small traces.
    pub fn effort_to_record(recorded_traces: &[RecordedTrace]) -> u64 {
        const MINIMUM: u64 = 5_000;
        let effort = |recorded: &RecordedTrace| run_effort(recorded.trace.steps.len());
        (recorded_traces.iter().map(effort).sum::<u64>() / 10 * 9).max(MINIMUM)
    }
}
