//! Going back to a state: by snapshot where the device has one, else by running a way to it again, a shortcut or the shortest
//! recorded one. Either way the state that it leads to is checked. A way that no longer leads there is repaired from where
//! it went wrong, along events that are known to lead on.

use crate::graph::{Graph, Leg};
use retap_device::{DeviceError, Rig};
use retap_model::{Abstraction, Event, Outcome, StateId, WorldSeed};

/// Events that a repair may take before it is given up, and how often it is planned anew.
const LONGEST_REPAIR: usize = 8;
const MOST_PLANS: usize = 3;

/// What a journey aims at.
#[derive(Debug, Clone, Copy)]
pub struct Journey<'a> {
    pub world_seed: WorldSeed,
    pub to: StateId,
    pub way: &'a Way,
    pub abstraction: Abstraction,
    /// Events that it may take at most.
    pub longest: usize,
}

#[derive(Debug, Clone)]
pub enum Way {
    Recorded(Vec<Event>),
    /// From a clean launch along events that led on, though never all in one trace.
    Shortcut(Vec<Leg>),
}

impl Way {
    pub fn len(&self) -> usize {
        match self {
            Way::Recorded(events) => events.len(),
            Way::Shortcut(legs) => legs.len(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    AsPlanned,
    Repaired,
    Elsewhere,
}

impl Journey<'_> {
    /// Afterwards the rig stands where the journey ended, and its events since the reset are the way it took.
    pub fn go(&self, rig: &mut Rig<'_>, graph: &Graph) -> Result<Arrival, DeviceError> {
        match self.way {
            Way::Recorded(events) => {
                // A widget that is gone means that the way is already another: what follows would be done blindly.
                let astray = |step: usize, seen: &retap_model::Observation| {
                    step > 0 && seen.outcome == Outcome::Missed
                };
                rig.go_to(self.world_seed, events, &astray)?;
            }
            Way::Shortcut(legs) => {
                rig.go_to(self.world_seed, &[], &|_, _| false)?;
                self.follow(legs, rig)?;
            }
        }
        if self.has_arrived(rig) {
            return Ok(Arrival::AsPlanned);
        }
        for _ in 0..MOST_PLANS {
            if self.repair(rig, graph)? {
                return Ok(Arrival::Repaired);
            }
        }
        Ok(Arrival::Elsewhere)
    }

    /// One plan from here.
    fn repair(&self, rig: &mut Rig<'_>, graph: &Graph) -> Result<bool, DeviceError> {
        let Some(here) = self.state(rig) else { return Ok(false) };
        let room = self.longest.saturating_sub(rig.events().len()).min(LONGEST_REPAIR);
        let Some(plan) = graph.route(here, self.to, room) else { return Ok(false) };
        self.follow(&plan, rig)?;
        Ok(self.has_arrived(rig))
    }

    /// As long as every event leads where it should.
    fn follow(&self, legs: &[Leg], rig: &mut Rig<'_>) -> Result<(), DeviceError> {
        for leg in legs {
            let missed = rig.perform(&leg.event)?.outcome == Outcome::Missed;
            if missed || self.state(rig) != Some(leg.to) {
                break;
            }
        }
        Ok(())
    }

    fn has_arrived(&self, rig: &Rig<'_>) -> bool {
        self.state(rig) == Some(self.to)
    }

    /// Where the rig stands; `None` where nothing can follow.
    fn state(&self, rig: &Rig<'_>) -> Option<StateId> {
        let seen = rig.here().filter(|seen| !seen.outcome.is_final())?;
        Some(self.abstraction.state(&seen.screen))
    }
}
