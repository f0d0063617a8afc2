//! Which states are worth going back to: TimeMachine's first policy.

use crate::policy::{self, PolicyError};
use retap_model::Screen;
use retap_model::trace::StepResult;
use std::fmt;
use std::str::FromStr;

/// What a start or a step led to, beyond what its line says.
#[derive(Debug, Clone, Copy)]
pub struct Met<'a> {
    pub result: &'a StepResult,
    /// Whether its state was never met before in this run.
    pub first: bool,
    /// Code units that ran for the first time in this run.
    pub new_units: u64,
    /// Whether the device sees code at all.
    pub sees_code: bool,
    /// Whether its activity was met for the first time.
    pub new_activity: bool,
    /// What it looks like; only when its state was never met before.
    pub screen: Option<&'a Screen>,
}

/// Asked on the first visit of a state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Interesting {
    /// The paper's: reaching it executed new code. Where the device sees no code, any new state.
    #[default]
    NewCode,
    NewState,
    NewActivity,
}

impl Interesting {
    pub const ALL: [Interesting; 3] =
        [Interesting::NewCode, Interesting::NewState, Interesting::NewActivity];

    pub fn is(self, met: Met<'_>) -> bool {
        match self {
            Interesting::NewCode => met.new_units > 0 || !met.sees_code,
            Interesting::NewState => true,
            Interesting::NewActivity => met.new_activity,
        }
    }
}

impl fmt::Display for Interesting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Interesting::NewCode => "new-code",
            Interesting::NewState => "new-state",
            Interesting::NewActivity => "new-activity",
        })
    }
}

impl FromStr for Interesting {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        policy::by_name(text, &Self::ALL)
    }
}
