//! Minimises a recorded trace on a lab: the pure algorithms of `retap-minimize`, with executions as their oracle.
//! `retap minimize` uses it, and `retap explore` for every crash it finds.

mod answer_log;
mod judge;
mod lab_oracle;
mod launch_at_activity;
mod learned;
mod name_widgets;
mod simplify;

pub use answer_log::AnswerLog;
pub use judge::Judge;
pub use learned::LearnedStore;

use crate::Failure;
use lab_oracle::LabOracle;
use retap_device::{DeviceError, Execution, Job, Lab, NEVER_STOP};
use retap_minimize::statistics::{p1, p2};
use retap_minimize::{
    MinimizeEnding, MinimizeOptions, MinimizeProblem, MinimizeResult, Prior, RunCounts, SearchStop,
};
use retap_model::format::trace::Header;
use retap_model::trace::StepResult;
use retap_model::{Abstraction, Event, Observation, Rate, StateId, Step, Trace, WorldSeed};
use std::time::Instant;

/// A trace to minimise, its oracle and the options of the search.
#[derive(Debug)]
pub struct MinimizeRequest<'a> {
    pub header: &'a Header,
    pub trace: &'a Trace,
    pub judge: Judge,
    pub options: MinimizeOptions,
    /// Runs every run of a candidate with another world seed.
    pub vary_world: bool,
    /// The abstraction that the hierarchy of states is built from.
    pub hierarchy: Abstraction,
    /// Makes the remaining events simpler.
    pub simplify: bool,
    /// Begins straight at a later activity where the oracle still holds.
    pub launch_at_activity: bool,
    /// The number of fresh world seeds in which the answer's success rate is measured.
    pub fresh_worlds: u32,
    /// The distribution of success rates that is believed before anything has run.
    pub prior: Prior,
    pub deadline: Option<Instant>,
}

/// The answer to a [`MinimizeRequest`].
#[derive(Debug)]
pub struct MinimizedTrace {
    /// The answer as it ran: its events and their results.
    pub trace: Trace,
    pub outcome: MinimizeResult,
    /// The number of events that became simpler.
    pub simplified: usize,
    /// The activity that the answer begins at, if it does not begin with a launch.
    pub launched_at: Option<String>,
    /// The success rate in fresh worlds.
    pub success: Rate,
    /// ND3MIN's two probabilities; see `retap_minimize::statistics`.
    pub p1: f64,
    pub p2: f64,
}

impl MinimizedTrace {
    pub fn is_interrupted(&self) -> bool {
        self.outcome.ending == MinimizeEnding::Stopped(SearchStop::Interrupted)
    }
}

/// Receives the best events so far, which are verified, and the number of oracle calls.
pub type OnProgress<'w> = &'w mut dyn FnMut(&[Event], u64);

pub fn minimize(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    answers: &mut AnswerLog,
    on_progress: OnProgress<'_>,
) -> Result<MinimizedTrace, Failure> {
    let events: Vec<Event> = request.trace.events().cloned().collect();
    let world_seed = request.trace.world_seed;
    // The original runs once for the states of the hierarchy. On a deterministic device the baseline that
    // follows then costs nothing.
    let original = lab.run(&Job { world_seed, events: events.clone() })?;
    let states = states_before(&original, events.len(), request.hierarchy);
    let numbers: Option<Vec<u64>> =
        states.as_ref().map(|states| states.iter().map(|state| state.0).collect());
    let problem = MinimizeProblem { length: events.len(), states: numbers.as_deref() };

    let mut oracle = LabOracle::new(lab, request, states.as_deref(), answers, on_progress);
    let outcome = retap_minimize::minimize(&problem, &mut oracle, &request.options)
        .map_err(|error| Failure::input(error.to_string()))?;
    oracle.into_failure()?;
    if outcome.ending == MinimizeEnding::NotReproduced {
        return Err(not_reproduced(request, &original, outcome.baseline.successes));
    }
    let kept: Vec<Event> =
        outcome.answer.positions().iter().map(|&at| events[at as usize].clone()).collect();
    if outcome.ending == MinimizeEnding::Stopped(SearchStop::Interrupted) {
        return Ok(unmeasured(request, outcome, &kept));
    }
    match finish(lab, request, &outcome, kept.clone()) {
        Err(Failure::Device(DeviceError::Interrupted)) => {
            let ending = MinimizeEnding::Stopped(SearchStop::Interrupted);
            Ok(unmeasured(request, MinimizeResult { ending, ..outcome }, &kept))
        }
        finished => finished,
    }
}

/// Returns the best answer of an interrupted search, without measuring it.
fn unmeasured(
    request: &MinimizeRequest<'_>,
    outcome: MinimizeResult,
    kept: &[Event],
) -> MinimizedTrace {
    MinimizedTrace {
        trace: Trace::of_events(request.trace.world_seed, kept.iter().cloned()),
        simplified: 0,
        launched_at: None,
        success: Rate::default(),
        p1: p1(&request.prior, &RunCounts::default()),
        p2: p2(&request.prior, &request.options.check, kept.len()),
        outcome,
    }
}

/// Simplifies the remaining events and measures how often they succeed.
fn finish(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    outcome: &MinimizeResult,
    mut kept: Vec<Event>,
) -> Result<MinimizedTrace, Failure> {
    let world_seed = request.trace.world_seed;
    let finished = outcome.ending == MinimizeEnding::Finished;
    let launched_at = if request.launch_at_activity && finished {
        launch_at_activity::launch_at_activity(lab, request, &mut kept)?
    } else {
        None
    };
    let simplified = if request.simplify && finished {
        name_widgets::name_widgets(lab, request, &mut kept)?;
        simplify::simplify(lab, request, &mut kept)?
    } else {
        0
    };
    let execution = lab.run(&Job { world_seed, events: kept.clone() })?;
    let success = measure(lab, request, &kept)?;
    let failures = success.runs - success.successes;
    let fresh = RunCounts::new(success.successes as u32, failures as u32);
    Ok(MinimizedTrace {
        trace: to_trace(request, world_seed, &kept, &execution),
        simplified,
        launched_at,
        p1: p1(&request.prior, &fresh),
        p2: p2(&request.prior, &request.options.check, kept.len()),
        outcome: outcome.clone(),
        success,
    })
}

/// Runs events that are not a subsequence of the original, and returns true if they pass the same check.
fn passes(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    events: &[Event],
) -> Result<bool, Failure> {
    let check = request.options.check;
    let mut failures = 0;
    for run in 0..check.runs {
        let shift = if request.vary_world { u64::from(run) } else { 0 };
        let world_seed = request.trace.world_seed.wrapping_add(shift);
        let execution = lab.run(&Job { world_seed, events: events.to_vec() })?;
        failures += u32::from(!request.judge.holds(events, &execution)?);
        if failures > check.tolerance() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the state before each event, or `None` if the original ended early and some states are unknown.
fn states_before(
    original: &Execution,
    events: usize,
    hierarchy: Abstraction,
) -> Option<Vec<StateId>> {
    (original.events() == events).then(|| {
        let before = &original.observations[..events];
        before.iter().map(|observation| hierarchy.state(&observation.screen)).collect()
    })
}

fn not_reproduced(request: &MinimizeRequest<'_>, original: &Execution, successes: u32) -> Failure {
    let package = &request.header.app.package;
    let ended = original.last().outcome.recorded(package);
    let mut message = format!(
        "the trace does not show {} often enough: {successes} of {} runs did, {} are needed; \
         after {} of {} events: {ended}",
        request.judge.oracle,
        request.options.check.runs,
        request.options.check.baseline_required(),
        original.events(),
        request.trace.steps.len(),
    );
    if let Some(divergence) =
        retap_device::replay::compare(request.trace, original, request.header.abstraction, package)
    {
        message.push_str(&format!("; it diverges from the recording {divergence}"));
    }
    message.push_str("; try --runs or --vary-world, or replay it first");
    Failure::NotReproduced(message)
}

/// Measures the success rate of the answer in fresh worlds: how often it works for somebody else.
fn measure(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    events: &[Event],
) -> Result<Rate, Failure> {
    /// No search uses world seeds this far away.
    const FRESH: WorldSeed = 1 << 32;
    let jobs: Vec<Job> = (0..u64::from(request.fresh_worlds))
        .map(|n| Job {
            world_seed: request.trace.world_seed.wrapping_add(FRESH + n),
            events: events.to_vec(),
        })
        .collect();
    let mut rate = Rate::default();
    for execution in lab.run_all(&jobs, NEVER_STOP)? {
        rate.add(request.judge.holds(events, &execution)?);
    }
    Ok(rate)
}

fn to_trace(
    request: &MinimizeRequest<'_>,
    world_seed: WorldSeed,
    events: &[Event],
    execution: &Execution,
) -> Trace {
    let result = |observation: &Observation| StepResult {
        state: Some(request.header.abstraction.state(&observation.screen)),
        elapsed_ms: observation.elapsed_ms,
        outcome: observation.outcome.recorded(&request.header.app.package),
        ..StepResult::default()
    };
    let mut observations = execution.observations.iter();
    let start = observations.next().map(result).unwrap_or_default();
    // An execution that ends early has fewer observations than events: the trace ends with it.
    let steps = events
        .iter()
        .zip(observations)
        .map(|(event, observation)| Step { event: event.clone(), result: result(observation) });
    Trace { world_seed, start, steps: steps.collect() }
}
