//! The one thing that this crate asks of the world: run these traces again.

use crate::recording::Recording;
use retap_model::trace::StepResult;
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

    /// Runs the events of a trace once from a clean install, wherever they lead, and writes down what
    /// happened, up to and with the first step that strays.
    fn record(&mut self, trace: &Trace, strays: Strays<'_>)
    -> Result<Recording, Halt<Self::Error>>;

    /// Whether the device that answers is the one that recorded, and repeats itself: then a recording is a
    /// run like any other.
    fn repeats(&self) -> bool {
        false
    }

    /// Whether somebody wants what there is. Asked now and then where much is computed and nothing run.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Asked after the launch and every step: whether there is no use in going on.
pub type Strays<'s> = &'s (dyn Fn(&StepResult) -> bool + Sync);

/// Events that a clean restart is reckoned like: on the embedded device a launch takes eleven to fifteen
/// times the processor time of an event.
pub const RESTART: u64 = 15;

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
    /// There were as many runs as it takes to believe a trace: what is covered can be relied on, also
    /// where the trace was left later.
    pub settled: bool,
}

impl Replayed {
    /// What it took, in events.
    pub(crate) fn effort(&self) -> u64 {
        self.rate.runs * (RESTART + self.covered.len() as u64)
    }

    pub fn is_faithful(&self, trace: &Trace) -> bool {
        self.covered.len() == trace.steps.len() + 1
    }
}
