//! Runs the answer once more for the report: writes `states.jsonl` and a screenshot of every screen.

use retap_device::Rig;
use retap_engine::Failure;
use retap_engine::explore::screenshots::{picture_path, take};
use retap_model::format::run::{RunError, STATES, StateRow, write_whole};
use retap_model::{Abstraction, Observation, Trace};
use std::collections::BTreeSet;
use std::path::Path;

/// Adds the ids of the screens to the trace and keeps screenshots in the run directory.
pub fn keep(
    rig: &mut Rig<'_>,
    run: &Path,
    abstraction: Abstraction,
    trace: &mut Trace,
) -> Result<(), Failure> {
    let mut recording =
        ScreenRecording { run, abstraction, known: BTreeSet::new(), rows: Vec::new() };
    let observation = rig.reset(trace.world_seed)?.clone();
    trace.start.screen = Some(observation.screen.id());
    let mut ended = observation.outcome.is_final();
    recording.add(rig, &observation, 0)?;
    for (step, number) in trace.steps.iter_mut().zip(1..) {
        if ended {
            break;
        }
        let observation = rig.perform(&step.event)?.clone();
        step.result.screen = Some(observation.screen.id());
        ended = observation.outcome.is_final();
        recording.add(rig, &observation, number)?;
    }
    rig.forget_position();
    Ok(write_whole(&run.join(STATES), &recording.rows)?)
}

struct ScreenRecording<'a> {
    run: &'a Path,
    abstraction: Abstraction,
    known: BTreeSet<retap_model::StateId>,
    /// Lines of `states.jsonl`.
    rows: Vec<u8>,
}

impl ScreenRecording<'_> {
    fn add(
        &mut self,
        rig: &mut Rig<'_>,
        observation: &Observation,
        step: u64,
    ) -> Result<(), Failure> {
        let (screen, state) =
            (observation.screen.id(), self.abstraction.state(&observation.screen));
        if self.known.insert(state) {
            let activity = observation.screen.activity.clone();
            let row = StateRow { state, activity, screen, step };
            let line = serde_json::to_string(&row).map_err(|e| Failure::input(e.to_string()))?;
            self.rows.extend(line.bytes().chain([b'\n']));
        }
        // There is no screen to draw once the app is gone.
        let path = picture_path(self.run, screen);
        if observation.outcome.is_final() || path.exists() || !rig.describe()?.screenshots {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(RunError::io(folder))?;
        }
        take(rig, &path)
    }
}
