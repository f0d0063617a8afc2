//! `travel.jsonl`: what a run saved, when it was stuck, where it returned to and why. Nothing is decided
//! from it; it is there so that a run can be audited.

use crate::state::StateId;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TravelRow {
    /// How many lines of the trace, header aside, were there before.
    pub entry: u64,
    pub what: TravelKind,
    pub state: StateId,
    /// Steps of the way, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TravelKind {
    /// A snapshot was taken.
    Saved,
    /// A snapshot was given up for a newer one.
    Forgotten,
    /// A return that led where it should.
    Returned,
    /// As recorded the way no longer led there; another one was found.
    Repaired,
    /// A return that led elsewhere.
    Failed,
    /// A clean start that was chosen, not forced by a crash.
    Restarted,
}

impl TravelRow {
    pub fn new(what: TravelKind, state: StateId) -> Self {
        Self { entry: 0, what, state, steps: None, why: String::new() }
    }
}
