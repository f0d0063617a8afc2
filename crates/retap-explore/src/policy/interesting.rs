//! TimeMachine's first policy: which states are worth going back to.

use super::settings::{PolicyError, parse_name};
use crate::exploration::Novelty;
use std::fmt;
use std::str::FromStr;

/// The condition that makes a state interesting. It is checked on the first visit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InterestingPolicy {
    /// The paper's: reaching the state ran new code. Where the device reports no coverage, any new state.
    #[default]
    NewCode,
    NewState,
    NewActivity,
}

impl InterestingPolicy {
    pub const ALL: [InterestingPolicy; 3] =
        [InterestingPolicy::NewCode, InterestingPolicy::NewState, InterestingPolicy::NewActivity];

    /// Returns true if a state that is visited for the first time with this novelty is interesting.
    pub fn is_interesting(self, novelty: Novelty<'_>) -> bool {
        match self {
            InterestingPolicy::NewCode => novelty.new_units > 0 || !novelty.has_coverage,
            InterestingPolicy::NewState => true,
            InterestingPolicy::NewActivity => novelty.is_new_activity,
        }
    }
}

impl fmt::Display for InterestingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InterestingPolicy::NewCode => "new-code",
            InterestingPolicy::NewState => "new-state",
            InterestingPolicy::NewActivity => "new-activity",
        })
    }
}

impl FromStr for InterestingPolicy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        parse_name(text, &Self::ALL)
    }
}
