//! The log of the phone, and the lines that an observation adds to it in Android's words.

use super::clock::START_MS;
use retap_model::{Observation, Outcome};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Older entries are dropped, as in the ring of a phone.
const MAX_ENTRIES: usize = 50_000;
const SYSTEM_PID: u32 = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Buffer {
    Main,
    System,
    Crash,
    Events,
}

impl Buffer {
    pub fn name(self) -> &'static str {
        match self {
            Buffer::Main => "main",
            Buffer::System => "system",
            Buffer::Crash => "crash",
            Buffer::Events => "events",
        }
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Counted from the start of the phone.
    pub number: u64,
    /// Milliseconds since 1970 on the phone's clock.
    pub time_ms: u64,
    pub buffer: Buffer,
    pub pid: u32,
    pub level: char,
    pub tag: String,
    pub message: String,
}

/// The log, shared by the phone and the commands that follow it.
#[derive(Debug, Clone, Default)]
pub struct Log {
    shared: Arc<(Mutex<Ring>, Condvar)>,
}

#[derive(Debug, Default)]
struct Ring {
    entries: VecDeque<LogEntry>,
    next: u64,
    passed_ms: u64,
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn now_ms(&self) -> u64 {
        START_MS + self.lock().passed_ms
    }

    /// Returns the time since the phone was started.
    pub fn uptime_ms(&self) -> u64 {
        self.lock().passed_ms
    }

    /// Returns the entries from a number on.
    pub fn entries(&self, from: u64) -> Vec<LogEntry> {
        let ring = self.lock();
        let first = ring.entries.partition_point(|entry| entry.number < from);
        ring.entries.range(first..).cloned().collect()
    }

    /// Waits a moment for an entry with this number or a later one.
    pub fn wait(&self, number: u64, patience: Duration) {
        let ring = self.lock();
        if ring.next <= number {
            // Whether one came is seen by the next look.
            drop(self.shared.1.wait_timeout(ring, patience));
        }
    }

    pub fn clear(&self, buffers: &[Buffer]) {
        self.lock().entries.retain(|entry| !buffers.contains(&entry.buffer));
    }

    /// Adds a text, one entry a line.
    pub fn add(&self, buffer: Buffer, pid: u32, level: char, tag: &str, text: &str) {
        let mut ring = self.lock();
        for line in text.lines() {
            let (number, time_ms) = (ring.next, START_MS + ring.passed_ms);
            ring.next += 1;
            let (tag, message) = (tag.to_string(), line.to_string());
            ring.entries.push_back(LogEntry { number, time_ms, buffer, pid, level, tag, message });
        }
        while ring.entries.len() > MAX_ENTRIES {
            ring.entries.pop_front();
        }
        drop(ring);
        self.shared.1.notify_all();
    }

    /// Lets time pass, and adds what an app logged and how it ended.
    pub fn add_observation(&self, package: &str, pid: u32, observation: &Observation) {
        {
            let mut ring = self.lock();
            ring.passed_ms = ring.passed_ms.saturating_add(observation.elapsed_ms);
        }
        for line in &observation.log {
            let (level, tag, message) = split_line(line);
            self.add(Buffer::Main, pid, level, tag, message);
        }
        for limitation in &observation.host_limitations {
            self.add(Buffer::Main, pid, 'W', "retap", &format!("host limitation: {limitation}"));
        }
        match &observation.outcome {
            Outcome::Crashed(crash) => {
                let head =
                    format!("FATAL EXCEPTION: {}\nProcess: {package}, PID: {pid}", crash.thread);
                for doubt in &crash.doubts {
                    self.add(Buffer::Main, pid, 'W', "retap", &format!("doubt: {doubt}"));
                }
                let text = format!("{head}\n{}", crash.stack);
                self.add(Buffer::Crash, pid, 'E', "AndroidRuntime", &text);
                let died = format!("Process {package} (pid {pid}) has died");
                self.add(Buffer::System, SYSTEM_PID, 'I', "ActivityManager", &died);
            }
            Outcome::NotResponding { stack } => {
                let text = format!(
                    "ANR in {package}\nPID: {pid}\nReason: Input dispatching timed out (the main thread never came to rest)\n{stack}"
                );
                self.add(Buffer::System, SYSTEM_PID, 'E', "ActivityManager", &text);
            }
            Outcome::DeviceLost(loss) => {
                let text = format!(
                    "the device of {package} was lost with the app's data: {}",
                    loss.limitation()
                );
                self.add(Buffer::System, SYSTEM_PID, 'E', "retap", &text);
            }
            Outcome::Running | Outcome::Missed | Outcome::Left { .. } | Outcome::Exited => {}
        }
    }
}

/// Splits `I/Tag: message`.
fn split_line(line: &str) -> (char, &str, &str) {
    let mut letters = line.chars();
    match (letters.next(), letters.next(), line.split_once(": ")) {
        (Some(level), Some('/'), Some((head, message))) if level.is_ascii_uppercase() => {
            (level, head.get(2..).unwrap_or_default(), message)
        }
        _ => ('I', "app", line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::Crash;

    #[test]
    fn a_crash_is_logged_in_the_words_of_android() {
        let log = Log::default();
        let stack = "java.lang.RuntimeException: boom\n\tat a.B.c(B.java:1)";
        let observation = Observation {
            screen: Arc::default(),
            coverage: Arc::default(),
            elapsed_ms: 250,
            outcome: Outcome::Crashed(Arc::new(Crash::new("main", stack))),
            log: vec!["D/Tag: one\ntwo".into()],
            host_limitations: Vec::new(),
        };
        log.add_observation("a", 7, &observation);
        let entries = log.entries(0);
        let texts: Vec<&str> = entries.iter().map(|entry| entry.message.as_str()).collect();
        assert_eq!(
            texts[..6],
            [
                "one",
                "two",
                "FATAL EXCEPTION: main",
                "Process: a, PID: 7",
                "java.lang.RuntimeException: boom",
                "\tat a.B.c(B.java:1)",
            ]
        );
        assert_eq!((entries[0].level, entries[0].tag.as_str()), ('D', "Tag"));
        assert_eq!((entries[2].buffer, entries[2].level), (Buffer::Crash, 'E'));
        assert_eq!(log.now_ms(), START_MS + 250);
        log.clear(&[Buffer::Crash]);
        assert!(log.entries(0).iter().all(|entry| entry.buffer != Buffer::Crash));
    }
}
