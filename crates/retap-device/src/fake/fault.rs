//! Ways in which the device itself misbehaves, so that a lab can be tested. Events are counted over
//! the device's whole life.

use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    pub at: u64,
    /// Once among all devices of a connection: the fresh device that takes over is sound.
    pub once: bool,
    pub is_spent: AtomicBool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The app stops responding.
    Hang,
    /// Every call fails from here on.
    Die,
    /// Answers before the app is at rest: with the screen as it was.
    Lie,
    /// This one call fails.
    Lose,
}

impl FaultKind {
    pub fn named(name: &str) -> Option<FaultKind> {
        match name {
            "hang" => Some(FaultKind::Hang),
            "die" => Some(FaultKind::Die),
            "lie" => Some(FaultKind::Lie),
            "lose" => Some(FaultKind::Lose),
            _ => None,
        }
    }
}

/// The fault that find_fault at this event, if any.
pub(crate) fn find_fault(faults: &[Fault], event: u64) -> Option<FaultKind> {
    faults
        .iter()
        .find(|fault| {
            fault.at == event && !(fault.once && fault.is_spent.swap(true, Ordering::Relaxed))
        })
        .map(|fault| fault.kind)
}
