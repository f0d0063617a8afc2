//! Installs the new version over the old one after each of a few sequences, with the data kept, and does the sequence once
//! more. Whatever goes wrong then, and with neither version's own data, is a fault of the update.

use crate::{Context, Failure};
use retap_device::{Connect, Device, DeviceError};
use retap_model::{Cost, CrashId, Event, Observation, WorldSeed};
use retap_update::{UpgradeFault, UpgradeRuns, judge_upgrade};
use std::collections::BTreeSet;
use std::path::Path;

/// Sequences that are tried, the shortest first, and the events of each that are done before and after the update.
const MAX_SEQUENCES: usize = 12;
const MAX_EVENTS: usize = 80;

#[derive(Clone, Copy)]
pub struct UpgradeSettings<'a> {
    /// Makes a device on which either version can be installed.
    pub connect: &'a dyn Connect,
    pub old: &'a Path,
    pub new: &'a Path,
    pub package: &'a str,
    pub world_seed: WorldSeed,
}

impl std::fmt::Debug for UpgradeSettings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UpgradeSettings").field("package", &self.package).finish_non_exhaustive()
    }
}

/// A fault with the events before the update and those after the launch that follows it.
#[derive(Debug, Clone)]
pub struct FoundUpgradeFault {
    pub fault: UpgradeFault,
    pub before: Vec<Event>,
    pub after: Vec<Event>,
}

#[derive(Debug, Clone, Default)]
pub struct UpgradeCheck {
    pub sequences: u64,
    pub faults: Vec<FoundUpgradeFault>,
    pub cost: Cost,
    /// Why nothing, or not everything, was tried.
    pub left_out: Option<String>,
}

/// A device on which two versions take turns.
struct TurnTaking<'a> {
    device: Box<dyn Device>,
    settings: UpgradeSettings<'a>,
    cost: Cost,
}

/// Tries the update after each of these sequences.
pub fn check_upgrade(
    sequences: &[Vec<Event>],
    settings: UpgradeSettings<'_>,
    context: Context<'_>,
) -> Result<UpgradeCheck, Failure> {
    let mut sequences: Vec<&[Event]> =
        sequences.iter().map(|it| &it[..it.len().min(MAX_EVENTS)]).collect();
    sequences.sort_by_key(|it| it.len());
    sequences.truncate(MAX_SEQUENCES);
    let mut check = UpgradeCheck::default();
    let (device, _) = settings.connect.connect()?;
    let mut turns = TurnTaking { device, settings, cost: Cost::default() };
    let progress = context.progress(Some(sequences.len() as u64));
    for (number, sequence) in sequences.iter().enumerate() {
        if context.is_interrupted() {
            check.left_out = Some("the run was interrupted".into());
            break;
        }
        progress.update(number as u64, "installing over old data".into());
        match turns.try_sequence(sequence) {
            Ok(Some(found)) if check.faults.iter().all(|it| !it.fault.is_same(&found.fault)) => {
                check.faults.push(found);
            }
            Ok(_) => {}
            Err(DeviceError::Interrupted) => return Err(DeviceError::Interrupted.into()),
            Err(error) => {
                check.left_out = Some(format!("data were not kept over the update: {error}"));
                break;
            }
        }
        check.sequences += 1;
    }
    check.cost = turns.cost;
    Ok(check)
}

/// The faults that one sequence shows in several worlds.
#[derive(Debug, Clone, Default)]
pub struct RepeatedUpgrade {
    /// The fault of each run, if it had one.
    pub faults: Vec<Option<UpgradeFault>>,
    pub cost: Cost,
}

/// Tries the update after one sequence in each of these worlds, or in those before Ctrl-C.
pub fn repeat_upgrade(
    events: &[Event],
    worlds: &[WorldSeed],
    settings: UpgradeSettings<'_>,
    context: Context<'_>,
) -> Result<RepeatedUpgrade, Failure> {
    let (device, _) = settings.connect.connect()?;
    let mut turns = TurnTaking { device, settings, cost: Cost::default() };
    let progress = context.progress(Some(worlds.len() as u64));
    let mut repeated = RepeatedUpgrade::default();
    for world_seed in worlds {
        if context.is_interrupted() && !repeated.faults.is_empty() {
            break;
        }
        progress.update(repeated.faults.len() as u64, "installing over old data".into());
        repeated.faults.push(turns.judge(events, *world_seed)?);
    }
    repeated.cost = turns.cost;
    Ok(repeated)
}

impl TurnTaking<'_> {
    /// Returns the fault that shows after a sequence in two worlds: what a clock shows differs between worlds.
    fn try_sequence(&mut self, events: &[Event]) -> Result<Option<FoundUpgradeFault>, DeviceError> {
        let seed = self.settings.world_seed;
        let Some(fault) = self.judge(events, seed)? else { return Ok(None) };
        let again = self.judge(events, seed.wrapping_add(1))?;
        let is_sure = again.is_some_and(|again| again.is_same(&fault));
        let after = events[..fault.step().min(events.len())].to_vec();
        Ok(is_sure.then(|| FoundUpgradeFault { fault, before: events.to_vec(), after }))
    }

    fn judge(
        &mut self,
        events: &[Event],
        world_seed: WorldSeed,
    ) -> Result<Option<UpgradeFault>, DeviceError> {
        let (old, new) = (self.settings.old, self.settings.new);
        let Some(new_again) = self.run_again(new, events, world_seed)? else { return Ok(None) };
        let Some(old_again) = self.run_again(old, events, world_seed)? else { return Ok(None) };
        let crashes = old_again.iter().chain(&new_again).filter_map(|it| it.outcome.crash());
        let known: BTreeSet<CrashId> =
            crashes.map(|it| it.identity(self.settings.package)).collect();
        self.restart(old, world_seed)?;
        self.perform(events)?;
        self.device.install(new)?;
        let upgraded = self.perform(&[&[Event::Launch], events].concat())?;
        Ok(judge_upgrade(UpgradeRuns {
            package: self.settings.package,
            old: &old_again,
            new: &new_again,
            upgraded: &upgraded,
            known_crashes: &known,
        }))
    }

    /// Does the events on one version, installs it over itself and does them again. Returns what it showed from the second
    /// launch on; `None` if it crashes before.
    fn run_again(
        &mut self,
        apk: &Path,
        events: &[Event],
        world_seed: WorldSeed,
    ) -> Result<Option<Vec<Observation>>, DeviceError> {
        self.restart(apk, world_seed)?;
        let first = self.perform(events)?;
        if first.last().is_some_and(|it| it.outcome.is_final()) {
            return Ok(None);
        }
        // What lived as long as the process is gone after any update.
        self.device.install(apk)?;
        self.perform(&[&[Event::Launch], events].concat()).map(Some)
    }

    fn restart(&mut self, apk: &Path, world_seed: WorldSeed) -> Result<(), DeviceError> {
        self.device.install(apk)?;
        self.device.reset(world_seed)?;
        self.cost.restarts += 1;
        Ok(())
    }

    /// Performs events until the app is gone.
    fn perform(&mut self, events: &[Event]) -> Result<Vec<Observation>, DeviceError> {
        let mut observations = Vec::new();
        for event in events {
            let observation = self.device.perform(event)?;
            self.cost.events += 1;
            let is_over = observation.outcome.is_final();
            observations.push(observation);
            if is_over {
                break;
            }
        }
        Ok(observations)
    }
}
