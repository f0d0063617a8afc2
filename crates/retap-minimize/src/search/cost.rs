//! The cost of a search, in counts that are the same on every machine, and its limits.

use serde::{Deserialize, Serialize};

/// Exact counts of what a search has asked so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchCost {
    pub oracle_calls: u64,
    /// Rounds of oracle calls that could run in parallel.
    pub rounds: u64,
    /// Events executed, as the oracle's answers report them.
    pub events: u64,
    /// Candidates whose status was known from memory when an algorithm asked for them.
    pub remembered: u64,
}

/// Limits of a search. The examiner asks no question that would exceed one of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchBudget {
    pub oracle_calls: Option<u64>,
    pub rounds: Option<u64>,
    /// Checked between rounds, because the length of a run is only known afterwards.
    pub events: Option<u64>,
}

impl SearchBudget {
    /// Returns true if a further round of `calls` oracle calls stays within the limits.
    pub(crate) fn allows(&self, cost: &SearchCost, calls: u64) -> bool {
        self.oracle_calls.is_none_or(|limit| cost.oracle_calls + calls <= limit)
            && self.rounds.is_none_or(|limit| cost.rounds < limit)
            && self.events.is_none_or(|limit| cost.events < limit)
    }
}
