//! Returns to a state: by snapshot if the device has one, else by running a path to it again, a shortcut or the
//! shortest recorded one.
//!
//! Either way the state at the end is compared with the destination. A path that no longer leads there is repaired
//! from where it went wrong, along events that are known to lead on.

use crate::graph::{PathStep, StateGraph};
use retap_device::{DeviceError, Rig};
use retap_model::{Abstraction, Event, Observation, Outcome, StateId, WorldSeed};

/// The largest number of events that one repair may take.
const MAX_REPAIR_EVENTS: usize = 8;
/// The number of repairs that are tried before a return fails.
const MAX_REPAIRS: usize = 3;

#[derive(Debug, Clone, Copy)]
pub struct ReturnAttempt<'a> {
    pub world_seed: WorldSeed,
    pub destination: StateId,
    pub path: &'a ReturnPath,
    pub abstraction: Abstraction,
    /// The largest number of events that the return may take, repairs included.
    pub max_events: usize,
}

#[derive(Debug, Clone)]
pub enum ReturnPath {
    /// A path that one trace took.
    Recorded(Vec<Event>),
    /// A path from a clean launch along known events, which no trace took as a whole.
    Shortcut(Vec<PathStep>),
}

impl ReturnPath {
    pub fn len(&self) -> usize {
        match self {
            ReturnPath::Recorded(events) => events.len(),
            ReturnPath::Shortcut(steps) => steps.len(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnOutcome {
    Arrived,
    ArrivedAfterRepair,
    Failed,
}

impl ReturnAttempt<'_> {
    /// Moves the rig to the destination, or as near as it gets. Afterwards the rig's events since the reset are the
    /// path that was taken.
    pub fn run(&self, rig: &mut Rig<'_>, graph: &StateGraph) -> Result<ReturnOutcome, DeviceError> {
        match self.path {
            ReturnPath::Recorded(events) => {
                // After a missing widget the path is already another one, and its other events would be blind.
                let is_off_path = |step: usize, observation: &Observation| {
                    step > 0 && observation.outcome == Outcome::Missed
                };
                rig.go_to(self.world_seed, events, &is_off_path)?;
            }
            ReturnPath::Shortcut(steps) => {
                rig.go_to(self.world_seed, &[], &|_, _| false)?;
                self.follow(steps, rig)?;
            }
        }
        if self.has_arrived(rig) {
            return Ok(ReturnOutcome::Arrived);
        }
        for _ in 0..MAX_REPAIRS {
            if self.repair(rig, graph)? {
                return Ok(ReturnOutcome::ArrivedAfterRepair);
            }
        }
        Ok(ReturnOutcome::Failed)
    }

    /// Follows a known path from the current state. Returns true if it arrives.
    fn repair(&self, rig: &mut Rig<'_>, graph: &StateGraph) -> Result<bool, DeviceError> {
        let Some(from) = self.current_state(rig) else { return Ok(false) };
        let events_left = self.max_events.saturating_sub(rig.events().len());
        let max_events = events_left.min(MAX_REPAIR_EVENTS);
        let Some(path) = graph.find_shortest_path(from, self.destination, max_events) else {
            return Ok(false);
        };
        self.follow(&path, rig)?;
        Ok(self.has_arrived(rig))
    }

    /// Performs the events of a path as long as each leads to the state it should lead to.
    fn follow(&self, path: &[PathStep], rig: &mut Rig<'_>) -> Result<(), DeviceError> {
        for step in path {
            if self.current_state(rig).is_none() {
                break;
            }
            let has_missed = rig.perform(&step.event)?.outcome == Outcome::Missed;
            if has_missed || self.current_state(rig) != Some(step.to) {
                break;
            }
        }
        Ok(())
    }

    fn has_arrived(&self, rig: &Rig<'_>) -> bool {
        self.current_state(rig) == Some(self.destination)
    }

    /// Returns the state that the rig is in; `None` if no event can follow.
    fn current_state(&self, rig: &Rig<'_>) -> Option<StateId> {
        let observation =
            rig.last_observation().filter(|observation| !observation.outcome.is_final())?;
        Some(self.abstraction.state(&observation.screen))
    }
}

#[cfg(test)]
mod tests;
