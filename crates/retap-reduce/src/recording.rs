//! A trace with what each of its steps covered: the reducer's input.

use retap_model::{Coverage, Trace};
use std::sync::Arc;

#[derive(Debug, Clone)]
pub struct Recording {
    pub trace: Trace,
    /// The units that ran, the launch first: one more than steps.
    pub covered: Vec<Arc<Coverage>>,
    /// Stays in the suite as it is.
    pub keep: bool,
}

/// A recording that does not say where it led cannot be cut or joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("trace {} does not say {what} after step {step}", trace + 1)]
pub struct Unrecorded {
    pub trace: usize,
    pub step: usize,
    pub what: &'static str,
}

impl Recording {
    pub(crate) fn check(&self, trace: usize) -> Result<(), Unrecorded> {
        let steps = self.trace.steps.len();
        if let Some(step) = (0..=steps).find(|step| self.trace.result_after(*step).state.is_none())
        {
            return Err(Unrecorded { trace, step, what: "which state it result to" });
        }
        if self.covered.len() != steps + 1 {
            return Err(Unrecorded { trace, step: self.covered.len(), what: "what was covered" });
        }
        Ok(())
    }
}
