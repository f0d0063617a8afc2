//! The cost of a suite: the number that a reduction makes small.

use retap_model::Trace;
use retap_model::trace::StepResult;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::Add;

/// The rule that weighs launches and steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostModel {
    /// A clean restart costs as much as an event.
    #[default]
    Events,
    /// A clean restart costs as much as a thousand events.
    Restarts,
    /// Milliseconds of the device's clock, as recorded for every launch and step.
    Time,
}

impl CostModel {
    /// Returns the cost of a launch with this result.
    pub fn launch(self, result: &StepResult) -> u64 {
        match self {
            CostModel::Events => 1,
            CostModel::Restarts => 1000,
            CostModel::Time => result.elapsed_ms.max(1),
        }
    }

    /// Returns the cost of a step with this result.
    pub fn step(self, result: &StepResult) -> u64 {
        match self {
            CostModel::Events | CostModel::Restarts => 1,
            CostModel::Time => result.elapsed_ms.max(1),
        }
    }

    /// Returns the cost of a trace: its launch and all its steps.
    pub fn trace(self, trace: &Trace) -> u64 {
        self.launch(&trace.start)
            + trace.steps.iter().map(|step| self.step(&step.result)).sum::<u64>()
    }
}

/// The size and cost of a suite. Steps are the events after the launch; restarts are the launches, one per trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeAndCost {
    pub steps: u64,
    pub restarts: u64,
    /// In the unit of the cost model.
    pub cost: u64,
    /// Milliseconds of the device's clock.
    pub ms: u64,
}

impl SizeAndCost {
    /// Returns the size and cost of a suite of one trace.
    pub fn of_trace(trace: &Trace, model: CostModel) -> Self {
        Self {
            steps: trace.steps.len() as u64,
            restarts: 1,
            cost: model.trace(trace),
            ms: CostModel::Time.trace(trace),
        }
    }

    pub(crate) fn of_traces<'t>(
        traces: impl IntoIterator<Item = &'t Trace>,
        model: CostModel,
    ) -> Self {
        traces.into_iter().map(|trace| Self::of_trace(trace, model)).sum()
    }
}

impl Add for SizeAndCost {
    type Output = SizeAndCost;

    fn add(self, other: SizeAndCost) -> SizeAndCost {
        SizeAndCost {
            steps: self.steps + other.steps,
            restarts: self.restarts + other.restarts,
            cost: self.cost + other.cost,
            ms: self.ms + other.ms,
        }
    }
}

impl Sum for SizeAndCost {
    fn sum<I: Iterator<Item = SizeAndCost>>(sizes: I) -> SizeAndCost {
        sizes.fold(SizeAndCost::default(), SizeAndCost::add)
    }
}
