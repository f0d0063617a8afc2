//! `retap minimize`.

mod film;

use super::explore::oracles::read_properties;
use super::replay::check_same_app;
use super::report;
use crate::cli::{Cli, MinimizeArgs, SchedulerName, Verb};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::minimizing::{self, Judge, Memory, Minimized, Request, Store};
use crate::{device, interrupt, log, trace_file};
use clap::Parser;
use retap_device::{Job, Lab};
use retap_minimize::statistics::truncated;
use retap_minimize::{Budget, Check, Ending, Options, Scheduler};
use retap_model::format::run::{self, KeptFinding, Lock, RunInfo};
use retap_model::format::trace::Header;
use retap_model::observation::OutcomeBrief;
use retap_model::{App, Cost, Event, FindingKind, Oracle, Rate, Trace};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What `--json` prints and `result.json` keeps.
#[derive(Debug, Serialize)]
struct Summary {
    verb: &'static str,
    app: String,
    oracle: String,
    algorithm: String,
    ended: &'static str,
    events_before: usize,
    events_after: usize,
    /// Events that were made simpler.
    simplified: usize,
    oracle_calls: u64,
    rounds: u64,
    events_executed: u64,
    events_saved: u64,
    success: Success,
    p1: f64,
    p2: f64,
    /// The answer, in sentences.
    steps: Vec<String>,
    minimized: String,
    /// Size of the best answer over oracle calls, and which algorithm found it.
    trail: Vec<TrailPoint>,
    cost: Cost,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Success {
    #[serde(flatten)]
    rate: Rate,
    value: f64,
    interval: (f64, f64),
}

#[derive(Debug, Serialize)]
struct TrailPoint {
    oracle_calls: u64,
    events: usize,
    algorithm: String,
}

pub fn run(args: &MinimizeArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let started = Instant::now();
    let args = &if args.resume { take_up(args)? } else { args.clone() };
    let name = args.trace.clone().unwrap_or_default();
    let (header, trace) = trace_file::read(&name)?;
    let oracle = oracle(args, &trace, &name)?;
    let device_args = args.device.as_recorded(&header);
    let apk = args.app.apk.as_deref();
    let chosen = device::choose_for_trace(&device_args, apk, (name.as_str(), &header), console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    check_same_app(&header, &app, args.force, console)?;

    let (dir, _lock) = open_directory(args, &header, &chosen.apk)?;
    let store = Store::open();
    let request = Request {
        header: &header,
        trace: &trace,
        judge: judge(args, oracle, &app, &header)?,
        options: options(args, &store, console)?,
        vary_world: args.vary_world,
        hierarchy: args.hierarchy,
        simplify: !args.no_simplify,
        worlds: args.worlds,
        prior: store.prior(),
        deadline: args.time.map(|time| started + time),
    };
    warn_of_fickle_program(&mut lab, &request, console)?;
    let mut memory = Memory::open(&dir.join("oracle.jsonl"))?;
    let progress = console.progress(None);
    let mut kept = usize::MAX;
    let answer = dir.join("minimized.jsonl");
    let result = minimizing::minimize(&mut lab, &request, &mut memory, &mut |best, calls| {
        progress.update(
            calls,
            format!("{calls} oracle calls, {} → {} events", trace.steps.len(), best.len()),
        );
        if best.len() < kept {
            kept = best.len();
            let so_far = Trace::of_events(trace.world_seed, best.iter().cloned());
            if let Err(error) = keep(&answer, &header, &so_far) {
                tracing::warn!("the best answer so far cannot be kept: {error}");
            }
        }
    });
    drop(progress);
    for remark in lab.take_remarks() {
        console.remark(&remark);
    }
    let mut minimized = result?;
    keep(&answer, &header, &minimized.trace)?;
    store.refine_prior(&minimized.outcome.observed)?;
    let summary = summarize(&header, &request, &minimized, &lab, &answer, started);
    run::write_json(&dir.join(run::RESULT), &summary)?;
    film(&mut lab, &dir, &answer, &header, &mut minimized.trace, console);
    report::write_at_end(&dir, console);
    console.json(&summary);
    console.result(&render(&summary));
    Ok(match (&request.judge.oracle, summary.ended) {
        (_, "interrupted") => Exit::Interrupted,
        (Oracle::Crash(_) | Oracle::NotResponding, _) => Exit::Found,
        _ => Exit::Clean,
    })
}

/// Pictures for the report. The answer is kept already: what goes wrong with them is a remark.
fn film(
    lab: &mut Lab<'_>,
    dir: &Path,
    answer: &Path,
    header: &Header,
    trace: &mut Trace,
    console: &Console,
) {
    let filmed = film::keep(lab.rig(), dir, header.abstraction, trace)
        .and_then(|()| keep(answer, header, trace));
    if let Err(error) = filmed {
        console.remark(&format!("the answer cannot be pictured: {error}"));
    }
}

/// A program that answers differently when it is asked again about the same execution makes every answer
/// a guess: say how often it said yes, and go on.
fn warn_of_fickle_program(
    lab: &mut Lab<'_>,
    request: &Request<'_>,
    console: &Console,
) -> Result<(), Failure> {
    const ASKED: usize = 8;
    let Oracle::Cmd(program) = &request.judge.oracle else { return Ok(()) };
    let events: Vec<Event> = request.trace.events().cloned().collect();
    let job = Job { world_seed: request.trace.world_seed, events };
    let execution = lab.run(&job)?;
    let mut rate = Rate::default();
    for _ in 0..ASKED {
        rate.add(request.judge.holds(&job.events, &execution)?);
    }
    if rate.successes > 0 && rate.successes < rate.runs {
        console.remark(&format!(
            "the oracle program `{program}` answers differently when asked again about the same execution: \
             yes in {rate}; --runs asks more often"
        ));
    }
    Ok(())
}

fn judge(
    args: &MinimizeArgs,
    oracle: Oracle,
    app: &App,
    header: &Header,
) -> Result<Judge, Failure> {
    let judge = Judge::new(oracle, app, header.abstraction);
    match (&args.properties, &judge.oracle) {
        (Some(file), _) => Ok(judge.with_properties(&Arc::new(read_properties(file)?))),
        (None, Oracle::Finding(FindingKind::Property, _)) => {
            Err(Failure::input("which properties? Name their file with --properties"))
        }
        (None, _) => Ok(judge),
    }
}

/// What an oracle of `retap explore` found with this trace.
fn finding_of(name: &str) -> Option<Oracle> {
    let beside = Path::new(name).parent()?.join("finding.json");
    let kept: KeptFinding = run::read_json(&beside, "a finding").ok()?;
    Some(Oracle::Finding(kept.finding.kind, Some(kept.finding.id())))
}

/// What was asked for, or the crash that the trace ends in, or what it was kept for.
fn oracle(args: &MinimizeArgs, trace: &Trace, name: &str) -> Result<Oracle, Failure> {
    let own = match &trace.last().outcome {
        OutcomeBrief::Crashed { id, .. } => Some(Oracle::Crash(Some(*id))),
        OutcomeBrief::NotResponding => Some(Oracle::NotResponding),
        _ => finding_of(name),
    };
    match &args.oracle {
        Some(Oracle::Crash(None)) => Ok(own.unwrap_or(Oracle::Crash(None))),
        Some(oracle) => Ok(oracle.clone()),
        None => own.ok_or_else(|| {
            Failure::input(format!(
                "{name} does not end in a crash, so what is to be kept? Say it with --oracle, \
                 for example --oracle activity:NAME or --oracle text:REGEX"
            ))
        }),
    }
}

fn options(args: &MinimizeArgs, store: &Store, console: &Console) -> Result<Options, Failure> {
    let runs = args.runs.unwrap_or(if args.vary_world { Check::ND3MIN.runs } else { 1 });
    let required = args.required.unwrap_or((runs * 9).div_ceil(10));
    let check = Check { runs, required, width: if runs == 1 { 1 } else { Check::ND3MIN.width } };
    let scheduler = match args.scheduler {
        SchedulerName::Greedy => Scheduler::Greedy,
        SchedulerName::RoundRobin => Scheduler::RoundRobin,
        SchedulerName::Heuristic => Scheduler::HEURISTIC,
        SchedulerName::Mdp => Scheduler::Mdp(store.policy(check, &|text| console.remark(text))?),
    };
    Ok(Options {
        algorithm: args.algorithm,
        check,
        scheduler,
        budget: Budget { oracle_calls: args.budget, ..Budget::default() },
        preselect: !args.no_preselect,
        parts: args.parts,
        ..Options::default()
    })
}

fn open_directory(
    args: &MinimizeArgs,
    header: &Header,
    apk: &Path,
) -> Result<(PathBuf, Lock), Failure> {
    let info = RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: env!("CARGO_PKG_VERSION").into(),
        verb: "minimize".into(),
        arguments: std::env::args().skip(1).collect(),
        seed: 0,
        world_seed: header.world_seed,
        app: header.app.clone(),
        apk: apk.display().to_string(),
        device: header.device.clone(),
        api: header.api,
        display: header.display,
        outside: header.outside.clone(),
        abstraction: header.abstraction,
    };
    let dir =
        args.output.output.clone().unwrap_or_else(|| super::fresh_directory(&info.app.package));
    let lock = if args.resume {
        Lock::resume(&dir)?
    } else {
        let lock = Lock::create(&dir)?;
        run::write_json(&dir.join(run::INFO), &info)?;
        lock
    };
    log::open(&dir).map_err(run::RunError::io(&dir))?;
    Ok((dir, lock))
}

/// The arguments that the run in the directory was started with.
fn take_up(given: &MinimizeArgs) -> Result<MinimizeArgs, Failure> {
    let dir = given.output.output.clone().unwrap_or_default();
    match Cli::try_parse_from(super::recorded_arguments(&dir)?) {
        Ok(Cli { verb: Verb::Minimize(args), .. }) => {
            let budget = given.budget.or(args.budget);
            let time = given.time.or(args.time);
            Ok(MinimizeArgs { output: given.output.clone(), resume: true, budget, time, ..*args })
        }
        _ => Err(super::cannot_resume(&dir, "minimize")),
    }
}

fn keep(path: &Path, header: &Header, trace: &Trace) -> Result<(), Failure> {
    Ok(run::write_whole(path, &trace_file::to_bytes(header, trace)?)?)
}

fn summarize(
    header: &Header,
    request: &Request<'_>,
    minimized: &Minimized,
    lab: &Lab<'_>,
    answer: &Path,
    started: Instant,
) -> Summary {
    let outcome = &minimized.outcome;
    let cost =
        Cost { oracle_calls: outcome.cost.oracle_calls, rounds: outcome.cost.rounds, ..lab.cost() };
    let trail = outcome.trail.iter().map(|milestone| TrailPoint {
        oracle_calls: milestone.cost.oracle_calls,
        events: milestone.answer.len(),
        algorithm: milestone.by.to_string(),
    });
    let rate = minimized.success;
    Summary {
        verb: "minimize",
        app: header.app.package.clone(),
        oracle: request.judge.oracle.to_string(),
        algorithm: request.options.algorithm.to_string(),
        ended: match outcome.ending {
            Ending::Stopped(retap_minimize::Stop::Interrupted) => "interrupted",
            Ending::Stopped(retap_minimize::Stop::Budget) => "budget_spent",
            Ending::Finished | Ending::NotReproduced => "complete",
        },
        events_before: request.trace.steps.len(),
        events_after: minimized.trace.steps.len(),
        simplified: minimized.simplified,
        oracle_calls: cost.oracle_calls,
        rounds: cost.rounds,
        events_executed: cost.events,
        events_saved: cost.events_saved,
        success: Success { rate, value: rate.value(), interval: rate.interval() },
        p1: truncated(minimized.p1),
        p2: truncated(minimized.p2),
        steps: minimized.trace.events().map(ToString::to_string).collect(),
        minimized: answer.display().to_string(),
        trail: trail.collect(),
        cost,
        seconds: (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
    }
}

fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut text, summary);
    text
}

fn write_summary(text: &mut String, summary: &Summary) -> std::fmt::Result {
    writeln!(
        text,
        "{} events → {} for {} ({}; {} oracle calls in {} rounds, {} events run, {} saved)",
        summary.events_before,
        summary.events_after,
        summary.oracle,
        summary.algorithm,
        summary.oracle_calls,
        summary.rounds,
        summary.events_executed,
        summary.events_saved
    )?;
    for (number, step) in summary.steps.iter().enumerate() {
        writeln!(text, "  {}. {step}", number + 1)?;
    }
    writeln!(text, "Works in {} fresh worlds", summary.success.rate)?;
    writeln!(text, "It is in {}", summary.minimized)
}
