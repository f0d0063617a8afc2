//! Screenshots of the states that a run met first. They are taken after the run, because drawing touches the app (it may
//! start an animation) and a run must not depend on whether screenshots are on.

use super::check_budget::CheckBudget;
use crate::Failure;
use retap_device::{DeviceError, Lab, Rig};
use retap_model::format::FormatError;
use retap_model::format::run::{self, read_states, screen_path};
use retap_model::format::trace::{TraceEntry, TraceReader};
use retap_model::{Event, RunPhase, ScreenId, WorldSeed};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The most events that are run for screenshots. States that a run meets first come early.
const MAX_EVENTS: u64 = 500;

/// Takes screenshots of up to `limit` states, those met first: runs the traces that met them again, as far as needed.
/// It ends early when the budget is spent.
pub fn keep_first_states(
    lab: &mut Lab<'_>,
    run: &Path,
    limit: usize,
    budget: &CheckBudget,
) -> Result<(), Failure> {
    let kept = keep_within(lab, run, limit, budget);
    lab.rig().forget_position();
    lab.charge(RunPhase::Screenshot);
    kept
}

fn keep_within(
    lab: &mut Lab<'_>,
    run: &Path,
    limit: usize,
    budget: &CheckBudget,
) -> Result<(), Failure> {
    if !lab.rig().describe()?.screenshots {
        return Ok(());
    }
    let mut wanted: BTreeMap<u64, ScreenId> =
        read_states(run)?.into_iter().take(limit).map(|row| (row.step, row.screen)).collect();
    wanted.retain(|_, screen| !picture_path(run, *screen).exists());
    let path = run.join(run::TRACE);
    let name = path.display().to_string();
    let file = File::open(&path).map_err(|error| FormatError::io(&name, error))?;
    let mut reader = TraceReader::new(BufReader::new(file), &name)?;
    let mut pictures = StatePictures { lab, run, wanted, budget, events_run: 0 };
    let mut trace: Option<NumberedTrace> = None;
    while !pictures.is_done() {
        match (reader.next_entry()?, &mut trace) {
            (Some(TraceEntry::Step(step)), Some(trace)) => trace.events.push(step.event),
            (Some(TraceEntry::Step(_)), None) => {}
            (Some(TraceEntry::Start { world_seed, .. }), ended) => {
                ended.iter().try_for_each(|ended| pictures.take_along(ended))?;
                let before = ended.as_ref().map_or(0, NumberedTrace::end);
                trace = Some(NumberedTrace { world_seed, before, events: Vec::new() });
            }
            (None, last) => return last.iter().try_for_each(|last| pictures.take_along(last)),
        }
    }
    Ok(())
}

/// A trace of the run, with the number of the run's steps before it.
struct NumberedTrace {
    world_seed: WorldSeed,
    before: u64,
    events: Vec<Event>,
}

impl NumberedTrace {
    /// Returns the number of the run's steps up to its end.
    fn end(&self) -> u64 {
        self.before + self.events.len() as u64
    }
}

/// The screenshots that are still to be taken, by the number of the step that met the screen first.
struct StatePictures<'l, 'd> {
    lab: &'l mut Lab<'d>,
    run: &'l Path,
    wanted: BTreeMap<u64, ScreenId>,
    budget: &'l CheckBudget,
    events_run: u64,
}

impl StatePictures<'_, '_> {
    fn is_done(&self) -> bool {
        self.wanted.is_empty() || self.events_run >= MAX_EVENTS || self.budget.is_spent(self.lab)
    }

    /// Runs a trace up to the last wanted screen that it met first, and takes the screenshots. A trace without wanted
    /// screens does not run.
    fn take_along(&mut self, trace: &NumberedTrace) -> Result<(), Failure> {
        let mut numbers = self.wanted.range(trace.before..=trace.end());
        let Some(last) = numbers.next_back().map(|(number, _)| *number) else { return Ok(()) };
        let mut screen = self.lab.rig().reset(trace.world_seed)?.screen.id();
        let mut number = trace.before;
        loop {
            if self.wanted.get(&number) == Some(&screen) {
                self.wanted.remove(&number);
                take(self.lab.rig(), &picture_path(self.run, screen))?;
            }
            if number == last || self.is_done() {
                return Ok(());
            }
            let event = &trace.events[(number - trace.before) as usize];
            screen = self.lab.rig().perform(event)?.screen.id();
            self.events_run += 1;
            number += 1;
        }
    }
}

/// Writes a screenshot of the device's current screen, unless there is nothing to draw.
pub fn take(rig: &mut Rig<'_>, path: &Path) -> Result<(), Failure> {
    match rig.screenshot() {
        Err(DeviceError::Unsupported(_)) => Ok(()),
        png => Ok(run::write_whole(path, &png?)?),
    }
}

/// Returns the path of a screen's screenshot, beside the screen's own file.
pub fn picture_path(run: &Path, screen: ScreenId) -> std::path::PathBuf {
    screen_path(run, screen).with_extension("png")
}
