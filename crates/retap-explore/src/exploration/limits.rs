//! The limits of an exploration.

use super::ExplorationTotals;

/// A run is given up after this many launches in a row that the app did not survive.
const MAX_FAILED_LAUNCHES: u64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExplorationLimits {
    pub max_events: u64,
    /// A trace of this many events ends and a new one begins, so that every trace stays short enough to be replayed,
    /// minimised and held in memory.
    pub trace_length: usize,
}

impl ExplorationLimits {
    /// Returns false at the event limit and for an app that does not survive its launch: it offers nothing to explore.
    pub(super) fn allow_another_move(&self, totals: &ExplorationTotals) -> bool {
        totals.events < self.max_events && totals.failed_launches < MAX_FAILED_LAUNCHES
    }

    /// Returns the number of events that the path of a return must stay below. The events left of the run count only
    /// if the events of a return do.
    pub(super) fn path_limit(&self, events: u64, has_snapshots: bool) -> usize {
        let events_left = self.events_left(events) as usize;
        if has_snapshots { self.trace_length } else { self.trace_length.min(events_left) }
    }

    pub(super) fn events_left(&self, events: u64) -> u64 {
        self.max_events.saturating_sub(events)
    }
}
