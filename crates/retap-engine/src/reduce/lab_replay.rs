//! Replays candidates on a lab: once where the device is deterministic, several times where it is not, and each only as
//! far as it follows its trace.

use retap_device::replay::{Difference, compare};
use retap_device::{DeviceError, Execution, Job, Lab};
use retap_model::trace::StepResult;
use retap_model::{Abstraction, Coverage, Event, Observation, Rate, Step, Trace};
use retap_reduce::{RecordedTrace, Replay, ReplayError, ReplayMode, ReplayResult, StopRecording};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub struct LabReplay<'l, 'a> {
    pub lab: &'l mut Lab<'a>,
    pub abstraction: Abstraction,
    pub package: String,
    /// The number of runs of each candidate. A candidate replays only if all of them follow it.
    pub runs: u32,
    pub vary_world: bool,
    /// The device is deterministic.
    pub repeats: bool,
    /// The number of executions so far.
    pub executed: u64,
    /// Seconds in which devices ran.
    pub seconds: f64,
    pub interrupt: &'l AtomicBool,
    /// Receives the number of executions so far.
    pub on_progress: Box<dyn Fn(u64) + 'l>,
}

impl std::fmt::Debug for LabReplay<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabReplay").field("executed", &self.executed).finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Runs {
    covered: Option<Vec<Arc<Coverage>>>,
    rate: Rate,
}

impl Replay for LabReplay<'_, '_> {
    type Error = DeviceError;

    fn replay(
        &mut self,
        traces: &[Trace],
        mode: ReplayMode,
    ) -> Result<Vec<ReplayResult>, ReplayError<DeviceError>> {
        let mut all: Vec<Runs> = traces.iter().map(|_| Runs::default()).collect();
        // Nearly all candidates that fail do so in their first run, so the first run goes alone.
        for batch in [0..1, 1..self.runs] {
            let wanted = |at: &usize| {
                mode == ReplayMode::MeasureRate || all[*at].rate.successes == all[*at].rate.runs
            };
            let left: Vec<usize> = (0..traces.len()).filter(wanted).collect();
            let pairs: Vec<(usize, u32)> =
                left.iter().flat_map(|at| batch.clone().map(|run| (*at, run))).collect();
            let jobs: Vec<Job> =
                pairs.iter().map(|(at, run)| self.job(&traces[*at], *run)).collect();
            let (abstraction, package) = (self.abstraction, self.package.as_str());
            let leaves = |job: usize, step: usize, observation: &Observation| {
                let expected = traces[pairs[job].0].result_after(step);
                leaves(expected, observation, abstraction, package)
            };
            let started = Instant::now();
            let executions = self.lab.run_all(&jobs, &leaves).map_err(halt)?;
            self.seconds += started.elapsed().as_secs_f64();
            self.executed += executions.len() as u64;
            for ((at, _), execution) in pairs.iter().zip(&executions) {
                self.add(&traces[*at], execution, &mut all[*at]);
            }
            tracing::debug!("{} replays done", self.executed);
            (self.on_progress)(self.executed);
        }
        let replayed = |runs: Runs| ReplayResult {
            covered: runs.covered.unwrap_or_default(),
            is_conclusive: runs.rate.runs >= self.runs.into(),
            rate: runs.rate,
        };
        Ok(all.into_iter().map(replayed).collect())
    }

    fn record(
        &mut self,
        trace: &Trace,
        stop: StopRecording<'_>,
    ) -> Result<RecordedTrace, ReplayError<DeviceError>> {
        let job = self.job(trace, 0);
        let result =
            |observation: &Observation| step_result(observation, self.abstraction, &self.package);
        let watch = |_: usize, _: usize, observation: &Observation| stop(&result(observation));
        let started = Instant::now();
        let executions = self.lab.run_all(std::slice::from_ref(&job), &watch);
        let execution = executions.map_err(halt)?.pop().ok_or(ReplayError::Stopped)?;
        self.seconds += started.elapsed().as_secs_f64();
        self.executed += 1;
        (self.on_progress)(self.executed);
        let steps = job.events.into_iter().zip(&execution.observations[1..]);
        let steps =
            steps.map(|(event, observation)| Step { event, result: result(observation) }).collect();
        let start = result(&execution.observations[0]);
        let covered =
            execution.observations.iter().map(|observation| Arc::clone(&observation.coverage));
        Ok(RecordedTrace {
            covered: covered.collect(),
            trace: Trace { world_seed: job.world_seed, start, steps },
            keep: false,
        })
    }

    fn can_trust_recordings(&self) -> bool {
        self.repeats && !self.vary_world
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

impl LabReplay<'_, '_> {
    fn job(&self, trace: &Trace, run: u32) -> Job {
        let shift = if self.vary_world { run.into() } else { 0 };
        let events: Vec<Event> = trace.events().cloned().collect();
        Job { world_seed: trace.world_seed.wrapping_add(shift), events }
    }

    fn add(&self, trace: &Trace, execution: &Execution, runs: &mut Runs) {
        let divergence = compare(trace, execution, self.abstraction, &self.package);
        runs.rate.add(divergence.is_none());
        let followed = match divergence {
            None => execution.observations.len(),
            // The execution ended as recorded, but too early.
            Some(d) if matches!(d.difference, Difference::Ended { .. }) => d.step + 1,
            Some(d) => d.step,
        };
        let covered = execution.observations[..followed].iter().map(|one| &one.coverage);
        runs.covered = Some(match runs.covered.take() {
            None => covered.cloned().collect(),
            Some(before) => before
                .into_iter()
                .zip(covered)
                .map(|(a, b)| if a == *b { a } else { Arc::new(a.intersection(b)) })
                .collect(),
        });
    }
}

fn halt(error: DeviceError) -> ReplayError<DeviceError> {
    match error {
        DeviceError::Interrupted => ReplayError::Stopped,
        other => ReplayError::Failed(other),
    }
}

/// Returns the step result that a suite keeps. The coverage is kept beside it.
pub fn step_result(
    observation: &Observation,
    abstraction: Abstraction,
    package: &str,
) -> StepResult {
    StepResult {
        state: Some(abstraction.state(&observation.screen)),
        elapsed_ms: observation.elapsed_ms,
        outcome: observation.outcome.recorded(package),
        ..StepResult::default()
    }
}

/// Returns true if an execution has left its trace, so that the rest need not run.
fn leaves(
    result: &StepResult,
    observation: &Observation,
    abstraction: Abstraction,
    package: &str,
) -> bool {
    result.state.is_some_and(|state| state != abstraction.state(&observation.screen))
        || result.outcome != observation.outcome.recorded(package)
}
