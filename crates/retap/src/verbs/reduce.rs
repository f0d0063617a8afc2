//! `retap reduce`.

mod evidence;
mod load;
mod original;
mod record;
mod replays;
mod verify;

use super::replay::check_same_app;
use crate::cli::ReduceArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::{device, interrupt, suite_folder};
use evidence::Evidence;
use load::{Loaded, Loader};
use original::Original;
use replays::LabReplay;
use retap_device::Lab;
use retap_model::format::run::{Lock, write_json};
use retap_model::{App, Cost, Coverage};
use retap_reduce::{Error, Limits, Options, Recording, Reduction, Scope, reduce};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    verb: &'static str,
    app: &'a str,
    suite: String,
    traces: usize,
    #[serde(flatten)]
    evidence: &'a Evidence,
    executions: u64,
    cost: Cost,
    seconds: f64,
}

pub fn run(args: &ReduceArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if let Some(suite) = &args.verify {
        return verify::run(suite, args, console);
    }
    let started = Instant::now();
    let mut loader = read(args)?;
    let output = args.output.as_deref().unwrap_or(Path::new("suite"));
    let first = loader
        .loaded
        .first()
        .ok_or_else(|| Failure::input("there is no trace in what was named: nothing to reduce"))?;
    let header = first.header.clone();
    let (name, shown) = (first.name.clone(), header.app.package.clone());
    let device_args = args.device.as_recorded(&header);
    let chosen =
        device::choose_for_trace(&device_args, args.apk.as_deref(), (&name, &header), console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    check_same_app(&header, &app, false, console)?;
    check_units(&loader, &app)?;
    record::fill(&mut loader.loaded, args.record, header.abstraction, &mut lab)?;
    let lock = Lock::create(output)?;

    let scope = scope(args, &app);
    let deterministic = lab.rig().device()?.describe().deterministic;
    let runs = if deterministic && !args.vary_world { 1 } else { args.runs };
    let progress = console.progress(None);
    let mut replay = LabReplay {
        lab: &mut lab,
        abstraction: header.abstraction,
        package: shown,
        runs,
        vary_world: args.vary_world,
        executed: 0,
        progress: Box::new(|done| progress.update(done, format!("{done} replays"))),
    };
    let recordings: Vec<Recording> = loader.loaded.iter().map(recording).collect();
    let options = Options {
        scope: scope.clone(),
        cost: args.cost.model(),
        limits: Limits {
            fragments: args.k.into(),
            candidates: args.candidates,
            nodes: args.nodes,
            ..Limits::default()
        },
    };
    let reduction = reduce(&recordings, &options, &mut replay).map_err(|error| match error {
        Error::Unrecorded(missing) => Failure::input(missing.to_string()),
        Error::Replay(error) => error.into(),
    })?;
    let executions = replay.executed;
    drop(replay);
    drop(progress);
    lab.take_remarks().iter().for_each(|remark| console.remark(remark));
    if reduction.traces.is_empty() {
        drop(lock);
        return Ok(nothing_replays(&reduction, &loader.loaded, output, console));
    }

    let traces: Vec<_> =
        reduction.traces.iter().map(|one| (one.trace.clone(), one.covered.clone())).collect();
    let names = suite_folder::write(output, &header, &app.units, &traces)?;
    let original = Original::of(&loader.loaded, &scope).without(&reduction.unstable);
    write_json(&output.join(original::FILE), &original)?;
    let sources: Vec<&str> = loader.loaded.iter().map(|one| one.name.as_str()).collect();
    let evidence = Evidence::new(&reduction, &sources, &names, &app.units);
    evidence.write(output)?;
    let summary = Summary {
        verb: "reduce",
        app: &app.identity.package,
        suite: output.display().to_string(),
        traces: names.len(),
        evidence: &evidence,
        executions,
        cost: lab.cost(),
        seconds: started.elapsed().as_secs_f64(),
    };
    console.json(&summary);
    console.result(&render(&summary, args));
    Ok(Exit::Clean)
}

fn read(args: &ReduceArgs) -> Result<Loader, Failure> {
    let mut loader = Loader::default();
    if let Some(suite) = &args.onto {
        if !suite_folder::is_suite(suite) {
            let message = format!("{} holds no {}", suite.display(), suite_folder::MANIFEST);
            return Err(Failure::input(message));
        }
        loader.add(&suite.display().to_string(), true)?;
    }
    args.keep.iter().try_for_each(|name| loader.add(name, true))?;
    args.inputs.iter().try_for_each(|name| loader.add(name, false))?;
    Ok(loader)
}

fn check_units(loader: &Loader, app: &App) -> Result<(), Failure> {
    match &loader.units {
        Some(units) if *units != *app.units => Err(Failure::input(
            "the traces name other code units than this device sees in the app: give the --include \
             and --exclude they were recorded with; --record on a copy without units.jsonl records \
             them anew",
        )),
        _ => Ok(()),
    }
}

fn scope(args: &ReduceArgs, app: &App) -> Scope {
    let units = args.units.kind().map_or_else(Coverage::new, |kind| app.units.of_kind(kind));
    Scope { units, states: !args.no_states, crashes: !args.no_crashes }
}

fn recording(loaded: &Loaded) -> Recording {
    Recording {
        trace: loaded.trace.clone(),
        covered: loaded.covered.clone().unwrap_or_default(),
        keep: loaded.keep,
    }
}

/// Nothing is left: say how often each trace worked, and leave no folder behind.
fn nothing_replays(
    reduction: &Reduction,
    loaded: &[Loaded],
    output: &Path,
    console: &Console,
) -> Exit {
    let mut text = String::from("None of the traces replays, so there is nothing to reduce\n");
    for quarantined in &reduction.quarantined {
        let name = &loaded[quarantined.trace].name;
        let _ = writeln!(text, "  {name}: faithful in {}", quarantined.rate);
    }
    console.result(&text);
    console.json(&serde_json::json!({ "verb": "reduce", "quarantined": reduction.quarantined }));
    // Only what the lock made; a folder that holds more is left alone.
    let _ = std::fs::remove_file(output.join(".lock"));
    let _ = std::fs::remove_dir(output);
    Exit::DoesNotReproduce
}

fn render(summary: &Summary<'_>, args: &ReduceArgs) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut text, summary, args);
    text
}

fn write_summary(text: &mut String, summary: &Summary<'_>, args: &ReduceArgs) -> std::fmt::Result {
    let Evidence { stages, tally, lower_bound, .. } = summary.evidence;
    for (what, size) in [
        ("recorded", stages.recorded),
        ("replayable and not redundant", stages.selected),
        ("after phase 1 (loops)", stages.phase_1),
        ("after phase 2 (splicing)", stages.phase_2),
    ] {
        writeln!(text, "{:>8} steps {:>6} restarts  {what}", size.steps, size.restarts)?;
    }
    if let (Some(bound), Some(gap)) = (lower_bound, summary.evidence.gap) {
        let percent = (gap * 100.0).round();
        writeln!(
            text,
            "Within {percent}% of the best possible with k={} (cost {}, at least {})",
            args.k, stages.phase_2.cost, bound.cost
        )?;
    }
    writeln!(
        text,
        "{} candidates, {} replayed, {} of them faithfully, {} known from others; {} executions, {} events, {} saved",
        tally.candidates,
        tally.replayed,
        tally.faithful,
        tally.known,
        summary.executions,
        summary.cost.events,
        summary.cost.events_saved
    )?;
    if tally.limits_hit > 0 {
        writeln!(
            text,
            "{} searches ended at their limit (--candidates, --nodes)",
            tally.limits_hit
        )?;
    }
    let quarantined = &summary.evidence.quarantined;
    for one in quarantined.iter().take(5) {
        writeln!(
            text,
            "  quarantined: {} from step {} of {} on, faithful in {}",
            one.trace, one.step, one.steps, one.rate
        )?;
    }
    if quarantined.len() > 5 {
        writeln!(text, "  … and {} more, in reduction.json", quarantined.len() - 5)?;
    }
    if !summary.evidence.unstable.is_empty() {
        let count = summary.evidence.unstable.len();
        writeln!(text, "  {count} recorded units, states or crashes were not seen again")?;
    }
    writeln!(text, "{} traces in {}", summary.traces, summary.suite)
}
