//! Success rates: the share of runs that succeed, with a confidence interval of the true rate.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of successes in a number of runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    pub successes: u64,
    pub runs: u64,
}

impl Rate {
    /// Counts one more run.
    pub fn add(&mut self, success: bool) {
        self.runs += 1;
        self.successes += u64::from(success);
    }

    /// Returns the share of successes, or zero without runs.
    pub fn value(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.successes as f64 / self.runs as f64 }
    }

    /// Returns Wilson's 95% interval, which is honest for few runs and for rates near zero and one.
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.959_963_984_540_054;
        if self.runs == 0 {
            return (0.0, 1.0);
        }
        let n = self.runs as f64;
        let p = self.value();
        let centre = p + Z * Z / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        (((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0))
    }
}

/// Writes `18 of 20 (90%, 95% interval 70%–97%)`.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.interval();
        let percent = |share: f64| (share * 100.0).round();
        write!(
            f,
            "{} of {} ({}%, 95% interval {}%–{}%)",
            self.successes,
            self.runs,
            percent(self.value()),
            percent(low),
            percent(high)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_are_those_of_the_textbook() {
        let check = |successes, runs, low: f64, high: f64| {
            let (l, h) = Rate { successes, runs }.interval();
            assert!((l - low).abs() < 5e-4 && (h - high).abs() < 5e-4, "{l} {h}");
        };
        check(10, 10, 0.7225, 1.0);
        check(0, 10, 0.0, 0.2775);
        check(18, 20, 0.6990, 0.9721);
        check(0, 0, 0.0, 1.0);
    }

    #[test]
    fn a_rate_reads_like_a_sentence() {
        let rate = Rate { successes: 18, runs: 20 };
        assert_eq!(rate.to_string(), "18 of 20 (90%, 95% interval 70%–97%)");
    }
}
