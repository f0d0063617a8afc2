//! Replaying a trace of the session's app.

use super::DriveSession;
use retap_device::{DeviceError, Job};
use retap_engine::replay::{ReplayComparison, RunDivergence};
use retap_engine::{Failure, same_app, trace_file};
use retap_model::{Event, Rate};
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of replaying a trace.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayedRuns {
    pub events: usize,
    /// Runs that followed the trace to its end.
    pub faithful: Rate,
    /// Runs that ended in the trace's own crash; none if it ends in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduced: Option<Rate>,
    pub outcomes: BTreeMap<String, u64>,
    pub divergences: Vec<RunDivergence>,
}

impl DriveSession<'_, '_> {
    /// Replays a trace in fresh worlds, and leaves the app where it was.
    pub fn replay(&mut self, name: &str, runs: u32) -> Result<ReplayedRuns, Failure> {
        let (header, trace) = trace_file::read(name)?;
        same_app::check(&header, &self.app, false, self.context)?;
        let events: Vec<Event> = trace.events().cloned().collect();
        let mut comparison = ReplayComparison::default();
        let progress = self.context.progress(Some(runs.into()));
        for run in 0..runs.max(1) {
            progress.update(run.into(), format!("replaying: run {} of {runs}", run + 1));
            // Every run begins with a clean install: what was drawn before does not count.
            self.lab.rig().forget_position();
            let world_seed = trace.world_seed.wrapping_add(run.into());
            let job = Job { world_seed, events: events.clone() };
            match self.lab.run(&job) {
                Ok(execution) => comparison.add(&header, &trace, &job, &execution),
                Err(DeviceError::Interrupted) => break,
                Err(error) => return Err(error.into()),
            }
        }
        drop(progress);
        self.come_back()?;
        Ok(ReplayedRuns {
            events: events.len(),
            faithful: comparison.faithful,
            reproduced: trace.last().outcome.crash().map(|_| comparison.reproduced),
            outcomes: comparison.outcomes,
            divergences: comparison.divergences,
        })
    }
}
