//! Screenshots of the states that a run met first. They are taken after the run, because drawing touches the app (it may
//! start an animation) and a run must not depend on whether screenshots are on.

use crate::Failure;
use retap_device::{DeviceError, Rig};
use retap_model::ScreenId;
use retap_model::format::FormatError;
use retap_model::format::run::{self, read_states, screen_path};
use retap_model::format::trace::{TraceEntry, TraceReader};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The most events that screenshots may cost. States that a run meets first come early.
const MAX_EVENTS: u64 = 500;

/// Runs the beginning of the run again and takes screenshots of up to `limit` states.
pub fn keep_first_states(rig: &mut Rig<'_>, run: &Path, limit: usize) -> Result<(), Failure> {
    if !rig.describe()?.screenshots {
        return Ok(());
    }
    let mut wanted: BTreeMap<u64, ScreenId> =
        read_states(run)?.into_iter().take(limit).map(|row| (row.step, row.screen)).collect();
    wanted.retain(|_, screen| !picture_path(run, *screen).exists());
    let path = run.join(run::TRACE);
    let name = path.display().to_string();
    let file = File::open(&path).map_err(|error| FormatError::io(&name, error))?;
    let mut reader = TraceReader::new(BufReader::new(file), &name)?;
    let mut steps = 0;
    while steps < MAX_EVENTS && wanted.last_key_value().is_some_and(|(last, _)| *last >= steps) {
        let observation = match reader.next_entry()? {
            Some(TraceEntry::Start { world_seed, .. }) => rig.reset(world_seed)?,
            Some(TraceEntry::Step(step)) => {
                steps += 1;
                rig.perform(&step.event)?
            }
            None => break,
        };
        let screen = observation.screen.id();
        if wanted.get(&steps) == Some(&screen) {
            wanted.remove(&steps);
            take(rig, &picture_path(run, screen))?;
        }
    }
    rig.forget_position();
    Ok(())
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
