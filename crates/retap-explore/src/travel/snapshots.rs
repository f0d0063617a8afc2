//! The snapshots that a device holds for a run.

use super::SnapshotLedger;
use retap_device::{DeviceError, Rig};
use retap_model::format::run::{TravelKind, TravelRow};
use retap_model::{Event, StateId};

#[derive(Debug, Default)]
pub struct HeldSnapshots {
    snapshots: Vec<HeldSnapshot>,
}

#[derive(Debug)]
struct HeldSnapshot {
    state: StateId,
    path: Vec<Event>,
}

impl HeldSnapshots {
    /// Saves the rig's position as a snapshot of this state, if the device can, and forgets the snapshots that the
    /// ledger has dropped. Returns the rows for the travel log.
    pub fn save(
        &mut self,
        rig: &mut Rig<'_>,
        state: StateId,
        ledger: &SnapshotLedger,
    ) -> Result<Vec<TravelRow>, DeviceError> {
        let mut rows = Vec::new();
        if !rig.describe()?.snapshots {
            return Ok(rows);
        }
        if rig.saved_count() < self.snapshots.len() {
            // A lost device takes all its snapshots with it.
            self.snapshots.clear();
        }
        let is_held = |held: &HeldSnapshot| held.state == state && held.path == rig.events();
        if self.snapshots.iter().any(is_held) || !rig.save()? {
            return Ok(rows);
        }
        self.snapshots.push(HeldSnapshot { state, path: rig.events().to_vec() });
        rows.push(TravelRow::new(TravelKind::Saved, state));
        let is_dropped = |held: &mut HeldSnapshot| !ledger.holds(held.state, &held.path);
        for dropped in self.snapshots.extract_if(.., is_dropped) {
            rig.forget(&dropped.path)?;
            rows.push(TravelRow::new(TravelKind::Forgotten, dropped.state));
        }
        Ok(rows)
    }
}
