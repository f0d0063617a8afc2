//! Checks what a run has found: shows every crash and finding a second time, then minimises them, the shortest first,
//! as long as the budget lasts.

use super::check_budget::CheckBudget;
use super::detours::{ShownTrace, cut_detours};
use super::evidence::{self, ReproducedFault};
use super::film;
use crate::minimize::Judge;
use crate::{Context, Failure, trace_file};
use retap_device::{Job, Lab};
use retap_explore::StateGraph;
use retap_model::format::run::{
    self, KeptFinding, crash_folder, finding_folder, read_findings, write_finding,
};
use retap_model::{Abstraction, App, CrashId, Event, Oracle, RunPhase, Trace, WorldSeed};
use retap_oracle::Oracles;
use std::path::{Path, PathBuf};

/// A trace of at most this many events is not worth the search for a shorter start.
const SHORT_TRACE: usize = 4;

/// The settings of the checks of a run.
#[derive(Debug, Clone, Copy)]
pub struct CheckSettings<'a> {
    pub app: &'a App,
    pub run: &'a Path,
    pub oracles: &'a Oracles,
    pub abstraction: Abstraction,
    /// The states that the run has met and the paths to them.
    pub graph: &'a StateGraph,
    pub minimizes: bool,
    pub budget: CheckBudget,
}

/// A crash or a finding in its folder.
struct FoundFault {
    name: String,
    folder: PathBuf,
    judge: Judge,
    finding: Option<KeptFinding>,
}

/// Checks these crashes of the run. One that does not show again stays as it was found. Returns how many are left to
/// minimise.
pub fn check_crashes(
    lab: &mut Lab<'_>,
    crashes: impl Iterator<Item = CrashId>,
    settings: CheckSettings<'_>,
    context: Context<'_>,
) -> Result<usize, Failure> {
    let fault = |id: CrashId| FoundFault {
        name: format!("crash {id}"),
        folder: crash_folder(settings.run, id),
        judge: Judge::new(Oracle::Crash(Some(id)), settings.app, settings.abstraction),
        finding: None,
    };
    check(lab, crashes.map(fault).collect(), settings, context)
}

/// Checks all findings of the run. One that does not show again is dismissed, because a false alarm costs the user more
/// than a missed fault. Returns how many are left to minimise.
pub fn check_findings(
    lab: &mut Lab<'_>,
    settings: CheckSettings<'_>,
    context: Context<'_>,
) -> Result<usize, Failure> {
    let found = read_findings(settings.run);
    found.remarks.iter().for_each(|remark| context.remark(remark));
    let fault = |kept: KeptFinding| {
        let (kind, id) = (kept.finding.kind, kept.finding.id());
        let oracle = Oracle::Finding(kind, Some(id));
        FoundFault {
            name: format!("{kind} {id}"),
            folder: finding_folder(settings.run, id),
            judge: Judge::new(oracle, settings.app, settings.oracles.abstraction)
                .with_properties(&settings.oracles.properties),
            finding: Some(kept),
        }
    };
    let reported = found.kept.into_iter().filter(|kept| kept.dismissed.is_none());
    check(lab, reported.map(fault).collect(), settings, context)
}

fn check(
    lab: &mut Lab<'_>,
    mut faults: Vec<FoundFault>,
    settings: CheckSettings<'_>,
    context: Context<'_>,
) -> Result<usize, Failure> {
    faults.retain(|fault| evidence::read_record(&fault.folder).is_none());
    // Nothing is remembered of the run itself: a fault that shows again has to show on a clean install.
    lab.rig().forget_position();
    lab.remember_executions()?;
    let mut reproduced = Vec::new();
    let all = faults.len();
    let progress = context.progress(Some(all as u64));
    for (fault, number) in faults.iter().zip(1..) {
        progress.update(number, format!("{}: does it show again?", fault.name));
        match reproduce(lab, fault, settings)? {
            Some(shown) => reproduced.push(shown),
            None => note_not_reproduced(fault, settings.run, context)?,
        }
    }
    drop(progress);
    lab.charge(RunPhase::Verify);
    reproduced.sort_by_key(|(fault, _)| fault.trace.steps.len());
    let mut left = 0;
    let all = reproduced.len();
    for ((mut fault, shown), number) in reproduced.into_iter().zip(1..) {
        if !settings.minimizes {
            film::keep(lab, &mut fault.trace, settings.run, fault.folder)?;
        } else if !is_affordable(&settings.budget, lab, faults[0].finding.is_some()) {
            left += 1;
        } else {
            let what = if faults[0].finding.is_none() { "crash" } else { "finding" };
            let label = format!("minimising {what} {number} of {all}");
            shorten(lab, &mut fault, shown, settings, &label, context)?;
            evidence::minimize(lab, &fault, settings.run, &settings.budget, &label, context)?;
        }
    }
    lab.forget_executions();
    Ok(left)
}

/// A crash is minimised while there is time: it is what the user came for. A finding also needs a budget that is not spent.
fn is_affordable(budget: &CheckBudget, lab: &Lab<'_>, is_finding: bool) -> bool {
    if is_finding { !budget.is_spent(lab) } else { !budget.is_out_of_time() }
}

/// Shows the fault again, by a short way if the state graph knows one that does. Returns the trace that shows it.
fn reproduce<'f>(
    lab: &mut Lab<'_>,
    fault: &'f FoundFault,
    settings: CheckSettings<'_>,
) -> Result<Option<(ReproducedFault<'f>, ShownTrace)>, Failure> {
    let FoundFault { folder, judge, .. } = fault;
    let (header, trace) = trace_file::read(&folder.join(run::TRACE).display().to_string())?;
    let world_seed = trace.world_seed;
    for events in shorter_ways(settings.graph, &trace) {
        if let Some(shown) = show(lab, judge, world_seed, events, settings.abstraction)? {
            let trace = Trace::of_events(world_seed, shown.events.clone());
            return Ok(Some((ReproducedFault { header, trace, folder, judge }, shown)));
        }
    }
    let whole = trace.events().cloned().collect();
    let shown = show(lab, judge, world_seed, whole, settings.abstraction)?;
    Ok(shown.map(|shown| (ReproducedFault { header, trace, folder, judge }, shown)))
}

/// Cuts detours out of the trace of a fault while there is time.
fn shorten(
    lab: &mut Lab<'_>,
    fault: &mut ReproducedFault<'_>,
    shown: ShownTrace,
    settings: CheckSettings<'_>,
    label: &str,
    context: Context<'_>,
) -> Result<(), Failure> {
    let before = shown.events.len();
    let world_seed = fault.trace.world_seed;
    let progress = context.progress(None);
    let mut runs = 0;
    let path = |from, to, most| {
        let steps = settings.graph.find_shortest_path(from, to, most)?;
        Some(steps.into_iter().map(|step| step.event).collect())
    };
    let shorter = cut_detours(shown, path, |events| {
        if settings.budget.is_out_of_time() {
            return Ok(None);
        }
        runs += 1;
        progress.update(runs, format!("{label}: {before} → {} events", events.len()));
        show(lab, fault.judge, world_seed, events, settings.abstraction)
    })?;
    if shorter.events.len() < before {
        fault.trace = Trace::of_events(world_seed, shorter.events);
    }
    Ok(())
}

/// Runs events, and returns what they showed if it is the fault.
fn show(
    lab: &mut Lab<'_>,
    judge: &Judge,
    world_seed: WorldSeed,
    events: Vec<Event>,
    abstraction: Abstraction,
) -> Result<Option<ShownTrace>, Failure> {
    let job = Job { world_seed, events };
    let execution = lab.run(&job)?;
    let mut events = job.events;
    if !judge.holds(&events, &execution)? {
        return Ok(None);
    }
    events.truncate(execution.events());
    let states =
        execution.observations.iter().map(|seen| abstraction.state(&seen.screen)).collect();
    Ok(Some(ShownTrace { events, states }))
}

/// Returns shorter traces that may show the same: a known way to where the end of the trace began, then that end. The end is
/// the last event, then ever twice as many, for faults that need what came before. Together they cost at most what two runs
/// of the whole trace do.
fn shorter_ways(graph: &StateGraph, trace: &Trace) -> Vec<Vec<Event>> {
    let events = trace.steps.len();
    if events <= SHORT_TRACE {
        return Vec::new();
    }
    let mut ways = ways_to_end(graph, trace, events - 1);
    ways.retain(|way| way.len() < events);
    let longer_ends = std::iter::successors(Some(2), |end| Some(end * 2));
    let longer_ends = longer_ends.take_while(|end| *end <= events / 2);
    ways.extend(
        longer_ends
            .flat_map(|end| ways_to_end(graph, trace, events - end))
            .filter(|way| way.len() <= events / 2),
    );
    let mut cost = 0;
    ways.retain(|way| {
        cost += way.len();
        cost <= 2 * events
    });
    ways
}

/// Returns a shortcut and the shortest path that was taken to the state after `before` events, each with the events that
/// follow it in the trace.
fn ways_to_end(graph: &StateGraph, trace: &Trace, before: usize) -> Vec<Vec<Event>> {
    let Some(state) = trace.result_after(before).state else { return Vec::new() };
    let shortcut = graph
        .find_shortcut(state)
        .map(|steps| steps.into_iter().map(|step| step.event).collect::<Vec<Event>>());
    let mut ways: Vec<Vec<Event>> =
        shortcut.into_iter().chain(graph.recorded_path(state)).collect();
    let end = || trace.steps[before..].iter().map(|step| step.event.clone());
    ways.iter_mut().for_each(|way| way.extend(end()));
    ways
}

fn note_not_reproduced(
    fault: &FoundFault,
    run: &Path,
    context: Context<'_>,
) -> Result<(), Failure> {
    const WHY: &str = "a second run did not show it";
    let name = &fault.name;
    match &fault.finding {
        None => context.remark(&format!(
            "{name}: {WHY}; replay its trace, or minimize it with --runs or --vary-world"
        )),
        Some(kept) => {
            tracing::info!("{name} is dismissed: {WHY}");
            write_finding(run, &KeptFinding { dismissed: Some(WHY.into()), ..kept.clone() })?;
        }
    }
    Ok(())
}
