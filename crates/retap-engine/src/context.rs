//! The context of every operation: a reporter for its progress, and the flag that asks it to stop.

use retap_embedded::Listener;
use std::sync::atomic::{AtomicBool, Ordering};

/// Receives progress and remarks. The command line shows them; tests and servers may ignore them.
pub trait Reporter: Sync {
    /// Reports something worth knowing that is not the result.
    fn remark(&self, text: &str);

    /// Starts a progress bar towards `length`, or a spinner where the end is unknown.
    fn progress(&self, length: Option<u64>) -> Box<dyn ProgressBar>;

    /// Returns a listener that shows what a device does until it is ready.
    fn device_listener(&self) -> Listener;
}

/// A progress bar. It disappears when it is dropped.
pub trait ProgressBar: Send + Sync {
    fn update(&self, position: u64, message: String);

    /// Reports a remark without disturbing the bar.
    fn remark(&self, text: &str);
}

/// The surroundings of an operation.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub reporter: &'a dyn Reporter,
    /// Set when the user wants to stop. Operations then keep what they have and return.
    pub interrupt: &'a AtomicBool,
}

impl Context<'_> {
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub fn remark(&self, text: &str) {
        self.reporter.remark(text);
    }

    pub fn progress(&self, length: Option<u64>) -> Box<dyn ProgressBar> {
        self.reporter.progress(length)
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("interrupt", &self.interrupt).finish_non_exhaustive()
    }
}
