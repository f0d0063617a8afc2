//! Which snapshots a run holds, by its recorded entries alone. Their number is bounded, and the least recently used
//! one is dropped first.
//!
//! The ledger decides how many events a return counts as. It is a fold over recorded entries, so a resumed run counts
//! like the uninterrupted one, though its device has to take the snapshots anew.

use retap_model::hash::StableHasher;
use retap_model::{Event, StateId};
use std::collections::VecDeque;

/// The largest number of snapshots. On a phone a snapshot takes a gigabyte, on the fake a few kilobytes.
const MAX_SNAPSHOTS: usize = 64;

#[derive(Debug, Clone, Default)]
pub struct SnapshotLedger {
    /// The least recently used one first.
    snapshots: VecDeque<LedgerEntry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LedgerEntry {
    state: StateId,
    /// A hash of the events from the clean install on.
    path: u64,
}

impl SnapshotLedger {
    /// Records that a snapshot of a state was saved or used. Returns the state whose snapshot makes room for it.
    pub fn record<'e>(
        &mut self,
        state: StateId,
        path: impl Iterator<Item = &'e Event>,
    ) -> Option<StateId> {
        let entry = LedgerEntry { state, path: hash_path(path) };
        self.snapshots.retain(|held| *held != entry);
        self.snapshots.push_back(entry);
        let is_full = self.snapshots.len() > MAX_SNAPSHOTS;
        is_full.then(|| self.snapshots.pop_front())?.map(|dropped| dropped.state)
    }

    /// Returns true if the snapshot of this state after this path is held.
    pub fn holds(&self, state: StateId, path: &[Event]) -> bool {
        self.snapshots.contains(&LedgerEntry { state, path: hash_path(path.iter()) })
    }

    /// Returns the number of events that the best snapshot spares on this path.
    pub fn events_spared(&self, path: &[Event]) -> usize {
        let mut hash = LAUNCH;
        let mut spared = 0;
        for (index, event) in path.iter().enumerate() {
            hash = hash_next(hash, event);
            if self.snapshots.iter().any(|held| held.path == hash) {
                spared = index + 1;
            }
        }
        spared
    }
}

/// The hash of a path without events.
const LAUNCH: u64 = 0;

fn hash_path<'e>(path: impl Iterator<Item = &'e Event>) -> u64 {
    path.fold(LAUNCH, hash_next)
}

fn hash_next(before: u64, event: &Event) -> u64 {
    let mut hasher = StableHasher::new("path");
    hasher.u64(before).str(&format!("{event:?}"));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::Key;

    fn path(names: &[&str]) -> Vec<Event> {
        names.iter().map(|name| Event::Key(Key::new(name).unwrap())).collect()
    }

    #[test]
    fn the_least_recently_used_snapshot_makes_room() {
        let mut ledger = SnapshotLedger::default();
        let numbered = |n: usize| path(&["a", &format!("k{n}")]);
        for n in 0..MAX_SNAPSHOTS {
            assert_eq!(ledger.record(StateId(n as u64), numbered(n).iter()), None);
        }
        assert_eq!(ledger.record(StateId(0), numbered(0).iter()), None, "used again");
        assert_eq!(ledger.record(StateId(99), numbered(99).iter()), Some(StateId(1)));
        assert!(ledger.holds(StateId(0), &numbered(0)));
        assert!(!ledger.holds(StateId(1), &numbered(1)));
    }

    #[test]
    fn a_snapshot_on_the_way_spares_the_events_before_it() {
        let mut ledger = SnapshotLedger::default();
        ledger.record(StateId(1), path(&["a"]).iter());
        ledger.record(StateId(2), path(&["a", "b"]).iter());
        assert_eq!(ledger.events_spared(&path(&["a", "b", "c", "d"])), 2);
        assert_eq!(ledger.events_spared(&path(&["a", "c"])), 1);
        assert_eq!(ledger.events_spared(&path(&["b"])), 0);
    }
}
