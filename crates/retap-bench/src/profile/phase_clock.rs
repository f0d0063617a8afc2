//! The phases of a run on the clock, and the processor time that each of them took.

use crate::process::{self, ThreadTime};
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a device is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Event,
    Restart,
    /// From nothing to the first screen.
    Start,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Event, Phase::Restart, Phase::Start];

    pub fn name(self) -> &'static str {
        match self {
            Phase::Event => "event",
            Phase::Restart => "restart",
            Phase::Start => "start",
        }
    }
}

/// One event, restart or start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseSpan {
    pub phase: Phase,
    /// Nanoseconds since 1970.
    pub begin_ns: u64,
    pub end_ns: u64,
    pub used: UsedTime,
}

/// The processor time of a process by what its threads are for, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsedTime {
    pub compile_ms: u64,
    pub collect_ms: u64,
    /// The time of the recorder itself, which a device without a profile does not spend.
    pub record_ms: u64,
    /// All other threads, those that have ended included.
    pub work_ms: u64,
}

impl UsedTime {
    fn of(process: u32) -> Self {
        Self::of_threads(process::cpu_ms(process), &process::threads(process))
    }

    /// Sorts threads by the names that the JVM gives its own. `all_ms` includes threads that have ended.
    fn of_threads(all_ms: u64, threads: &[ThreadTime]) -> Self {
        let sum = |prefixes: &[&str]| -> u64 {
            let ours = |it: &&ThreadTime| prefixes.iter().any(|prefix| it.name.starts_with(prefix));
            threads.iter().filter(ours).map(|it| it.cpu_ms).sum()
        };
        let compile_ms = sum(&["C1 Compiler", "C2 Compiler", "Sweeper thread"]);
        // The serial collector runs on the JVM's own thread, which does little else.
        let collect_ms = sum(&["VM Thread", "GC Thread", "G1 "]);
        let record_ms = sum(&["JFR "]);
        let work_ms = all_ms.saturating_sub(compile_ms + collect_ms + record_ms);
        Self { compile_ms, collect_ms, record_ms, work_ms }
    }

    fn since(self, earlier: Self) -> Self {
        Self {
            compile_ms: self.compile_ms.saturating_sub(earlier.compile_ms),
            collect_ms: self.collect_ms.saturating_sub(earlier.collect_ms),
            record_ms: self.record_ms.saturating_sub(earlier.record_ms),
            work_ms: self.work_ms.saturating_sub(earlier.work_ms),
        }
    }
}

/// Records phases as they end. What a process uses between two phases counts for the second.
#[derive(Debug, Default)]
pub struct PhaseClock {
    spans: Vec<PhaseSpan>,
    process: Option<u32>,
    used: UsedTime,
}

impl PhaseClock {
    /// Adds a phase that ends now.
    pub fn add(&mut self, phase: Phase, begin: SystemTime, process: Option<u32>) {
        let used = process.map(UsedTime::of).unwrap_or_default();
        let before = if process == self.process { self.used } else { UsedTime::default() };
        self.spans.push(PhaseSpan {
            phase,
            begin_ns: nanoseconds(begin),
            end_ns: nanoseconds(SystemTime::now()),
            used: used.since(before),
        });
        (self.process, self.used) = (process, used);
    }

    pub fn spans(&self) -> &[PhaseSpan] {
        &self.spans
    }
}

fn nanoseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_told_apart_by_name_and_ended_ones_count_as_work() {
        let thread = |name: &str, cpu_ms| ThreadTime { name: name.into(), cpu_ms };
        let threads = [
            thread("C1 CompilerThre", 30),
            thread("VM Thread", 20),
            thread("JFR Thread Samp", 5),
            thread("main", 100),
        ];
        let used = UsedTime::of_threads(200, &threads);
        assert_eq!((used.compile_ms, used.collect_ms, used.record_ms), (30, 20, 5));
        assert_eq!(used.work_ms, 145, "the threads alive did 100, an ended one 45");
    }

    #[test]
    fn a_new_process_begins_at_zero() {
        let this = Some(std::process::id());
        let mut clock = PhaseClock {
            process: Some(0),
            used: UsedTime { work_ms: u64::MAX, ..UsedTime::default() },
            ..PhaseClock::default()
        };
        while cfg!(target_os = "linux") && process::cpu_ms(std::process::id()) < 20 {}
        clock.add(Phase::Start, UNIX_EPOCH, this);
        assert!(clock.spans()[0].used.work_ms > 0 || !cfg!(target_os = "linux"));
        assert!(clock.spans()[0].begin_ns < clock.spans()[0].end_ns);
    }
}
