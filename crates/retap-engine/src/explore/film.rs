//! Pictures of the screens on which the steps of a trace act, for the film strip of a report.

use super::screenshots::{self, picture_path};
use crate::Failure;
use retap_device::{Job, Lab};
use retap_model::format::run::write_whole;
use retap_model::{Event, RunPhase, ScreenId, Trace};
use std::ops::RangeInclusive;
use std::path::Path;

/// The steps of a long trace that get pictures: its last ones.
const MAX_FRAMES: usize = 12;

/// Keeps a picture of the screen before each of the last steps, `last.png` of the last one in the fault's folder, and in
/// the trace the screens that it meets, so that a report finds the pictures.
pub fn keep(
    lab: &mut Lab<'_>,
    trace: &mut Trace,
    run: &Path,
    folder: &Path,
) -> Result<(), Failure> {
    if trace.steps.is_empty() || !lab.rig().describe()?.screenshots {
        return Ok(());
    }
    let job = Job {
        world_seed: trace.world_seed,
        events: trace.events().cloned().collect::<Vec<Event>>(),
    };
    // Screens are those of an execution without pictures, because drawing may touch the app.
    let execution = lab.run(&job)?;
    let screens: Vec<ScreenId> = execution.observations.iter().map(|it| it.screen.id()).collect();
    note_screens(trace, &screens);
    // An execution that ended early met no later screens.
    let last = (trace.steps.len() - 1).min(screens.len() - 1);
    let shown = last.saturating_sub(MAX_FRAMES - 1)..=last;
    let taken = take_all(lab, &job, &screens, shown, run);
    lab.rig().forget_position();
    lab.charge(RunPhase::Screenshot);
    taken?;
    match std::fs::read(picture_path(run, screens[last])) {
        Ok(png) => Ok(write_whole(&folder.join("last.png"), &png)?),
        Err(_) => Ok(()),
    }
}

fn note_screens(trace: &mut Trace, screens: &[ScreenId]) {
    let results = trace.steps.iter_mut().map(|step| &mut step.result);
    for (result, screen) in std::iter::once(&mut trace.start).chain(results).zip(screens) {
        result.screen = Some(*screen);
    }
}

/// Runs the trace as far as pictures are missing, and takes those of screens that come again as they were.
fn take_all(
    lab: &mut Lab<'_>,
    job: &Job,
    screens: &[ScreenId],
    shown: RangeInclusive<usize>,
    run: &Path,
) -> Result<(), Failure> {
    let is_missing = |at: &usize| !picture_path(run, screens[*at]).exists();
    let Some(end) = shown.clone().rev().find(is_missing) else { return Ok(()) };
    let rig = lab.rig();
    let mut screen = rig.reset(job.world_seed)?.screen.id();
    for (at, recorded) in screens.iter().enumerate().take(end + 1) {
        if shown.contains(&at) && screen == *recorded {
            screenshots::keep(rig, run, screen)?;
        }
        if at < end {
            screen = rig.perform(&job.events[at])?.screen.id();
        }
    }
    Ok(())
}
