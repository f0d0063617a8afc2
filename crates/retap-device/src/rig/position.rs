//! A rig's position: the events since the last reset and the observations they gave.

use crate::device::SnapshotId;
use retap_model::{Event, Observation, WorldSeed};

/// The events since a reset. There is one observation more than events: the launch comes first.
#[derive(Debug, Clone)]
pub(super) struct RigPosition {
    pub world_seed: WorldSeed,
    pub events: Vec<Event>,
    pub observations: Vec<Observation>,
}

/// A snapshot and the position at which the device took it.
#[derive(Debug)]
pub(super) struct SavedPosition {
    pub id: SnapshotId,
    pub position: RigPosition,
}

impl RigPosition {
    /// Returns the position right after a reset.
    pub fn at_launch(world_seed: WorldSeed, launch: Observation) -> Self {
        Self { world_seed, events: Vec::new(), observations: vec![launch] }
    }

    /// Returns the latest observation.
    pub fn last(&self) -> &Observation {
        &self.observations[self.events.len()]
    }

    pub fn push(&mut self, event: Event, observation: Observation) {
        self.events.push(event);
        self.observations.push(observation);
    }

    /// Returns true if the device passes this position when it runs `events` from a clean install.
    pub fn is_prefix_of(&self, world_seed: WorldSeed, events: &[Event]) -> bool {
        self.world_seed == world_seed && events.starts_with(&self.events)
    }
}
