//! What minimising cost, in counts that are the same on every machine, and how much it may cost.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    pub oracle_calls: u64,
    /// Rounds of oracle calls that could run in parallel.
    pub rounds: u64,
    /// Events executed, as the answers told them.
    pub events: u64,
    /// Questions of an algorithm that were answered from memory.
    pub remembered: u64,
}

/// Nothing is asked that would go beyond it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub oracle_calls: Option<u64>,
    pub rounds: Option<u64>,
    /// Checked between rounds: how long a run gets is only known afterwards.
    pub events: Option<u64>,
}

impl Budget {
    pub(crate) fn allows(&self, cost: &Cost, calls: u64) -> bool {
        self.oracle_calls.is_none_or(|most| cost.oracle_calls + calls <= most)
            && self.rounds.is_none_or(|most| cost.rounds < most)
            && self.events.is_none_or(|most| cost.events < most)
    }
}
