//! From a recorded trace to the few events that matter: the pure algorithms of `retap-minimize`, with
//! a lab as their oracle. Used by `retap minimize` and by `retap explore` for every crash it finds.

mod address;
mod judge;
mod lab_oracle;
mod launch;
mod memory;
mod simplify;
mod store;

pub use judge::Judge;
pub use memory::Memory;
pub use store::Store;

use crate::failure::Failure;
use lab_oracle::LabOracle;
use retap_device::{DeviceError, Execution, Job, Lab};
use retap_minimize::statistics::{p1, p2};
use retap_minimize::{Ending, Options, Outcome, Prior, Problem, Stop, Tally};
use retap_model::format::trace::Header;
use retap_model::trace::StepResult;
use retap_model::{Abstraction, Event, Rate, Step, Trace, WorldSeed};
use std::time::Instant;

/// What to minimise, and how.
pub struct Request<'a> {
    pub header: &'a Header,
    pub trace: &'a Trace,
    pub judge: Judge,
    pub options: Options,
    /// Every run of a candidate in a world of its own.
    pub vary_world: bool,
    pub hierarchy: Abstraction,
    pub simplify: bool,
    /// Begin straight at a later activity where that passes.
    pub launch_at: bool,
    /// Fresh worlds to measure the answer in.
    pub worlds: u32,
    /// What is believed of success rates before anything has run.
    pub prior: Prior,
    pub deadline: Option<Instant>,
}

pub struct Minimized {
    /// The answer as it ran: its events, and where each led.
    pub trace: Trace,
    pub outcome: Outcome,
    /// Events that were made simpler after the sequence was as short as it gets.
    pub simplified: usize,
    /// The activity that the answer begins straight at, if it does.
    pub launched_at: Option<String>,
    /// How often the answer works in fresh worlds.
    pub success: Rate,
    pub p1: f64,
    pub p2: f64,
}

impl Minimized {
    pub fn is_interrupted(&self) -> bool {
        self.outcome.ending == Ending::Stopped(Stop::Interrupted)
    }
}

/// Told while it goes on: the best events so far (verified), and the oracle calls made.
pub type Watch<'w> = &'w mut dyn FnMut(&[Event], u64);

pub fn minimize(
    lab: &mut Lab<'_>,
    request: &Request<'_>,
    memory: &mut Memory,
    watch: Watch<'_>,
) -> Result<Minimized, Failure> {
    let events: Vec<Event> = request.trace.events().cloned().collect();
    let world_seed = request.trace.world_seed;
    // The original once, for the states of the hierarchy. Where the device is deterministic the
    // baseline that follows costs nothing more.
    let original = lab.run(&Job { world_seed, events: events.clone() })?;
    let states = states_before(&original, events.len(), request.hierarchy);
    let numbers: Option<Vec<u64>> =
        states.as_ref().map(|states| states.iter().map(|state| state.0).collect());
    let problem = Problem { length: events.len(), states: numbers.as_deref() };

    let mut oracle = LabOracle::new(lab, request, &events, states.as_deref(), memory, watch);
    let outcome = retap_minimize::minimize(&problem, &mut oracle, &request.options)
        .map_err(|error| Failure::input(error.to_string()))?;
    oracle.into_failure()?;
    if outcome.ending == Ending::NotReproduced {
        return Err(not_reproduced(request, &original, outcome.baseline.successes));
    }
    let kept: Vec<Event> =
        outcome.answer.positions().iter().map(|&at| events[at as usize].clone()).collect();
    if outcome.ending == Ending::Stopped(Stop::Interrupted) {
        return Ok(unmeasured(request, outcome, &kept));
    }
    match polish(lab, request, &outcome, kept.clone()) {
        Err(Failure::Device(DeviceError::Interrupted)) => {
            let ending = Ending::Stopped(Stop::Interrupted);
            Ok(unmeasured(request, Outcome { ending, ..outcome }, &kept))
        }
        polished => polished,
    }
}

/// The best so far, of which nobody waits to know more.
fn unmeasured(request: &Request<'_>, outcome: Outcome, kept: &[Event]) -> Minimized {
    Minimized {
        trace: Trace::of_events(request.trace.world_seed, kept.iter().cloned()),
        simplified: 0,
        launched_at: None,
        success: Rate::default(),
        p1: p1(&request.prior, &Tally::default()),
        p2: p2(&request.prior, &request.options.check, kept.len()),
        outcome,
    }
}

/// Makes what is left plainer, and measures how often it works.
fn polish(
    lab: &mut Lab<'_>,
    request: &Request<'_>,
    outcome: &Outcome,
    mut kept: Vec<Event>,
) -> Result<Minimized, Failure> {
    let world_seed = request.trace.world_seed;
    let finished = outcome.ending == Ending::Finished;
    let launched_at = if request.launch_at && finished {
        launch::begin_at_activity(lab, request, &mut kept)?
    } else {
        None
    };
    let simplified = if request.simplify && finished {
        address::name_widgets(lab, request, &mut kept)?;
        simplify::simplify(lab, request, &mut kept)?
    } else {
        0
    };
    let execution = lab.run(&Job { world_seed, events: kept.clone() })?;
    let success = measure(lab, request, &kept)?;
    let failures = success.runs - success.successes;
    let fresh = Tally::new(success.successes as u32, failures as u32);
    Ok(Minimized {
        trace: record(request, world_seed, &kept, &execution),
        simplified,
        launched_at,
        p1: p1(&request.prior, &fresh),
        p2: p2(&request.prior, &request.options.check, kept.len()),
        outcome: outcome.clone(),
        success,
    })
}

/// Whether events that are not a part of the original pass as its parts must.
fn passes(lab: &mut Lab<'_>, request: &Request<'_>, events: &[Event]) -> Result<bool, Failure> {
    let check = request.options.check;
    let mut failures = 0;
    for run in 0..check.runs {
        let world = if request.vary_world { u64::from(run) } else { 0 };
        let world_seed = request.trace.world_seed.wrapping_add(world);
        let execution = lab.run(&Job { world_seed, events: events.to_vec() })?;
        failures += u32::from(!request.judge.holds(events, &execution)?);
        if failures > check.tolerance() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The state before each event; none when the original ended early and some were never seen.
fn states_before(
    original: &Execution,
    events: usize,
    hierarchy: Abstraction,
) -> Option<Vec<retap_model::StateId>> {
    (original.events() == events).then(|| {
        let before = &original.observations[..events];
        before.iter().map(|seen| hierarchy.state(&seen.screen)).collect()
    })
}

fn not_reproduced(request: &Request<'_>, original: &Execution, successes: u32) -> Failure {
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

/// The answer in fresh worlds: how often would it work for somebody else?
fn measure(lab: &mut Lab<'_>, request: &Request<'_>, events: &[Event]) -> Result<Rate, Failure> {
    const FRESH: WorldSeed = 1 << 32;
    let jobs: Vec<Job> = (0..u64::from(request.worlds))
        .map(|n| Job {
            world_seed: request.trace.world_seed.wrapping_add(FRESH + n),
            events: events.to_vec(),
        })
        .collect();
    let mut rate = Rate::default();
    for execution in lab.run_all(&jobs, retap_device::NEVER_STOP)? {
        rate.add(request.judge.holds(events, &execution)?);
    }
    Ok(rate)
}

fn record(
    request: &Request<'_>,
    world_seed: WorldSeed,
    events: &[Event],
    execution: &Execution,
) -> Trace {
    let result = |seen: &retap_model::Observation| StepResult {
        state: Some(request.header.abstraction.state(&seen.screen)),
        elapsed_ms: seen.elapsed_ms,
        outcome: seen.outcome.recorded(&request.header.app.package),
        ..StepResult::default()
    };
    let mut seen = execution.observations.iter();
    let start = seen.next().map(result).unwrap_or_default();
    let steps = events
        .iter()
        .zip(seen)
        .map(|(event, seen)| Step { event: event.clone(), result: result(seen) });
    Trace { world_seed, start, steps: steps.collect() }
}
