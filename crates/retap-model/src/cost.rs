//! The cost of a run, in counts that are exact and comparable between machines.

mod ledger;

pub use ledger::{CostLedger, RunPhase};

use serde::{Deserialize, Serialize};
use std::ops::{AddAssign, Sub};

/// Exact counts of what something cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cost {
    /// Events that a device executed.
    pub events: u64,
    /// Events that a shared prefix, a snapshot or a remembered execution made unnecessary.
    pub events_saved: u64,
    /// Clean installs with a launch.
    pub restarts: u64,
    pub saves: u64,
    pub restores: u64,
    /// Screens that a device has drawn as pictures.
    pub screenshots: u64,
    pub oracle_calls: u64,
    /// Rounds of oracle calls that could run in parallel.
    pub rounds: u64,
    /// Lost devices that were replaced.
    pub devices_lost: u64,
}

/// The time of a restart and of a screenshot in events, about as measured on the embedded device.
const EVENTS_PER_RESTART: u64 = 6;
const EVENTS_PER_SCREENSHOT: u64 = 12;

impl Cost {
    /// Returns the work behind the counts as a number of events, to compare and limit it.
    pub fn effort(&self) -> u64 {
        self.events
            + self.saves
            + self.restores
            + EVENTS_PER_RESTART * self.restarts
            + EVENTS_PER_SCREENSHOT * self.screenshots
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.events_saved += other.events_saved;
        self.restarts += other.restarts;
        self.saves += other.saves;
        self.restores += other.restores;
        self.screenshots += other.screenshots;
        self.oracle_calls += other.oracle_calls;
        self.rounds += other.rounds;
        self.devices_lost += other.devices_lost;
    }
}

impl Sub for Cost {
    type Output = Self;

    /// Returns what was added to `earlier` since: counts only grow.
    fn sub(self, earlier: Self) -> Self {
        Self {
            events: self.events - earlier.events,
            events_saved: self.events_saved - earlier.events_saved,
            restarts: self.restarts - earlier.restarts,
            saves: self.saves - earlier.saves,
            restores: self.restores - earlier.restores,
            screenshots: self.screenshots - earlier.screenshots,
            oracle_calls: self.oracle_calls - earlier.oracle_calls,
            rounds: self.rounds - earlier.rounds,
            devices_lost: self.devices_lost - earlier.devices_lost,
        }
    }
}
