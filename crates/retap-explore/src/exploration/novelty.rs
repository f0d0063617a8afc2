//! The novelty of an entry: a new state, new code, a new activity.

use retap_model::trace::StepResult;
use retap_model::{Coverage, Screen};

/// The novelty of a start or a step, beside its result.
#[derive(Debug, Clone, Copy)]
pub struct Novelty<'a> {
    pub result: &'a StepResult,
    /// True if the run meets the state for the first time.
    pub is_new_state: bool,
    /// The number of units that ran for the first time in the run.
    pub new_units: u64,
    /// True if the device reports coverage at all.
    pub has_coverage: bool,
    /// True if the run meets the activity for the first time.
    pub is_new_activity: bool,
    /// All units that ran, new or not; `None` if only the result is known.
    pub units: Option<&'a Coverage>,
    /// The screen, if the strategy wants screens and the state shows another one than the last time.
    pub screen: Option<&'a Screen>,
}
