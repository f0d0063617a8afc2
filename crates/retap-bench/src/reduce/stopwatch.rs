//! Measures wall time and processor time. A busy machine changes processor time less.

use crate::process::family_cpu_ms;
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct TimeSpent {
    pub seconds: f64,
    /// Processor time of this process and of its devices.
    pub cpu_seconds: f64,
}

#[derive(Debug)]
pub struct Stopwatch {
    started: Instant,
    cpu_ms: u64,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self { started: Instant::now(), cpu_ms: family_cpu_ms() }
    }

    pub fn stop(&self) -> TimeSpent {
        let used = family_cpu_ms().saturating_sub(self.cpu_ms);
        TimeSpent {
            seconds: self.started.elapsed().as_secs_f64(),
            cpu_seconds: used as f64 / 1000.0,
        }
    }
}
