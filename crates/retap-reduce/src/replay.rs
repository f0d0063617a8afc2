//! Replays: the one thing that this crate asks of the world.

pub(crate) mod confirmation;
pub(crate) mod path_tester;
pub(crate) mod prefix_trie;
pub(crate) mod session;

use crate::recorded_trace::RecordedTrace;
use retap_model::trace::StepResult;
use retap_model::{Coverage, Rate, Trace};
use std::sync::Arc;

/// Runs traces on whatever devices there are.
pub trait Replay {
    /// A failure of the world: a lost device, a full disk.
    type Error;

    /// Runs each trace from a clean install as often as it takes to trust it, and compares states and outcomes step
    /// by step. Returns one result per trace, in the order of the traces, however many run in parallel.
    fn replay(
        &mut self,
        traces: &[Trace],
        mode: ReplayMode,
    ) -> Result<Vec<ReplayResult>, ReplayError<Self::Error>>;

    /// Runs the events of a trace once from a clean install, wherever they lead. Returns the steps that ran and their
    /// coverage, up to and including the first one at which `stop` returns true.
    fn record(
        &mut self,
        trace: &Trace,
        stop: StopRecording<'_>,
    ) -> Result<RecordedTrace, ReplayError<Self::Error>>;

    /// Returns true if the traces were recorded on this device and it repeats itself. A recording is then as good
    /// as a replay.
    fn can_trust_recordings(&self) -> bool {
        false
    }

    /// Returns true if the user asks for the best suite known so far. Long computations ask now and then.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Returns true after a launch or step if the rest of the events need not run.
pub type StopRecording<'s> = &'s (dyn Fn(&StepResult) -> bool + Sync);

/// The effort of a clean restart, in events. On the embedded device a launch takes eleven to fifteen times the
/// processor time of an event.
pub const RESTART_EFFORT: u64 = 15;

/// Returns the effort of one run of this many steps, in events.
pub(crate) fn run_effort(steps: usize) -> u64 {
    RESTART_EFFORT + steps as u64
}

/// The reason why a replay has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayError<E> {
    /// The user stopped the reduction: no further replay will have a result.
    Stopped,
    /// The replay itself failed.
    Failed(E),
}

/// The number of runs that a diverging trace is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayMode {
    /// Stop after the first run that diverges. This is enough for candidates.
    StopAtDivergence,
    /// Make all runs, to measure the success rate of a recorded trace.
    MeasureRate,
}

/// The result of all runs of one trace.
#[derive(Debug, Clone)]
pub struct ReplayResult {
    /// The units that the launch and the steps covered in every run, up to the first step at which some run
    /// diverged. Empty if the launch itself differed; one set more than there are steps if the trace replays.
    pub covered: Vec<Arc<Coverage>>,
    /// The share of runs that followed the whole trace.
    pub rate: Rate,
    /// True if there were enough runs to trust a trace. The coverage can then be relied on, even if the trace
    /// diverged later.
    pub is_conclusive: bool,
}

impl ReplayResult {
    /// Returns the effort of all runs, in events.
    pub(crate) fn effort(&self) -> u64 {
        self.rate.runs * (RESTART_EFFORT + self.covered.len() as u64)
    }

    /// Returns true if every run followed the whole trace.
    pub fn is_faithful(&self, trace: &Trace) -> bool {
        self.covered.len() == trace.steps.len() + 1
    }
}
