//! The one thing that this crate asks of the world: run these traces again.

use retap_model::{Coverage, Rate, Trace};
use std::sync::Arc;

pub trait Replay {
    /// The world going wrong.
    type Error;

    /// Runs each trace, as often as it takes to believe it, from a clean install and compares states and
    /// outcomes step by step. Answers in the order of the traces, however many run side by side.
    fn replay(
        &mut self,
        traces: &[Trace],
        patience: Patience,
    ) -> Result<Vec<Replayed>, Halt<Self::Error>>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt<E> {
    /// Somebody wants what there is: nothing more will be answered.
    Stopped,
    Failed(E),
}

/// How much a difference is worth knowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// One difference is enough: candidates.
    FirstDifference,
    /// Run on, to measure how often a recorded trace works.
    Measure,
}

#[derive(Debug, Clone)]
pub struct Replayed {
    /// What the launch and the steps covered, the same in every run, up to the first step that some run
    /// did not follow. Empty when the launch itself differed; steps + 1 when the trace replays.
    pub covered: Vec<Arc<Coverage>>,
    /// How many of the runs followed the whole trace.
    pub rate: Rate,
}

impl Replayed {
    pub fn is_faithful(&self, trace: &Trace) -> bool {
        self.covered.len() == trace.steps.len() + 1
    }
}
