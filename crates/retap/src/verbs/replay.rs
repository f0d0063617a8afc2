//! `retap replay`.

mod against;
mod over;
mod runs;
mod suite;

use super::fleet::{LabRequest, open_lab};
use crate::cli::ReplayArgs;
use crate::console::{Console, Paint};
use crate::exit::Exit;
use crate::interrupt;
use retap_device::Job;
use retap_engine::connection::{NamedTrace, connect_for_trace};
use retap_engine::replay::{ReplayComparison, ReplayedCrash, RunDivergence};
use retap_engine::{Failure, Reporter, same_app, suite_folder, trace_file};
use retap_model::observation::RecordedOutcome;
use retap_model::{Cost, Event, Rate, Trace};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The lines that the terminal shows of a stack.
const MAX_STACK_LINES: usize = 24;

/// The result of a replay, as `--json` prints it.
#[derive(Debug, Serialize)]
struct ReplaySummary {
    verb: &'static str,
    trace: String,
    events: usize,
    /// The number of runs asked for. Ctrl-C leaves fewer in the rates.
    wanted_runs: u64,
    runs: u64,
    /// Runs that followed the trace to its end.
    faithful: Rate,
    interval: (f64, f64),
    /// Runs that ended in the trace's own crash; absent if it ends in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduced: Option<Rate>,
    /// The number of runs by outcome.
    outcomes: BTreeMap<String, u64>,
    /// The crashes that the runs ended in, the trace's own and others.
    crashes: Vec<ReplayedCrash>,
    divergences: Vec<RunDivergence>,
    /// The number of times that each host limitation was met.
    host_limitations: BTreeMap<String, u64>,
    cost: Cost,
}

impl ReplaySummary {
    fn is_interrupted(&self) -> bool {
        self.runs < self.wanted_runs
    }
}

pub fn run(args: &ReplayArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if suite_folder::is_suite(Path::new(&args.trace)) {
        return suite::run(args, console);
    }
    if args.junit.is_some() {
        return Err(Failure::input("--junit is for suites: name a folder with a suite.toml"));
    }
    let (header, mut trace) = trace_file::read(&args.trace)?;
    let settings = args.device.settings().as_recorded(&header);
    if header.device == "fake" && !settings.is_fake() {
        return Err(Failure::input(
            "this trace was recorded on a fake device: name its file with --device fake:FILE",
        ));
    }
    let named = NamedTrace { name: &args.trace, header: &header };
    let apk = args.app.apk.as_deref();
    let connection = connect_for_trace(&settings, apk, named, console.context())?;
    if let Some(old) = &args.over {
        if args.coordinates {
            use_coordinates(&mut trace);
        }
        return over::run(args, (old, &connection), (&header, &trace), console);
    }
    if let Some(kind) = &args.against {
        if args.coordinates {
            use_coordinates(&mut trace);
        }
        return against::run(args, (kind, &settings, &connection), (&header, &trace), console);
    }
    let wanted = LabRequest::new("replay", &settings, args.jobs, &args.fleet);
    let mut lab = open_lab(&connection, wanted, console)?;
    let app = lab.rig().app()?.clone();
    same_app::check(&header, &app, args.force, console.context())?;
    if args.coordinates {
        use_coordinates(&mut trace);
    }

    let events: Vec<Event> = trace.events().cloned().collect();
    let world =
        |run: u32| trace.world_seed.wrapping_add(if args.vary_world { run.into() } else { 0 });
    let jobs: Vec<Job> =
        (0..args.runs).map(|run| Job { world_seed: world(run), events: events.clone() }).collect();
    let executions = runs::run_all(&mut lab, &jobs, console)?;
    lab.take_remarks().iter().for_each(|remark| console.remark(remark));
    let mut comparison = ReplayComparison::default();
    for (job, execution) in jobs.iter().zip(&executions) {
        comparison.add(&header, &trace, job, execution);
    }
    let summary = summarize(comparison, args, &trace, lab.cost());
    console.json(&summary);
    console.result(&render(&summary, &trace, console.paint()));
    Ok(if summary.is_interrupted() {
        Exit::Interrupted
    } else if args.strict && !summary.host_limitations.is_empty() {
        Exit::HostLimitation
    } else {
        exit(&summary)
    })
}

fn summarize(
    comparison: ReplayComparison,
    args: &ReplayArgs,
    trace: &Trace,
    cost: Cost,
) -> ReplaySummary {
    let reproduced = trace.last().outcome.crash().map(|_| comparison.reproduced);
    ReplaySummary {
        verb: "replay",
        trace: args.trace.clone(),
        events: trace.steps.len(),
        wanted_runs: args.runs.into(),
        runs: comparison.faithful.runs,
        interval: reproduced.unwrap_or(comparison.faithful).interval(),
        faithful: comparison.faithful,
        reproduced,
        outcomes: comparison.outcomes,
        crashes: comparison.crashes,
        divergences: comparison.divergences,
        host_limitations: comparison.host_limitations,
        cost,
    }
}

/// Removes the selectors, so that events act on their recorded coordinates.
fn use_coordinates(trace: &mut Trace) {
    for step in &mut trace.steps {
        for target in step.event.targets_mut() {
            if target.at.is_some() {
                target.on = None;
            }
        }
    }
}

/// A crash or a divergence counts as found. A recorded crash that never came does not reproduce.
fn exit(report: &ReplaySummary) -> Exit {
    match report.reproduced {
        Some(Rate { successes: 0, .. }) => Exit::DoesNotReproduce,
        Some(_) => Exit::Found,
        None if report.divergences.is_empty() => Exit::Clean,
        None => Exit::Found,
    }
}

fn render(report: &ReplaySummary, trace: &Trace, paint: Paint) -> String {
    let mut text = String::new();
    let _ = write_report(&mut text, report, trace, paint);
    text
}

fn write_report(
    text: &mut String,
    report: &ReplaySummary,
    trace: &Trace,
    paint: Paint,
) -> std::fmt::Result {
    if report.is_interrupted() {
        writeln!(text, "Interrupted after {} of {} runs", report.runs, report.wanted_runs)?;
    }
    if let (Some(rate), RecordedOutcome::Crashed { id, exception }) =
        (report.reproduced, &trace.last().outcome)
    {
        let verdict = format!("Reproduces {exception} ({id}) in {rate}");
        writeln!(
            text,
            "{}",
            if rate.successes > 0 { paint.bad(&verdict) } else { paint.fair(&verdict) }
        )?;
    }
    writeln!(
        text,
        "{} events replayed step by step: faithful in {}",
        report.events, report.faithful
    )?;
    for (outcome, count) in &report.outcomes {
        writeln!(text, "  ended {count}×: {outcome}")?;
    }
    for crash in report.crashes.iter().filter(|crash| !crash.expected) {
        write_crash(text, crash)?;
    }
    for (limitation, count) in &report.host_limitations {
        writeln!(text, "  host limitation ({count}×): {limitation}")?;
    }
    const SHOWN: usize = 5;
    for divergence in report.divergences.iter().take(SHOWN) {
        let RunDivergence { run, event, difference, world_seed, .. } = divergence;
        writeln!(
            text,
            "  run {run} (world seed {world_seed}) diverged {difference}, after: {event}"
        )?;
    }
    if report.divergences.len() > SHOWN {
        writeln!(text, "  … and {} more runs", report.divergences.len() - SHOWN)?;
    }
    Ok(())
}

/// A crash that the trace does not name: nothing else on the disk shows its stack.
fn write_crash(text: &mut String, crash: &ReplayedCrash) -> std::fmt::Result {
    writeln!(text, "A crash that the trace does not end in ({}):", crash.id)?;
    for line in crash.stack.lines().take(MAX_STACK_LINES) {
        writeln!(text, "    {}", line.trim_end())?;
    }
    if crash.stack.lines().count() > MAX_STACK_LINES {
        writeln!(text, "    … the whole stack: --json")?;
    }
    Ok(())
}
