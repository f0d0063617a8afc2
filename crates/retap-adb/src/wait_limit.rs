//! The one clock of the crate: how long to wait for phones and servers.
#![allow(clippy::disallowed_methods)] // the one place that measures time and waits

use std::time::{Duration, Instant};

/// A time from now on after which waiting ends.
#[derive(Debug, Clone, Copy)]
pub struct WaitLimit {
    end: Instant,
}

impl WaitLimit {
    pub fn of(time: Duration) -> Self {
        Self { end: Instant::now() + time }
    }

    /// Waits a moment. Returns false if the time is over.
    pub fn wait(&self, moment: Duration) -> bool {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(moment.min(left));
        true
    }
}
