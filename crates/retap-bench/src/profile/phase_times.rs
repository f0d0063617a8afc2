//! The time of one phase of a run, all of its occurrences together, by what it was spent on.

use super::Phase;
use serde::Serialize;

/// Milliseconds. The parts from `compile_ms` to `native_ms` make up `cpu_ms`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PhaseTimes {
    pub phase: Phase,
    /// How often it occurred.
    pub count: u64,
    pub wall_ms: f64,
    pub cpu_ms: f64,
    pub compile_ms: f64,
    pub collect_ms: f64,
    pub load_ms: f64,
    pub interpreted_ms: f64,
    pub compiled_ms: f64,
    pub native_ms: f64,
    /// The part of `wall_ms` in which no thread worked or collected.
    pub waiting_ms: f64,
    /// The recorder's own processor time, which is not in `cpu_ms`.
    pub record_ms: f64,
    pub samples: u64,
}

/// The head of a table; the first column names the phase.
pub const HEAD: [&str; 13] = [
    "",
    "count",
    "seconds",
    "CPU s",
    "ms each",
    "share",
    "compile",
    "collect",
    "load",
    "interpreted",
    "compiled",
    "native",
    "waiting",
];

impl PhaseTimes {
    pub fn none(phase: Phase) -> Self {
        Self {
            phase,
            count: 0,
            wall_ms: 0.0,
            cpu_ms: 0.0,
            compile_ms: 0.0,
            collect_ms: 0.0,
            load_ms: 0.0,
            interpreted_ms: 0.0,
            compiled_ms: 0.0,
            native_ms: 0.0,
            waiting_ms: 0.0,
            record_ms: 0.0,
            samples: 0,
        }
    }

    pub fn sum(phases: &[Self]) -> Self {
        let mut sum = Self::none(Phase::Start);
        for phase in phases {
            sum.count += phase.count;
            sum.samples += phase.samples;
            for part in PARTS {
                *part(&mut sum) += *part(&mut phase.clone());
            }
        }
        sum
    }

    /// Returns the cells of a table's row. Shares are of the processor time, that of waiting is of the time that passed.
    pub fn row(&self, name: &str, all_cpu_ms: f64) -> Vec<String> {
        let share = |part: f64| percent(part, self.cpu_ms);
        vec![
            name.into(),
            self.count.to_string(),
            format!("{:.1}", self.wall_ms / 1e3),
            format!("{:.1}", self.cpu_ms / 1e3),
            format!("{:.1}", self.cpu_ms / self.count.max(1) as f64),
            percent(self.cpu_ms, all_cpu_ms),
            share(self.compile_ms),
            share(self.collect_ms),
            share(self.load_ms),
            share(self.interpreted_ms),
            share(self.compiled_ms),
            share(self.native_ms),
            percent(self.waiting_ms, self.wall_ms),
        ]
    }
}

/// All times, for sums.
const PARTS: [fn(&mut PhaseTimes) -> &mut f64; 10] = [
    |it| &mut it.wall_ms,
    |it| &mut it.cpu_ms,
    |it| &mut it.compile_ms,
    |it| &mut it.collect_ms,
    |it| &mut it.load_ms,
    |it| &mut it.interpreted_ms,
    |it| &mut it.compiled_ms,
    |it| &mut it.native_ms,
    |it| &mut it.waiting_ms,
    |it| &mut it.record_ms,
];

fn percent(part: f64, whole: f64) -> String {
    format!("{:.0}%", if whole > 0.0 { 100.0 * part / whole } else { 0.0 })
}
