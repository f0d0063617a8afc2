//! What a suite costs: the number to make small.

use retap_model::Trace;
use retap_model::trace::StepResult;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::Add;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostModel {
    /// A clean restart costs as much as an event.
    #[default]
    Events,
    /// A clean restart costs as much as a thousand events.
    Restarts,
    /// Milliseconds of the device's clock, as they were recorded for every launch and step.
    Time,
}

impl CostModel {
    pub fn launch(self, result: &StepResult) -> u64 {
        match self {
            CostModel::Events => 1,
            CostModel::Restarts => 1000,
            CostModel::Time => result.elapsed_ms.max(1),
        }
    }

    pub fn step(self, result: &StepResult) -> u64 {
        match self {
            CostModel::Events | CostModel::Restarts => 1,
            CostModel::Time => result.elapsed_ms.max(1),
        }
    }

    pub fn trace(self, trace: &Trace) -> u64 {
        self.launch(&trace.start)
            + trace.steps.iter().map(|step| self.step(&step.result)).sum::<u64>()
    }
}

/// How large a suite is. Steps are the events after the launch; restarts are the launches, one a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    pub steps: u64,
    pub restarts: u64,
    pub cost: u64,
    /// Milliseconds of the device's clock.
    pub ms: u64,
}

impl Size {
    pub fn of(trace: &Trace, model: CostModel) -> Self {
        Self {
            steps: trace.steps.len() as u64,
            restarts: 1,
            cost: model.trace(trace),
            ms: CostModel::Time.trace(trace),
        }
    }
}

impl Add for Size {
    type Output = Size;

    fn add(self, other: Size) -> Size {
        Size {
            steps: self.steps + other.steps,
            restarts: self.restarts + other.restarts,
            cost: self.cost + other.cost,
            ms: self.ms + other.ms,
        }
    }
}

impl Sum for Size {
    fn sum<I: Iterator<Item = Size>>(sizes: I) -> Size {
        sizes.fold(Size::default(), Size::add)
    }
}
