//! Requirements: the code units, states, crashes and hangs that a reduced suite must still cover.

use retap_model::{Coverage, CrashId, StateId, UnitId};

/// One thing that a reduced suite must still cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    Unit(UnitId),
    State(StateId),
    Crash(CrashId),
    NotResponding,
}

/// The kinds of requirements that count.
#[derive(Debug, Clone, PartialEq)]
pub struct RequirementScope {
    /// The code units that count: those of one kind, or none.
    pub units: Coverage,
    pub states: bool,
    /// Crashes and hangs.
    pub crashes: bool,
}
