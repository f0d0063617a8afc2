//! What something took: on the clock, and of the processor, which a busy machine changes less.

use super::super::process::family_cpu_ms;
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Time {
    pub seconds: f64,
    /// Of this process and of the devices.
    pub cpu_seconds: f64,
}

#[derive(Debug)]
pub struct Watch {
    started: Instant,
    cpu_ms: u64,
}

impl Watch {
    pub fn start() -> Self {
        Self { started: Instant::now(), cpu_ms: family_cpu_ms() }
    }

    pub fn stop(&self) -> Time {
        let used = family_cpu_ms().saturating_sub(self.cpu_ms);
        Time { seconds: self.started.elapsed().as_secs_f64(), cpu_seconds: used as f64 / 1000.0 }
    }
}
