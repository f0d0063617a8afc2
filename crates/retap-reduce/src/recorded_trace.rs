//! The input of a reduction: traces with the coverage of each step.

use retap_model::{Coverage, Trace};
use std::sync::Arc;

/// A trace and the units that each of its steps covered.
#[derive(Debug, Clone)]
pub struct RecordedTrace {
    pub trace: Trace,
    /// The units that ran: the launch first, so one set more than there are steps.
    pub covered: Vec<Arc<Coverage>>,
    /// True if the trace stays in the suite as it is.
    pub keep: bool,
}

/// A recording that lacks states or coverage. Such a trace can be neither cut nor joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("trace {} does not say {missing} after step {step}", trace + 1)]
pub struct IncompleteRecording {
    /// The index of the trace.
    pub trace: usize,
    /// The first step that lacks something; zero is the launch.
    pub step: usize,
    pub missing: &'static str,
}

impl RecordedTrace {
    /// Returns an error if a state or a coverage set is missing; `trace` is the index of this trace.
    pub(crate) fn check(&self, trace: usize) -> Result<(), IncompleteRecording> {
        let steps = self.trace.steps.len();
        if let Some(step) = (0..=steps).find(|step| self.trace.result_after(*step).state.is_none())
        {
            let missing = "which state it led to";
            return Err(IncompleteRecording { trace, step, missing });
        }
        if self.covered.len() != steps + 1 {
            let (step, missing) = (self.covered.len(), "what was covered");
            return Err(IncompleteRecording { trace, step, missing });
        }
        Ok(())
    }

    /// Cuts the trace after its first `steps` steps.
    pub(crate) fn truncate(&mut self, steps: usize) {
        self.trace.steps.truncate(steps);
        self.covered.truncate(steps + 1);
    }
}
