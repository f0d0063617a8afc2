//! Exploring from where the app is.

use super::{DriveSession, LIMITS};
use retap_device::DeviceError;
use retap_engine::Failure;
use retap_explore::ExploreError;
use retap_model::{CrashId, UnitKind};
use serde::Serialize;
use std::collections::BTreeSet;

/// What an exploration found.
#[derive(Debug, Clone, Serialize)]
pub struct ExploredPart {
    pub events: u64,
    pub new_states: usize,
    pub states: usize,
    pub new_crashes: Vec<CrashId>,
    /// The percentage of covered branches, or of methods if the device sees no branches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered: Option<f64>,
    /// True if it was interrupted before it had its events.
    pub interrupted: bool,
}

impl DriveSession<'_, '_> {
    /// Lets the strategy `auto` choose this many events.
    pub fn explore(&mut self, events: u64) -> Result<ExploredPart, Failure> {
        self.undraw()?;
        let before = self.exploration.totals().clone();
        let known: BTreeSet<CrashId> = before.crashes.keys().copied().collect();
        let progress = self.context.progress(Some(events));
        let interrupted = loop {
            let done = self.exploration.totals().events - before.events;
            let crashes = self.exploration.totals().crashes.len() - known.len();
            progress.update(
                done,
                format!("exploring: {done} of {events} events, {crashes} new crashes"),
            );
            if done >= events || self.context.is_interrupted() {
                break done < events;
            }
            match self.exploration.advance(self.lab.rig(), &self.app, LIMITS) {
                Ok(_) => {}
                Err(ExploreError::Device(DeviceError::Interrupted)) => {
                    break true;
                }
                Err(error) => return Err(error.into()),
            }
        };
        self.exploration.flush()?;
        let totals = self.exploration.totals();
        let counts = self.app.units.count(&totals.coverage);
        let kinds = [UnitKind::Branch, UnitKind::Method];
        Ok(ExploredPart {
            events: totals.events - before.events,
            new_states: totals.states.len() - before.states.len(),
            states: totals.states.len(),
            new_crashes: totals.crashes.keys().filter(|id| !known.contains(id)).copied().collect(),
            covered: kinds.iter().find_map(|kind| counts.get(kind)).map(|count| count.percent()),
            interrupted,
        })
    }
}
