//! The measurements of one suite that was reduced with one k.

use super::stopwatch::TimeSpent;
use retap_reduce::{LowerBound, RESTART_EFFORT, ReductionStages, ReductionStats, SizeAndCost};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MeasuredReduction {
    pub app: String,
    pub strategy: String,
    pub abstraction: String,
    pub k: usize,
    pub stages: ReductionStages,
    pub lower_bound: Option<LowerBound>,
    /// The suite's cost above the bound, as a share of the bound.
    pub gap: Option<f64>,
    #[serde(rename = "tally")]
    pub stats: ReductionStats,
    /// Recordings that do not replay to their end, and requirements that were lost with them.
    pub quarantined: usize,
    pub unstable: usize,
    /// Replays on a device.
    pub executions: u64,
    pub events: u64,
    pub events_saved: u64,
    pub restarts: u64,
    pub to_record: TimeSpent,
    pub to_reduce: TimeSpent,
    /// Seconds of `to_reduce` in which devices ran.
    pub seconds_replaying: f64,
    /// One run of the reduced suite. One run of the original takes as long as recording it.
    pub of_suite: TimeSpent,
    /// The peak memory of this process so far.
    pub memory_mb: u64,
}

impl MeasuredReduction {
    /// Returns the factor by which the number of steps fell.
    pub fn factor(&self) -> f64 {
        self.stages.recorded.steps as f64 / self.stages.phase_3.steps.max(1) as f64
    }

    /// Returns the share of candidates that replayed, of those that ran.
    pub fn replayable(&self) -> f64 {
        self.stats.faithful as f64 / self.stats.replayed.max(1) as f64
    }

    /// Returns the replayed events relative to the recorded ones; a restart counts as fifteen events.
    pub fn effort(&self) -> f64 {
        let SizeAndCost { steps, restarts, .. } = self.stages.recorded;
        self.stats.effort as f64 / (steps + RESTART_EFFORT * restarts).max(1) as f64
    }

    /// Returns the number of replays that did not run because their answer was known.
    pub fn saved(&self) -> u64 {
        self.stats.traces_saved + self.stats.known_replayable
    }

    pub fn seconds_computing(&self) -> f64 {
        (self.to_reduce.seconds - self.seconds_replaying).max(0.0)
    }

    /// Returns the processor time of reducing relative to recording.
    pub fn relative_time(&self) -> f64 {
        self.to_reduce.cpu_seconds / self.to_record.cpu_seconds.max(0.01)
    }

    /// Returns the factor by which the suite's processor time fell, if there is enough of it to measure.
    pub fn speed_up(&self) -> Option<f64> {
        let TimeSpent { cpu_seconds, .. } = self.of_suite;
        (cpu_seconds >= 0.2).then(|| self.to_record.cpu_seconds / cpu_seconds)
    }
}
