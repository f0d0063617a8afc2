//! Snapshots of emulators: saved and loaded by the console, and checked: what is restored must show what was saved.

use super::AdbDevice;
use crate::wait_limit::WaitLimit;
use retap_device::{DeviceError, SnapshotId};
use retap_model::{Observation, Outcome, Screen};
use std::sync::Arc;
use std::time::Duration;

/// A restored emulator shows its screen within this time.
const READY: Duration = Duration::from_secs(60);
const MOMENT: Duration = Duration::from_millis(300);

/// What a phone showed when it was saved.
#[derive(Debug, Clone)]
pub struct SavedPhone {
    screen: Arc<Screen>,
    outcome: Outcome,
}

fn name(snapshot: SnapshotId) -> String {
    format!("retap-{}", snapshot.0)
}

impl AdbDevice {
    pub(super) fn save_snapshot(&mut self) -> Result<SnapshotId, DeviceError> {
        let Some(console) = &self.console else {
            return Err(DeviceError::Unsupported("save its state: only emulators can"));
        };
        let id = SnapshotId(self.saves);
        let saved = console.command(&format!("avd snapshot save {}", name(id)));
        saved.map_err(|failure| failure.lost())?;
        self.saves += 1;
        let saved = SavedPhone { screen: Arc::clone(&self.screen), outcome: self.outcome.clone() };
        self.saved.insert(id, saved);
        Ok(id)
    }

    pub(super) fn restore_snapshot(&mut self, id: SnapshotId) -> Result<Observation, DeviceError> {
        let Some(console) = &self.console else {
            return Err(DeviceError::Unsupported("restore a saved state: only emulators can"));
        };
        let Some(saved) = self.saved.get(&id).cloned() else {
            return Err(DeviceError::lost(format!("it has no snapshot {}", id.0)));
        };
        let loaded = console.command(&format!("avd snapshot load {}", name(id)));
        loaded.map_err(|failure| failure.lost())?;
        // The phone's clock goes back with its state, so that times of the log mean nothing any more.
        self.log_since.clear();
        let patience = WaitLimit::of(READY);
        loop {
            match self.look() {
                Ok(seen) if seen.screen == saved.screen && seen.outcome == saved.outcome => {
                    return self.remember(Observation { elapsed_ms: 0, log: Vec::new(), ..seen });
                }
                // Its services and its connection to adb come back one by one.
                Ok(_) | Err(DeviceError::Lost(_)) if patience.wait(MOMENT) => {}
                Ok(_) => {
                    let reason = "it does not show what was saved after a snapshot was loaded";
                    return Err(DeviceError::lost(reason));
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn forget_snapshot(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        self.saved.remove(&id);
        if let Some(console) = &self.console {
            let deleted = console.command(&format!("avd snapshot delete {}", name(id)));
            deleted.map_err(|failure| failure.lost())?;
        }
        Ok(())
    }
}
