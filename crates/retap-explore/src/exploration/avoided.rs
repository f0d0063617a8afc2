//! Events that led to a host limitation. What follows them on a phone cannot be seen here, so they are not worth
//! another try.

use super::is_host_limitation;
use retap_model::hash::StableHasher;
use retap_model::{Event, StateId, Trace};
use std::collections::BTreeSet;

/// A fold over recorded steps.
#[derive(Debug, Clone, Default)]
pub struct AvoidedEvents {
    /// Hashes of a state and an event.
    hashes: BTreeSet<u64>,
}

impl AvoidedEvents {
    /// Learns from the last step of a trace.
    pub(super) fn record(&mut self, trace: &Trace) {
        let Some((step, before)) = trace.steps.split_last() else { return };
        let state = trace.result_after(before.len()).state;
        if let Some(state) = state.filter(|_| is_host_limitation(&step.result)) {
            self.hashes.insert(hash(state, &step.event));
        }
    }

    /// Returns true if this event led to a host limitation in this state.
    pub fn contains(&self, state: Option<StateId>, event: &Event) -> bool {
        !self.hashes.is_empty()
            && state.is_some_and(|state| self.hashes.contains(&hash(state, event)))
    }
}

/// Hashes the state, and the event by its stable name, which leaves out the place of a touch.
fn hash(state: StateId, event: &Event) -> u64 {
    let mut hasher = StableHasher::new("avoided");
    hasher.u64(state.0).str(&event.stable_name());
    hasher.finish()
}
