//! `retap replay`.

use crate::cli::ReplayArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::{device, interrupt, suite_folder, trace_file};
use retap_device::replay::{Divergence, compare};
use retap_device::{Execution, Job, Lab};
use retap_model::format::trace::Header;
use retap_model::observation::RecordedOutcome;
use retap_model::{App, Event, Rate, Trace};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    verb: &'static str,
    trace: String,
    events: usize,
    runs: u64,
    /// Runs in which every step led where the trace says.
    faithful: Rate,
    interval: (f64, f64),
    /// Runs that ended in the crash that the trace ends in; absent when it ends in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduced: Option<Rate>,
    /// How runs ended, and how often.
    outcomes: BTreeMap<String, u64>,
    divergences: Vec<RunDivergence>,
    cost: retap_model::Cost,
}

#[derive(Debug, Serialize)]
struct RunDivergence {
    run: usize,
    world_seed: u64,
    step: usize,
    event: String,
    difference: String,
}

pub fn run(args: &ReplayArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if suite_folder::is_suite(Path::new(&args.trace)) {
        return super::suite::run(args, console);
    }
    if args.junit.is_some() {
        return Err(Failure::input("--junit is for suites: name a folder with a suite.toml"));
    }
    let (header, mut trace) = trace_file::read(&args.trace)?;
    let device_args = args.device.as_recorded(&header);
    if header.device == "fake" && !device_args.is_fake() {
        return Err(Failure::input(
            "this trace was recorded on a fake device: name its file with --device fake:FILE",
        ));
    }
    let recorded = (args.trace.as_str(), &header);
    let apk = args.app.apk.as_deref();
    let chosen = device::choose_for_trace(&device_args, apk, recorded, console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    check_same_app(&header, &app, args.force, console)?;
    if args.coordinates {
        use_coordinates(&mut trace);
    }

    let events: Vec<Event> = trace.events().cloned().collect();
    let world =
        |run: u32| trace.world_seed.wrapping_add(if args.vary_world { run.into() } else { 0 });
    let jobs: Vec<Job> =
        (0..args.runs).map(|run| Job { world_seed: world(run), events: events.clone() }).collect();
    let progress = console.progress(None);
    progress.update(0, format!("{} × {} events", args.runs, events.len()));
    let executions = lab.run_all(&jobs, retap_device::NEVER_STOP)?;
    drop(progress);
    for remark in lab.take_remarks() {
        console.remark(&remark);
    }

    let report = judge(args, &header, &trace, &jobs, &executions, &app, &lab);
    console.json(&report);
    console.result(&render(&report, &trace));
    Ok(verdict(&report))
}

fn judge(
    args: &ReplayArgs,
    header: &Header,
    trace: &Trace,
    jobs: &[Job],
    executions: &[Execution],
    app: &App,
    lab: &Lab<'_>,
) -> Report {
    let package = &app.identity.package;
    let wanted = trace.last().outcome.crash();
    let mut faithful = Rate::default();
    let mut reproduced = Rate::default();
    let mut outcomes = BTreeMap::new();
    let mut divergences = Vec::new();
    for (run, (job, execution)) in jobs.iter().zip(executions).enumerate() {
        let divergence = compare(trace, execution, header.abstraction, package);
        let outcome = execution.last().outcome.recorded(package);
        faithful.add(divergence.is_none());
        reproduced.add(wanted.is_some() && outcome.crash() == wanted);
        *outcomes.entry(outcome.to_string()).or_default() += 1;
        if let Some(Divergence { step, difference }) = divergence {
            let event = match step {
                0 => "launch".to_string(),
                step => trace.steps[step - 1].event.to_string(),
            };
            let difference = Divergence { step, difference }.to_string();
            divergences.push(RunDivergence {
                run: run + 1,
                world_seed: job.world_seed,
                step,
                event,
                difference,
            });
        }
    }
    Report {
        verb: "replay",
        trace: args.trace.clone(),
        events: trace.steps.len(),
        runs: faithful.runs,
        interval: wanted.map_or(faithful, |_| reproduced).interval(),
        faithful,
        reproduced: wanted.map(|_| reproduced),
        outcomes,
        divergences,
        cost: lab.cost(),
    }
}

/// A trace of another app is refused, and of another version too, unless asked for.
pub(super) fn check_same_app(
    header: &Header,
    app: &App,
    force: bool,
    console: &Console,
) -> Result<(), Failure> {
    match difference(header, app) {
        None => Ok(()),
        Some(difference) if force => {
            console.remark(&format!("warning: {difference}"));
            Ok(())
        }
        Some(difference) => {
            Err(Failure::input(format!("{difference}; --force replays it all the same")))
        }
    }
}

/// What tells the trace's app from this one.
pub(super) fn difference(header: &Header, app: &App) -> Option<String> {
    let (recorded, here) = (&header.app, &app.identity);
    if recorded.package != here.package {
        Some(format!("the trace is of {}, the app is {}", recorded.package, here.package))
    } else if !recorded.sha256.is_empty() && recorded.sha256 != here.sha256 {
        let version = |v: &str| if v.is_empty() { "unnamed".to_string() } else { v.to_string() };
        Some(format!(
            "the trace is of another build of {} (version {}, here {})",
            here.package,
            version(&recorded.version),
            version(&here.version)
        ))
    } else {
        None
    }
}

/// Forgets the widgets and keeps the points.
fn use_coordinates(trace: &mut Trace) {
    for step in &mut trace.steps {
        if let Some(target) = step.event.target_mut()
            && target.at.is_some()
        {
            target.on = None;
        }
    }
}

/// A crash or a divergence is a finding; a crash that was promised and never came is not reproduced.
fn verdict(report: &Report) -> Exit {
    match report.reproduced {
        Some(Rate { successes: 0, .. }) => Exit::DoesNotReproduce,
        Some(_) => Exit::Found,
        None if report.divergences.is_empty() => Exit::Clean,
        None => Exit::Found,
    }
}

fn render(report: &Report, trace: &Trace) -> String {
    let mut text = String::new();
    let _ = write_report(&mut text, report, trace);
    text
}

fn write_report(text: &mut String, report: &Report, trace: &Trace) -> std::fmt::Result {
    if let (Some(rate), RecordedOutcome::Crashed { id, exception }) =
        (report.reproduced, &trace.last().outcome)
    {
        writeln!(text, "Reproduces {exception} ({id}) in {rate}")?;
    }
    writeln!(
        text,
        "{} events replayed step by step: faithful in {}",
        report.events, report.faithful
    )?;
    for (outcome, count) in &report.outcomes {
        writeln!(text, "  ended {count}×: {outcome}")?;
    }
    const SHOWN: usize = 5;
    for divergence in report.divergences.iter().take(SHOWN) {
        let RunDivergence { run, event, difference, world_seed, .. } = divergence;
        writeln!(text, "  run {run} (world {world_seed}) diverged {difference}, after: {event}")?;
    }
    if report.divergences.len() > SHOWN {
        writeln!(text, "  … and {} more runs", report.divergences.len() - SHOWN)?;
    }
    Ok(())
}
