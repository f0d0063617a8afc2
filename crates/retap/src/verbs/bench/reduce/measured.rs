//! One suite, reduced with one k, in numbers.

use super::time::Time;
use retap_reduce::{LowerBound, RESTART, Size, Stages, Tally};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Measured {
    pub app: String,
    pub strategy: String,
    pub abstraction: String,
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
    pub restarts: u64,
    pub to_record: Time,
    pub to_reduce: Time,
    /// Of these seconds, in which a device ran.
    pub seconds_replaying: f64,
    /// To run the reduced suite once; the original's is what it took to record.
    pub of_suite: Time,
    /// The most that this process has held so far.
    pub memory_mb: u64,
}

impl Measured {
    /// How many times fewer steps.
    pub fn factor(&self) -> f64 {
        self.stages.recorded.steps as f64 / self.stages.phase_3.steps.max(1) as f64
    }

    /// Candidates that replayed, of those that were run.
    pub fn replayable(&self) -> f64 {
        self.tally.faithful as f64 / self.tally.replayed.max(1) as f64
    }

    /// Events that replays took beside those recorded, a restart counted as fifteen.
    pub fn effort(&self) -> f64 {
        let Size { steps, restarts, .. } = self.stages.recorded;
        self.tally.effort as f64 / (steps + RESTART * restarts).max(1) as f64
    }

    /// Replays that were not run because their answer was known.
    pub fn saved(&self) -> u64 {
        self.tally.traces_saved + self.tally.known
    }

    pub fn seconds_computing(&self) -> f64 {
        (self.to_reduce.seconds - self.seconds_replaying).max(0.0)
    }

    /// Processor time to reduce beside that to record.
    pub fn time(&self) -> f64 {
        self.to_reduce.cpu_seconds / self.to_record.cpu_seconds.max(0.01)
    }

    /// Processor time of the original suite beside that of the reduced one, where there is enough of it to be
    /// measured.
    pub fn faster(&self) -> Option<f64> {
        let Time { cpu_seconds, .. } = self.of_suite;
        (cpu_seconds >= 0.2).then(|| self.to_record.cpu_seconds / cpu_seconds)
    }
}
