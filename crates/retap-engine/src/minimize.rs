//! Minimises a recorded trace on a lab: the pure algorithms of `retap-minimize`, with executions as their oracle.
//! `retap minimize` uses it, and `retap explore` for every crash it finds.

mod aimed;
mod answer_log;
mod confirmed_events;
mod judge;
mod lab_oracle;
mod launch_at_activity;
mod learned;
mod name_widgets;
mod remove_again;
mod simplify;

pub use answer_log::AnswerLog;
pub use judge::Judge;
pub use learned::LearnedStore;

use crate::Failure;
use confirmed_events::{ConfirmedEvents, EventsVersion};
use lab_oracle::LabOracle;
use retap_device::{DeviceError, Execution, Job, Lab, NEVER_STOP};
use retap_minimize::statistics::{p1, p2};
use retap_minimize::{
    Check, MinimizeEnding, MinimizeOptions, MinimizeProblem, MinimizeResult, Prior, RunCounts,
    SearchStop,
};
use retap_model::format::trace::Header;
use retap_model::trace::StepResult;
use retap_model::{
    Abstraction, Event, Observation, Rate, RunPhase, StateId, Step, Trace, WorldSeed,
};
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
    pub fresh_worlds: FreshWorlds,
    /// The distribution of success rates that is believed before anything has run.
    pub prior: Prior,
    pub deadline: Option<Instant>,
}

/// The fresh world seeds in which the success rate of an answer is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreshWorlds {
    pub most: u32,
    /// This many are enough if the answer runs the same code through the same states in all of them: then the worlds
    /// do not matter to it.
    pub enough_if_alike: Option<u32>,
}

impl FreshWorlds {
    /// Measures in all of this many worlds.
    pub fn all(most: u32) -> Self {
        Self { most, enough_if_alike: None }
    }
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
    /// None where its lemma does not hold: not every single event was tested.
    pub p2: Option<f64>,
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
    let length = length_to_minimize(request, &events, &original)?;
    let mut search = |length| search(lab, request, &original, length, answers, on_progress);
    let mut outcome = search(length)?;
    if outcome.ending == MinimizeEnding::NotReproduced && request.options.check.runs > 1 {
        // In other worlds the events count that were left out.
        outcome = search(events.len())?;
    }
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

/// Searches among the first events of the trace.
fn search(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    original: &Execution,
    length: usize,
    answers: &mut AnswerLog,
    on_progress: OnProgress<'_>,
) -> Result<MinimizeResult, Failure> {
    let states = states_before(original, length, request.hierarchy);
    let numbers: Option<Vec<u64>> =
        states.as_ref().map(|states| states.iter().map(|state| state.0).collect());
    let problem = MinimizeProblem { length, states: numbers.as_deref() };
    let mut oracle = LabOracle::new(lab, request, states.as_deref(), answers, on_progress);
    let result = retap_minimize::minimize(&problem, &mut oracle, &request.options)
        .map_err(|error| Failure::input(error.to_string()))?;
    oracle.into_failure()?;
    Ok(result)
}

/// Returns the number of events to minimise: those up to the end of the original, if it has shown by then what is
/// looked for. The states before all of them are known.
fn length_to_minimize(
    request: &MinimizeRequest<'_>,
    events: &[Event],
    original: &Execution,
) -> Result<usize, Failure> {
    let run = original.events();
    let is_shown = request.judge.holds(&events[..run], original)?;
    Ok(if is_shown { run } else { events.len() })
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
        p2: None,
        outcome,
    }
}

/// Simplifies the remaining events, confirms what changed, and measures how often the events succeed.
fn finish(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    outcome: &MinimizeResult,
    kept: Vec<Event>,
) -> Result<MinimizedTrace, Failure> {
    let world_seed = request.trace.world_seed;
    let mut answer = ConfirmedEvents::new(kept);
    let mut minimality = outcome.minimality;
    let mut verification = outcome.verification;
    if outcome.ending == MinimizeEnding::Finished {
        if request.launch_at_activity {
            launch_at_activity::launch_at_activity(lab, request, &mut answer)?;
        }
        if request.simplify {
            name_widgets::name_widgets(lab, request, &mut answer)?;
            simplify::simplify(lab, request, &mut answer)?;
        }
        if !answer.is_unchanged() {
            let promises_minimality = request.options.algorithm.promises_one_minimal();
            if promises_minimality {
                remove_again::remove_again(lab, request, &mut answer)?;
            }
            let tested = answer.latest().events.len();
            verification = answer.confirm(lab, request)?.or(verification);
            let is_tested = promises_minimality && answer.latest().events.len() == tested;
            minimality = if answer.is_unchanged() {
                outcome.minimality
            } else {
                is_tested.then_some(request.options.check)
            };
        }
    }
    let EventsVersion { events, simplified, launched_at } = answer.latest().clone();
    let execution = lab.run(&Job { world_seed, events: events.clone() })?;
    lab.charge(RunPhase::Minimize);
    let success = measure(lab, request, &events, &execution)?;
    lab.charge(RunPhase::Measure);
    let failures = success.runs - success.successes;
    let fresh = RunCounts::new(success.successes as u32, failures as u32);
    let p2 = |tested: &Check| p2(&request.prior, tested, &request.options.check, events.len());
    Ok(MinimizedTrace {
        trace: to_trace(request, world_seed, &events, &execution),
        simplified,
        launched_at,
        p1: p1(&request.prior, &fresh),
        p2: minimality.as_ref().map(p2),
        outcome: MinimizeResult { verification, minimality, ..outcome.clone() },
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

/// Returns the state before each of the first events, or `None` if the original ended early and some are unknown.
fn states_before(
    original: &Execution,
    events: usize,
    hierarchy: Abstraction,
) -> Option<Vec<StateId>> {
    (original.events() >= events).then(|| {
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
    recorded: &Execution,
) -> Result<Rate, Failure> {
    /// No search uses world seeds this far away.
    const FRESH: WorldSeed = 1 << 32;
    let job = |n: u32| Job {
        world_seed: request.trace.world_seed.wrapping_add(FRESH + u64::from(n)),
        events: events.to_vec(),
    };
    let FreshWorlds { most, enough_if_alike } = request.fresh_worlds;
    let first = enough_if_alike.unwrap_or(most).min(most);
    let mut executions = lab.run_all(&(0..first).map(job).collect::<Vec<Job>>(), NEVER_STOP)?;
    if !executions.iter().all(|execution| are_alike(request, execution, recorded)) {
        executions.extend(lab.run_all(&(first..most).map(job).collect::<Vec<Job>>(), NEVER_STOP)?);
    }
    let mut rate = Rate::default();
    for execution in executions {
        rate.add(request.judge.holds(events, &execution)?);
    }
    Ok(rate)
}

/// Returns true if two executions ran the same code through the same states.
fn are_alike(request: &MinimizeRequest<'_>, a: &Execution, b: &Execution) -> bool {
    let Header { app, abstraction, .. } = request.header;
    let essence = |observation: &Observation| {
        let outcome = observation.outcome.recorded(&app.package);
        (abstraction.state(&observation.screen), outcome, observation.coverage.id())
    };
    a.observations.len() == b.observations.len()
        && a.observations.iter().zip(&b.observations).all(|(a, b)| essence(a) == essence(b))
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
    let start = execution.observations.first().map(result).unwrap_or_default();
    // An execution that ends early has fewer observations than events: the trace ends with it.
    let steps = events.iter().zip(execution.observations.windows(2)).map(|(event, around)| Step {
        event: aimed::as_aimed(event, &around[0].screen),
        result: result(&around[1]),
    });
    Trace { world_seed, start, steps: steps.collect() }
}
