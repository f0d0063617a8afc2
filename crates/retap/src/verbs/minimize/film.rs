//! The answer run once more, to be looked at: `states.jsonl` and a picture of every screen on the way, so that
//! the report can tell in which activity each step was done and show what it looked like.

use super::super::explore::pictures::{picture_path, take};
use crate::failure::Failure;
use retap_device::Rig;
use retap_model::format::run::{RunError, STATES, StateRow, write_whole};
use retap_model::{Abstraction, Observation, Trace};
use std::collections::BTreeSet;
use std::path::Path;

/// Names the screens that the trace led to, and keeps them in the run directory.
pub fn keep(
    rig: &mut Rig<'_>,
    run: &Path,
    abstraction: Abstraction,
    trace: &mut Trace,
) -> Result<(), Failure> {
    let mut film = Film { run, abstraction, known: BTreeSet::new(), rows: Vec::new() };
    let seen = rig.reset(trace.world_seed)?.clone();
    trace.start.screen = Some(seen.screen.id());
    let mut ended = seen.outcome.is_final();
    film.frame(rig, &seen, 0)?;
    for (step, number) in trace.steps.iter_mut().zip(1..) {
        if ended {
            break;
        }
        let seen = rig.perform(&step.event)?.clone();
        step.result.screen = Some(seen.screen.id());
        ended = seen.outcome.is_final();
        film.frame(rig, &seen, number)?;
    }
    rig.leave();
    Ok(write_whole(&run.join(STATES), &film.rows)?)
}

struct Film<'a> {
    run: &'a Path,
    abstraction: Abstraction,
    known: BTreeSet<retap_model::StateId>,
    /// Lines of `states.jsonl`.
    rows: Vec<u8>,
}

impl Film<'_> {
    fn frame(&mut self, rig: &mut Rig<'_>, seen: &Observation, step: u64) -> Result<(), Failure> {
        let (screen, state) = (seen.screen.id(), self.abstraction.state(&seen.screen));
        if self.known.insert(state) {
            let activity = seen.screen.activity.clone();
            let row = StateRow { state, activity, screen, step };
            let line = serde_json::to_string(&row).map_err(|e| Failure::input(e.to_string()))?;
            self.rows.extend(line.bytes().chain([b'\n']));
        }
        // An app that is gone has no screen to be pictured.
        let path = picture_path(self.run, screen);
        if seen.outcome.is_final() || path.exists() || !rig.device()?.describe().screenshots {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(RunError::io(folder))?;
        }
        take(rig, &path)
    }
}
