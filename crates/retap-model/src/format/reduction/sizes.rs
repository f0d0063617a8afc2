//! The sizes of a suite at each stage of its reduction, and the lower bound on its cost.

use serde::{Deserialize, Serialize};

/// The size of the suite after each stage. Traces that were to be kept are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageSizes {
    pub recorded: SuiteSize,
    /// The recordings that add coverage, cut to the steps that replay.
    pub selected: SuiteSize,
    /// After removing loops.
    pub phase_1: SuiteSize,
    /// After splicing.
    pub phase_2: SuiteSize,
    /// After minimising each trace. Suites written before this phase existed have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase_3: Option<SuiteSize>,
}

impl StageSizes {
    /// Returns the size of the reduced suite.
    pub fn reduced(&self) -> SuiteSize {
        self.phase_3.unwrap_or(self.phase_2)
    }
}

/// The size of a suite: the events after launches, the launches, and the cost of both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteSize {
    pub steps: u64,
    pub restarts: u64,
    /// In the unit of the cost model that the reduction used.
    pub cost: u64,
    /// Milliseconds of the device's clock.
    pub ms: u64,
}

/// A cost that no suite with the same coverage can go below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LowerBoundRecord {
    pub cost: u64,
    pub method: LowerBoundMethod,
}

/// The linear program that gave the lower bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LowerBoundMethod {
    /// Set cover with flow through states and a limited number of fragments.
    Flow,
    /// Set cover with flow and any number of fragments; equal steps count as one.
    FlowOfAny,
    /// Set cover alone, for suites that are too large for the flow.
    Cover,
}
