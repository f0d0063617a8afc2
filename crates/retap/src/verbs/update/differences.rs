//! Keeps what two versions differ in: for each difference a folder with its trace and pictures of both versions.

use retap_device::{Lab, Rig};
use retap_engine::explore::screenshots;
use retap_engine::update::{UpgradeCheck, VersionComparison};
use retap_engine::{Failure, trace_file};
use retap_model::format::run::{self, RunInfo};
use retap_model::{Event, Trace, WorldSeed};
use std::path::Path;

/// Writes `differences/NNN/{trace.jsonl, old.png, new.png}` into the run.
pub fn keep(
    run: &Path,
    info: &RunInfo,
    comparison: &VersionComparison,
    (old, new): (&mut Lab<'_>, &mut Lab<'_>),
    pictures: usize,
) -> Result<(), Failure> {
    for (number, found) in comparison.differences.iter().enumerate() {
        let folder = run.join(retap_engine::update::difference_folder(number));
        std::fs::create_dir_all(&folder).map_err(run::RunError::io(&folder))?;
        let trace = Trace::of_events(info.world_seed, found.events.iter().cloned());
        let bytes = trace_file::to_bytes(&info.trace_header(), &trace)?;
        run::write_whole(&folder.join("trace.jsonl"), &bytes)?;
        if number < pictures {
            take(old.rig(), info.world_seed, &found.events, &folder.join("old.png"))?;
            take(new.rig(), info.world_seed, &found.events, &folder.join("new.png"))?;
        }
    }
    Ok(())
}

/// Writes for each fault of the update `differences/NNN/{trace.jsonl, after.jsonl}`: the events on the old version, and those
/// on the new one after it was installed over it.
pub fn keep_faults(
    run: &Path,
    info: &RunInfo,
    first: usize,
    check: &UpgradeCheck,
) -> Result<(), Failure> {
    for (number, found) in check.faults.iter().enumerate() {
        let folder = run.join(retap_engine::update::difference_folder(first + number));
        std::fs::create_dir_all(&folder).map_err(run::RunError::io(&folder))?;
        for (name, events) in [("trace.jsonl", &found.before), ("after.jsonl", &found.after)] {
            let trace = Trace::of_events(info.world_seed, events.iter().cloned());
            let bytes = trace_file::to_bytes(&info.trace_header(), &trace)?;
            run::write_whole(&folder.join(name), &bytes)?;
        }
    }
    Ok(())
}

/// Takes a picture of the screen after the events, or of the one before the app was gone.
fn take(
    rig: &mut Rig<'_>,
    world_seed: WorldSeed,
    events: &[Event],
    file: &Path,
) -> Result<(), Failure> {
    if !rig.describe()?.screenshots {
        return Ok(());
    }
    let shown = rig.go_to(world_seed, events, &|_, _| false)?;
    let ended = shown.iter().position(|observation| observation.outcome.is_final());
    match ended {
        Some(0) => return Ok(()),
        Some(step) => {
            rig.go_to(world_seed, &events[..step - 1], &|_, _| false)?;
        }
        None => {}
    }
    screenshots::take(rig, file)?;
    rig.forget_position();
    Ok(())
}
