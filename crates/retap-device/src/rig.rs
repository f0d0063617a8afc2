//! One device, its position, its snapshots and its cost. A rig knows how to bring the device to a
//! position cheaply. `recovery` replaces a lost device.

mod position;
mod recovery;

use crate::device::{Connect, Description, Device, DeviceError};
use position::{RigPosition, SavedPosition};
use retap_model::{App, Cost, Event, Observation, WorldSeed};
use std::sync::atomic::{AtomicBool, Ordering};

/// One device with its position and cost.
pub struct Rig<'a> {
    connect: &'a dyn Connect,
    interrupt: &'a AtomicBool,
    /// Connected on first use, so that several rigs start in parallel.
    connected: Option<(Box<dyn Device>, App)>,
    /// `None` before the first reset and after [`forget_position`](Self::forget_position).
    position: Option<RigPosition>,
    saved: Vec<SavedPosition>,
    cost: Cost,
    remarks: Vec<String>,
}

/// Decides after every event of an execution whether to end it there: `true` ends it. It receives the
/// number of events so far, zero for the launch, and the observation.
pub type StopCondition<'w> = &'w (dyn Fn(usize, &Observation) -> bool + Sync);

impl std::fmt::Debug for Rig<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rig").field("position", &self.position).field("cost", &self.cost).finish()
    }
}

impl<'a> Rig<'a> {
    /// Creates a rig that connects its device on first use. Every call fails with
    /// [`DeviceError::Interrupted`] once `interrupt` is set.
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

    /// Describes the device, and connects it if necessary.
    pub fn describe(&mut self) -> Result<&Description, DeviceError> {
        Ok(self.device()?.describe())
    }

    /// Returns the installed app, and connects the device if necessary.
    pub fn app(&mut self) -> Result<&App, DeviceError> {
        Ok(&self.connected()?.1)
    }

    /// Returns the screen as a PNG. Drawing may disturb the app, so a caller that has taken its pictures
    /// calls [`forget_position`](Self::forget_position).
    pub fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        match self.ask(&mut |device| device.screenshot())? {
            Ok(picture) => {
                self.cost.screenshots += 1;
                Ok(picture)
            }
            Err(_) => {
                Err(DeviceError::Unsupported("take a picture of this screen: it is lost there"))
            }
        }
    }

    /// Returns the cost so far.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns the remarks for people since the last call, such as a device that was lost and replaced.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Returns the latest observation, or `None` without a position.
    pub fn last_observation(&self) -> Option<&Observation> {
        self.position.as_ref().map(RigPosition::last)
    }

    /// Returns the events since the last reset.
    pub fn events(&self) -> &[Event] {
        self.position.as_ref().map_or(&[], |position| &position.events)
    }

    /// Returns the observations since the last reset, the launch first: one more than events.
    pub fn observations(&self) -> &[Observation] {
        self.position.as_ref().map_or(&[], |position| &position.observations)
    }

    /// Forgets the position after something happened to the device that its events do not show, such as
    /// a drawn picture. The next execution starts from a clean install or a snapshot.
    pub fn forget_position(&mut self) {
        self.position = None;
    }

    /// Restarts: a clean install, launched in this world.
    pub fn reset(&mut self, world_seed: WorldSeed) -> Result<&Observation, DeviceError> {
        self.check_interrupt()?;
        self.position = None;
        self.cost.restarts += 1;
        let observation = self.launch(world_seed)?;
        Ok(self.position.insert(RigPosition::at_launch(world_seed, observation)).last())
    }

    /// Performs one event at the current position. A lost device is replaced and brought back here. An
    /// event that loses one device after the other has the outcome
    /// [`Outcome::DeviceLost`](retap_model::Outcome::DeviceLost).
    pub fn perform(&mut self, event: &Event) -> Result<&Observation, DeviceError> {
        self.check_interrupt()?;
        if self.position.is_none() {
            return Err(DeviceError::Unsupported("take events before a reset"));
        }
        let mut tries = 0;
        let answer = self.ask(&mut |device| {
            tries += 1;
            device.perform(event)
        });
        self.cost.events += tries;
        let observation = answer?.unwrap_or_else(Observation::of_loss);
        let Some(position) = self.position.as_mut() else {
            return Err(DeviceError::Unsupported("take events before a reset"));
        };
        position.push(event.clone(), observation);
        Ok(position.last())
    }

    /// Saves a snapshot of the current position. Returns `false` if the device has no snapshots or there
    /// is no position.
    pub fn save(&mut self) -> Result<bool, DeviceError> {
        if !self.describe()?.snapshots {
            return Ok(false);
        }
        let Some(position) = self.position.clone() else { return Ok(false) };
        if position.last().outcome.is_final() {
            return Ok(false);
        }
        let Ok(id) = self.ask(&mut |device| device.save())? else { return Ok(false) };
        self.cost.saves += 1;
        self.saved.push(SavedPosition { id, position });
        Ok(true)
    }

    /// Forgets snapshots, the newest first, until `keep` are left.
    pub fn forget_saved(&mut self, keep: usize) -> Result<(), DeviceError> {
        while self.saved.len() > keep
            && let Some(saved) = self.saved.pop()
        {
            self.forget_snapshot(saved.id)?;
        }
        Ok(())
    }

    /// Forgets the snapshot at the position after these events, if there is one. A lost device takes its
    /// snapshots with it, so there may be none.
    pub fn forget(&mut self, events: &[Event]) -> Result<(), DeviceError> {
        let saved = self.saved.iter().position(|saved| saved.position.events == events);
        if let Some(saved) = saved.map(|index| self.saved.remove(index)) {
            self.forget_snapshot(saved.id)?;
        }
        Ok(())
    }

    /// Returns the number of snapshots.
    pub fn saved_count(&self) -> usize {
        self.saved.len()
    }

    /// Brings the device to the position after these events from a clean install. The rig continues from
    /// its position, restores a snapshot or restarts, whichever leaves the fewest events to run. It stops
    /// early at a crash or where `stop_when` says so. Returns the observations, the launch first.
    pub fn go_to(
        &mut self,
        world_seed: WorldSeed,
        events: &[Event],
        stop_when: StopCondition<'_>,
    ) -> Result<&[Observation], DeviceError> {
        self.go_to_saving(world_seed, events, stop_when, &[])
    }

    /// Does the same as [`go_to`](Self::go_to), and saves a snapshot after each of these numbers of events.
    pub(crate) fn go_to_saving(
        &mut self,
        world_seed: WorldSeed,
        events: &[Event],
        stop_when: StopCondition<'_>,
        save_at: &[usize],
    ) -> Result<&[Observation], DeviceError> {
        self.start_from_prefix(world_seed, events)?;
        let is_end = |count: usize, observation: &Observation| {
            observation.outcome.is_final() || stop_when(count, observation)
        };
        let mut known = self.observations().iter().enumerate();
        if let Some((last, _)) = known.find(|(count, observation)| is_end(*count, observation)) {
            // The shared prefix already ends the execution, so nothing has to run.
            return Ok(&self.observations()[..=last]);
        }
        let mut count = self.events().len();
        while count < events.len() {
            if save_at.contains(&count) && !self.is_saved(world_seed, &events[..count]) {
                self.save()?;
            }
            let observation = self.perform(&events[count])?;
            count += 1;
            if is_end(count, observation) {
                break;
            }
        }
        Ok(self.observations())
    }

    /// Brings the device to the longest prefix of `events` that it can reach without running events.
    fn start_from_prefix(
        &mut self,
        world_seed: WorldSeed,
        events: &[Event],
    ) -> Result<(), DeviceError> {
        let can_continue = self.describe()?.deterministic;
        let here = self
            .position
            .as_ref()
            .filter(|position| can_continue && position.is_prefix_of(world_seed, events))
            .map(|position| position.events.len());
        let saved = self
            .saved
            .iter()
            .enumerate()
            .map(|(index, saved)| (index, &saved.position))
            .filter(|(_, position)| position.is_prefix_of(world_seed, events))
            .max_by_key(|(_, position)| position.events.len())
            .filter(|(_, position)| here.is_none_or(|here| position.events.len() > here));
        match (here, saved) {
            (_, Some((index, _))) => self.restore(index, world_seed),
            (Some(here), None) => {
                self.cost.events_saved += here as u64;
                Ok(())
            }
            (None, None) => self.reset(world_seed).map(|_| ()),
        }
    }

    /// Restores one of `self.saved`. A device that is lost meanwhile takes it along, and a restart is left.
    fn restore(&mut self, index: usize, world_seed: WorldSeed) -> Result<(), DeviceError> {
        let SavedPosition { id, position } = &self.saved[index];
        let (id, position) = (*id, position.clone());
        if let Err(error) = self.device()?.restore(id) {
            self.let_go(error)?;
            return self.reset(world_seed).map(|_| ());
        }
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

    fn check_interrupt(&self) -> Result<(), DeviceError> {
        if self.interrupt.load(Ordering::Relaxed) { Err(DeviceError::Interrupted) } else { Ok(()) }
    }
}
