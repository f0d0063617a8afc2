//! One suite, reduced with one k, in numbers.

use retap_reduce::{LowerBound, Size, Stages, Tally};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Measured {
    pub app: String,
    pub strategy: String,
    pub k: usize,
    pub stages: Stages,
    pub lower_bound: Option<LowerBound>,
    /// How far above the bound the suite is.
    pub gap: Option<f64>,
    pub tally: Tally,
    /// Recordings of which some end did not replay, and what was lost with them.
    pub quarantined: usize,
    pub unstable: usize,
    /// Replays that ran on a device.
    pub executions: u64,
    pub events: u64,
    pub events_saved: u64,
    pub seconds_to_record: f64,
    pub seconds_to_reduce: f64,
    /// Of these, in which a device ran.
    pub seconds_replaying: f64,
    /// To run the reduced suite once; the original's are those it took to record.
    pub seconds_of_suite: f64,
    /// The most that this process has held so far.
    pub memory_mb: u64,
}

impl Measured {
    /// How many times fewer steps.
    pub fn factor(&self) -> f64 {
        self.stages.recorded.steps as f64 / self.stages.phase_2.steps.max(1) as f64
    }

    /// Candidates that replayed, of those that were run.
    pub fn replayable(&self) -> f64 {
        self.tally.faithful as f64 / self.tally.replayed.max(1) as f64
    }

    /// Events that replays took beside those recorded, a restart counted as ten.
    pub fn effort(&self) -> f64 {
        let Size { steps, restarts, .. } = self.stages.recorded;
        self.tally.effort as f64 / (steps + 10 * restarts).max(1) as f64
    }

    /// Replays that were not run because their answer was known.
    pub fn saved(&self) -> u64 {
        self.tally.traces_saved + self.tally.known
    }

    pub fn seconds_computing(&self) -> f64 {
        (self.seconds_to_reduce - self.seconds_replaying).max(0.0)
    }
}
