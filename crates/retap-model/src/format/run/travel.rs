//! `travel.jsonl`: snapshots, returns and chosen restarts of a run, with reasons. No decision
//! depends on it; it exists so that a run can be audited.

use crate::state::StateId;
use serde::{Deserialize, Serialize};

/// A line of `travel.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TravelRow {
    /// The number of lines in the trace before this one, without the header.
    pub entry: u64,
    pub what: TravelKind,
    pub state: StateId,
    /// The length of the path, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// The kind of a line of `travel.jsonl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TravelKind {
    /// The device took a snapshot.
    Saved,
    /// The run dropped a snapshot in favour of a newer one.
    Forgotten,
    /// A return reached its state.
    Returned,
    /// The recorded path no longer led to the state, and the run found another one.
    Repaired,
    /// A return led elsewhere.
    Failed,
    /// The run chose a restart without being forced by a crash.
    Restarted,
}

impl TravelRow {
    pub fn new(what: TravelKind, state: StateId) -> Self {
        Self { entry: 0, what, state, steps: None, why: String::new() }
    }
}
