//! The snapshots that a device holds for a run: a bounded number, the one used longest ago given up first.

use crate::graph::Graph;
use retap_device::{DeviceError, Rig};
use retap_model::format::run::{TravelKind, TravelRow};
use retap_model::{Event, StateId};
use std::collections::VecDeque;

/// On a phone a snapshot is a gigabyte, on the fake a few kilobytes.
const MOST: usize = 64;

#[derive(Debug, Default)]
pub struct Snapshots {
    /// Used longest ago first.
    held: VecDeque<Held>,
}

#[derive(Debug)]
struct Held {
    state: StateId,
    way: Vec<Event>,
}

impl Snapshots {
    /// Keeps where the rig stands as this state, if the device can; what was done goes into the log.
    pub fn keep(
        &mut self,
        rig: &mut Rig<'_>,
        state: StateId,
        graph: &mut Graph,
    ) -> Result<Vec<TravelRow>, DeviceError> {
        let mut rows = Vec::new();
        if !rig.device()?.describe().snapshots {
            return Ok(rows);
        }
        // What a lost device held is gone with it.
        while rig.saved() < self.held.len() {
            if let Some(gone) = self.held.pop_front() {
                graph.set_saved(gone.state, false);
            }
        }
        let same = |held: &Held| held.state == state && held.way == rig.events();
        if let Some(at) = self.held.iter().position(same) {
            self.held.rotate_left(at + 1);
            return Ok(rows);
        }
        if !rig.save()? {
            return Ok(rows);
        }
        self.held.push_back(Held { state, way: rig.events().to_vec() });
        graph.set_saved(state, true);
        rows.push(TravelRow::new(TravelKind::Saved, state));
        while self.held.len() > MOST {
            let Some(oldest) = self.held.pop_front() else { break };
            rig.forget(&oldest.way)?;
            graph.set_saved(oldest.state, false);
            rows.push(TravelRow::new(TravelKind::Forgotten, oldest.state));
        }
        Ok(rows)
    }
}
