//! The snapshots that a device holds for a run. Their number is bounded; the least recently used one is dropped first.

use crate::graph::StateGraph;
use retap_device::{DeviceError, Rig};
use retap_model::format::run::{TravelKind, TravelRow};
use retap_model::{Event, StateId};
use std::collections::VecDeque;

/// The largest number of snapshots. On a phone a snapshot takes a gigabyte, on the fake a few kilobytes.
const MAX_SNAPSHOTS: usize = 64;

#[derive(Debug, Default)]
pub struct HeldSnapshots {
    /// The least recently used one first.
    snapshots: VecDeque<HeldSnapshot>,
}

#[derive(Debug)]
struct HeldSnapshot {
    state: StateId,
    path: Vec<Event>,
}

impl HeldSnapshots {
    /// Saves the rig's position as a snapshot of this state, if the device can. Returns the rows for the travel log.
    pub fn save(
        &mut self,
        rig: &mut Rig<'_>,
        state: StateId,
        graph: &mut StateGraph,
    ) -> Result<Vec<TravelRow>, DeviceError> {
        let mut rows = Vec::new();
        if !rig.describe()?.snapshots {
            return Ok(rows);
        }
        self.drop_lost(rig, graph);
        let is_same = |held: &HeldSnapshot| held.state == state && held.path == rig.events();
        if let Some(index) = self.snapshots.iter().position(is_same) {
            self.snapshots.rotate_left(index + 1);
            return Ok(rows);
        }
        if !rig.save()? {
            return Ok(rows);
        }
        self.snapshots.push_back(HeldSnapshot { state, path: rig.events().to_vec() });
        graph.set_has_snapshot(state, true);
        rows.push(TravelRow::new(TravelKind::Saved, state));
        while self.snapshots.len() > MAX_SNAPSHOTS {
            let Some(oldest) = self.snapshots.pop_front() else { break };
            rig.forget(&oldest.path)?;
            graph.set_has_snapshot(oldest.state, false);
            rows.push(TravelRow::new(TravelKind::Forgotten, oldest.state));
        }
        Ok(rows)
    }

    /// Drops the snapshots that are gone because their device was lost.
    fn drop_lost(&mut self, rig: &Rig<'_>, graph: &mut StateGraph) {
        while rig.saved_count() < self.snapshots.len() {
            if let Some(lost) = self.snapshots.pop_front() {
                graph.set_has_snapshot(lost.state, false);
            }
        }
    }
}
