//! Faults of the device itself, so that tests can watch the lab recover. They count events over the
//! device's whole life.

use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug)]
pub(crate) struct Fault {
    pub kind: FaultKind,
    pub at: u64,
    /// True if the fault strikes one of all connected devices, so that the fresh device works.
    pub once: bool,
    pub is_spent: AtomicBool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The app stops responding.
    Hang,
    /// Every call fails from here on.
    Die,
    /// The observation comes before the app is at rest, with the screen as it was.
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

/// Returns the fault at this event, if any.
pub(crate) fn find_fault(faults: &[Fault], event: u64) -> Option<FaultKind> {
    faults
        .iter()
        .find(|fault| {
            fault.at == event && !(fault.once && fault.is_spent.swap(true, Ordering::Relaxed))
        })
        .map(|fault| fault.kind)
}
