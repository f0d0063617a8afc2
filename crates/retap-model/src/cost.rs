//! The cost of a run, in counts that are exact and comparable between machines.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Exact counts of what something cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// Events that a device executed.
    pub events: u64,
    /// Events that a shared prefix or a snapshot made unnecessary.
    pub events_saved: u64,
    /// Clean installs with a launch.
    pub restarts: u64,
    pub saves: u64,
    pub restores: u64,
    pub oracle_calls: u64,
    /// Rounds of oracle calls that could run in parallel.
    pub rounds: u64,
    /// Lost devices that were replaced.
    pub devices_lost: u64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.events_saved += other.events_saved;
        self.restarts += other.restarts;
        self.saves += other.saves;
        self.restores += other.restores;
        self.oracle_calls += other.oracle_calls;
        self.rounds += other.rounds;
        self.devices_lost += other.devices_lost;
    }
}
