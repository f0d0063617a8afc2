//! One device with everything needed to get it somewhere cheaply: where it stands, what it has saved,
//! how to replace it when it is lost, and what all of that has cost.

use crate::device::{Connect, Device, DeviceError, SnapshotId};
use retap_model::{App, Cost, Event, Observation, WorldSeed};
use std::sync::atomic::{AtomicBool, Ordering};

/// A device that dies this often on one event will not get past it.
const TRIES: usize = 3;

pub struct Rig<'a> {
    connect: &'a dyn Connect,
    interrupt: &'a AtomicBool,
    /// Connected on first use, so that several rigs start side by side.
    connected: Option<(Box<dyn Device>, App)>,
    position: Option<Position>,
    saved: Vec<Saved>,
    cost: Cost,
    remarks: Vec<String>,
}

/// What was done since the last reset, and what was seen: one observation more than events.
#[derive(Debug, Clone)]
struct Position {
    world_seed: WorldSeed,
    events: Vec<Event>,
    observations: Vec<Observation>,
}

#[derive(Debug)]
struct Saved {
    id: SnapshotId,
    position: Position,
}

/// Asked after every event of an execution: `true` ends it there.
pub type StopCondition<'w> = &'w (dyn Fn(usize, &Observation) -> bool + Sync);

impl Position {
    fn last(&self) -> &Observation {
        // A position begins with the observation of its reset.
        &self.observations[self.events.len()]
    }

    fn is_prefix_of(&self, world_seed: WorldSeed, events: &[Event]) -> bool {
        self.world_seed == world_seed && events.starts_with(&self.events)
    }
}

impl std::fmt::Debug for Rig<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rig").field("position", &self.position).field("cost", &self.cost).finish()
    }
}

impl<'a> Rig<'a> {
    pub fn new(connect: &'a dyn Connect, interrupt: &'a AtomicBool) -> Self {
        Self {
            connect,
            interrupt,
            connected: None,
            position: None,
            saved: Vec::new(),
            cost: Cost::default(),
            remarks: Vec::new(),
        }
    }

    /// The device itself, started if it was not yet.
    pub fn device(&mut self) -> Result<&mut dyn Device, DeviceError> {
        Ok(self.connected()?.0.as_mut())
    }

    pub fn app(&mut self) -> Result<&App, DeviceError> {
        Ok(&self.connected()?.1)
    }

    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// What happened that a person should know of (a device lost and replaced), since last asked.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// A clean install, launched, in the given world.
    pub fn reset(&mut self, world_seed: WorldSeed) -> Result<&Observation, DeviceError> {
        self.check_interrupt()?;
        self.position = None;
        self.cost.restarts += 1;
        let observation = match self.device()?.reset(world_seed) {
            Err(DeviceError::Lost(why)) => {
                self.replace(&why)?;
                self.device()?.reset(world_seed)?
            }
            other => other?,
        };
        let position = Position { world_seed, events: Vec::new(), observations: vec![observation] };
        Ok(self.position.insert(position).last())
    }

    /// One event where the device stands. There must have been a reset.
    pub fn perform(&mut self, event: &Event) -> Result<&Observation, DeviceError> {
        self.check_interrupt()?;
        let mut lost = 0;
        let observation = loop {
            self.cost.events += 1;
            match self.device()?.perform(event) {
                Err(DeviceError::Lost(why)) => {
                    lost += 1;
                    if lost == TRIES {
                        let message = format!("{why} ({lost} devices in a row, on \"{event}\")");
                        return Err(DeviceError::Lost(message));
                    }
                    self.replace(&why)?;
                    self.stand_again()?;
                }
                other => break other?,
            }
        };
        let Some(position) = self.position.as_mut() else {
            return Err(DeviceError::Unsupported("take events before a reset"));
        };
        position.events.push(event.clone());
        position.observations.push(observation);
        Ok(position.last())
    }

    /// What the device shows where it stands.
    pub fn here(&self) -> Option<&Observation> {
        self.position.as_ref().map(Position::last)
    }

    /// The events since the last reset.
    pub fn events(&self) -> &[Event] {
        self.position.as_ref().map_or(&[], |position| &position.events)
    }

    /// What was seen since the last reset, the launch first: one observation more than events.
    pub fn seen(&self) -> &[Observation] {
        self.position.as_ref().map_or(&[], |position| &position.observations)
    }

    /// Something was done to the device that its events do not show (a picture was drawn): the next
    /// execution starts anew.
    pub fn leave(&mut self) {
        self.position = None;
    }

    /// Keeps where the device stands, if it can; `false` if it cannot.
    pub fn save(&mut self) -> Result<bool, DeviceError> {
        if !self.device()?.describe().snapshots {
            return Ok(false);
        }
        let Some(position) = self.position.clone() else { return Ok(false) };
        let id = self.device()?.save()?;
        self.cost.saves += 1;
        self.saved.push(Saved { id, position });
        Ok(true)
    }

    /// Forgets saved states, the newest first, until `keep` are left.
    pub fn forget_saved(&mut self, keep: usize) -> Result<(), DeviceError> {
        while self.saved.len() > keep {
            if let Some(saved) = self.saved.pop() {
                self.device()?.forget(saved.id)?;
            }
        }
        Ok(())
    }

    /// Forgets what was saved where these events lead.
    pub fn forget(&mut self, events: &[Event]) -> Result<(), DeviceError> {
        let saved = self.saved.iter().position(|saved| saved.position.events == events);
        if let Some(saved) = saved.map(|at| self.saved.remove(at)) {
            self.device()?.forget(saved.id)?;
        }
        Ok(())
    }

    pub fn saved(&self) -> usize {
        self.saved.len()
    }

    /// Stands where these events lead from a clean install: goes on from here, restores, or starts anew,
    /// whichever leaves the fewest events to run. Ends early at a crash or when `stop_when` says so.
    /// Returns what was seen, start first.
    pub fn go_to(
        &mut self,
        world_seed: WorldSeed,
        events: &[Event],
        stop_when: StopCondition<'_>,
    ) -> Result<&[Observation], DeviceError> {
        self.go_to_saving(world_seed, events, stop_when, &[])
    }

    /// As [`go_to`](Self::go_to), saving on the way after each of these numbers of events.
    pub(crate) fn go_to_saving(
        &mut self,
        world_seed: WorldSeed,
        events: &[Event],
        stop_when: StopCondition<'_>,
        save_at: &[usize],
    ) -> Result<&[Observation], DeviceError> {
        self.start_from(world_seed, events)?;
        let mut at = self.events().len();
        let seen = self.position.as_ref().map_or(&[][..], |position| &position.observations);
        let stopped =
            seen.iter().enumerate().find(|(n, o)| o.outcome.is_final() || stop_when(*n, o));
        if let Some((n, _)) = stopped {
            // Known from the shared prefix: nothing has to run.
            let n = n + 1;
            return Ok(&self.position.as_ref().map_or(&[][..], |s| &s.observations)[..n]);
        }
        while at < events.len() {
            if save_at.contains(&at) && !self.is_saved(world_seed, &events[..at]) {
                self.save()?;
            }
            let observation = self.perform(&events[at])?;
            at += 1;
            if observation.outcome.is_final() || stop_when(at, observation) {
                break;
            }
        }
        Ok(self.position.as_ref().map_or(&[], |position| &position.observations))
    }

    /// Puts the device at the longest prefix of `events` that can be had without running events.
    fn start_from(&mut self, world_seed: WorldSeed, events: &[Event]) -> Result<(), DeviceError> {
        let shares = self.device()?.describe().deterministic;
        let position =
            self.position.as_ref().filter(|s| shares && s.is_prefix_of(world_seed, events));
        let here = position.map(|s| s.events.len());
        let saved = self
            .saved
            .iter()
            .filter(|saved| saved.position.is_prefix_of(world_seed, events))
            .max_by_key(|saved| saved.position.events.len());
        match (here, saved) {
            (Some(here), Some(saved)) if saved.position.events.len() > here => {
                self.restore(saved.id)
            }
            (Some(here), _) => {
                self.cost.events_saved += here as u64;
                Ok(())
            }
            (None, Some(saved)) => self.restore(saved.id),
            (None, None) => self.reset(world_seed).map(|_| ()),
        }
    }

    fn restore(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        let Some(saved) = self.saved.iter().find(|saved| saved.id == id) else { return Ok(()) };
        let position = saved.position.clone();
        self.device()?.restore(id)?;
        self.cost.restores += 1;
        self.cost.events_saved += position.events.len() as u64;
        self.position = Some(position);
        Ok(())
    }

    fn is_saved(&self, world_seed: WorldSeed, events: &[Event]) -> bool {
        self.saved
            .iter()
            .any(|s| s.position.world_seed == world_seed && s.position.events == events)
    }

    fn connected(&mut self) -> Result<&mut (Box<dyn Device>, App), DeviceError> {
        match self.connected {
            Some(ref mut connected) => Ok(connected),
            None => Ok(self.connected.insert(self.connect.connect()?)),
        }
    }

    /// A fresh device in place of a lost one. What the lost one had saved is gone with it.
    fn replace(&mut self, why: &str) -> Result<(), DeviceError> {
        self.cost.devices_lost += 1;
        self.saved.clear();
        self.connected = None;
        let replayed = self.events().len();
        self.remarks.push(format!("device lost ({why}): replaced, {replayed} events to run again"));
        self.connected()?;
        Ok(())
    }

    /// Runs what led here once more, on a fresh device.
    fn stand_again(&mut self) -> Result<(), DeviceError> {
        let Some(position) = self.position.take() else { return Ok(()) };
        self.reset(position.world_seed)?;
        for event in &position.events {
            self.check_interrupt()?;
            self.cost.events += 1;
            self.device()?.perform(event)?;
        }
        self.position = Some(position);
        Ok(())
    }

    fn check_interrupt(&self) -> Result<(), DeviceError> {
        if self.interrupt.load(Ordering::Relaxed) { Err(DeviceError::Interrupted) } else { Ok(()) }
    }
}
