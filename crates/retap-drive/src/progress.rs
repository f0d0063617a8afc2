//! What a session is doing, for those who watch it from another thread.

use retap_embedded::{Listener, Notice};
use retap_engine::{ProgressBar, Reporter};
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The remarks that are kept for those who come late.
const MAX_REMARKS: usize = 200;

/// The progress at one moment.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ProgressReport {
    /// It grows with every change.
    pub version: u64,
    /// What is going on; empty if the session waits.
    pub doing: String,
    pub position: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// The newest last.
    pub remarks: VecDeque<String>,
}

/// A reporter that remembers, and wakes whoever waits for a change.
#[derive(Debug, Clone, Default)]
pub struct SharedProgress {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    report: Mutex<ProgressReport>,
    changed: Condvar,
}

impl SharedProgress {
    pub fn report(&self) -> ProgressReport {
        self.lock().clone()
    }

    /// Waits until something has changed since this version, at most so long.
    pub fn wait(&self, version: u64, longest: Duration) -> ProgressReport {
        let is_old = |report: &mut ProgressReport| report.version == version;
        let waited = self.inner.changed.wait_timeout_while(self.lock(), longest, is_old);
        match waited {
            Ok((report, _)) => report.clone(),
            Err(poisoned) => poisoned.into_inner().0.clone(),
        }
    }

    /// Says what is going on; an empty text says that nothing is.
    pub fn set_doing(&self, doing: &str) {
        self.change(|report| {
            report.doing = doing.into();
            report.position = 0;
            report.length = None;
        });
    }

    /// Returns the remarks and forgets them.
    pub fn take_remarks(&self) -> Vec<String> {
        self.lock().remarks.drain(..).collect()
    }

    /// Tells those who wait that something else has changed.
    pub fn touch(&self) {
        self.change(|_| {});
    }

    fn change(&self, change: impl FnOnce(&mut ProgressReport)) {
        let mut report = self.lock();
        change(&mut report);
        report.version += 1;
        drop(report);
        self.inner.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ProgressReport> {
        // A report is whole at every moment, whoever panicked.
        self.inner.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reporter for SharedProgress {
    fn remark(&self, text: &str) {
        self.change(|report| {
            report.remarks.push_back(text.into());
            if report.remarks.len() > MAX_REMARKS {
                report.remarks.pop_front();
            }
        });
    }

    fn progress(&self, length: Option<u64>) -> Box<dyn ProgressBar> {
        self.change(|report| report.length = length);
        Box::new(self.clone())
    }

    fn device_listener(&self) -> Listener {
        let progress = self.clone();
        Arc::new(move |notice| match notice {
            Notice::Progress(text) => progress.change(|report| report.doing = text.into()),
            Notice::Remark(text) => Reporter::remark(&progress, text),
            Notice::Ready => progress.touch(),
        })
    }
}

impl ProgressBar for SharedProgress {
    fn update(&self, position: u64, message: String) {
        self.change(|report| {
            report.position = position;
            report.doing = message;
        });
    }

    fn remark(&self, text: &str) {
        Reporter::remark(self, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_wakes_those_who_wait_and_old_remarks_go() {
        let progress = SharedProgress::default();
        let watcher = progress.clone();
        let before = progress.report().version;
        std::thread::scope(|scope| {
            let seen = scope.spawn(|| watcher.wait(before, Duration::from_secs(60)));
            for number in 0..MAX_REMARKS + 5 {
                Reporter::remark(&progress, &number.to_string());
            }
            assert!(seen.join().unwrap().version > before);
        });
        let report = progress.report();
        assert_eq!(report.remarks.len(), MAX_REMARKS);
        assert_eq!(report.remarks.back().unwrap(), &(MAX_REMARKS + 4).to_string());
    }

    #[test]
    fn nothing_new_is_told_after_a_while() {
        let progress = SharedProgress::default();
        let version = progress.report().version;
        assert_eq!(progress.wait(version, Duration::from_millis(1)).version, version);
    }
}
