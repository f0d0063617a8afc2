//! `retap reduce`: read what was recorded, reduce it on a lab, keep the suite and the proof.

mod counted;
mod evidence;
pub mod load;
mod original;
mod record;
pub mod replays;
pub mod restate;
mod summary;
mod verify;

use super::replay::difference;
use crate::cli::ReduceArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::suite_folder::Origin;
use crate::{device, interrupt, suite_folder};
use counted::Counted;
use evidence::{Sources, describe_reduction};
use load::{Loaded, Loader};
use original::Original;
use replays::LabReplay;
use retap_device::Lab;
use retap_model::format::reduction::ReductionFile;
use retap_model::format::run::{Lock, write_json};
use retap_model::format::trace::Header;
use retap_model::{App, Coverage};
use retap_reduce::{Error, Limits, Options, Recording, Reduction, Scope, reduce};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;
use summary::ReduceSummary;

pub fn run(args: &ReduceArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if let Some(suite) = &args.verify {
        return verify::run(suite, args, console);
    }
    let started = Instant::now();
    let mut loader = read(args)?;
    restate::restate(&mut loader.loaded, args.device.abstraction)?;
    // A run knows where its app is; a suite that is added to may lie anywhere.
    let first = loader.loaded.iter().find(|one| !one.keep).or(loader.loaded.first());
    let Some((name, header)) = first.map(|first| (first.name.clone(), first.header.clone())) else {
        return Err(Failure::input("there is no trace in what was named: nothing to reduce"));
    };
    let mut device = args.device.as_recorded(&header);
    if let Some(counted) = &loader.counted {
        counted.fill(&mut device);
    }
    if header.device == "fake" && !device.is_fake() {
        return Err(Failure::input(
            "these traces were recorded on a fake device: name its file with --device fake:FILE",
        ));
    }
    let apk = args.apk.as_deref();
    let chosen = device::choose_for_trace(&device, apk, (&name, &header), console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    check_app(&header, &app)?;
    check_units(&loader, &app)?;
    record::fill(&mut loader.loaded, args.record, header.abstraction, &mut lab)?;
    let output = args.output.as_deref().unwrap_or(Path::new("suite"));
    let lock = Lock::create(output)?;

    let recordings: Vec<Recording> = loader.loaded.iter().map(Loaded::recording).collect();
    let options = options(args, &app, &recordings);
    let (reduction, executions) =
        on_lab(&mut lab, &header, (&recordings, &options), args, console)?;
    lab.take_remarks().iter().for_each(|remark| console.remark(remark));
    if reduction.traces.is_empty() {
        drop(lock);
        leave_nothing(output);
        return Ok(no_suite(&reduction, &loader.loaded, console));
    }
    let apk = (!device.is_fake()).then_some(chosen.apk.as_path());
    let suite = Suite { header: &header, app: &app, apk, counted: Counted::of(&device) };
    let file = keep(output, &suite, (&loader.loaded, &options.scope), &reduction)?;
    report(output, console);
    let summary = ReduceSummary {
        verb: "reduce",
        app: &app.identity.package,
        suite: output.display().to_string(),
        traces: reduction.traces.len(),
        reduction: &file.summary,
        executions,
        cost: lab.cost(),
        seconds: started.elapsed().as_secs_f64(),
    };
    console.json(&summary);
    console.result(&summary.render(args.k));
    Ok(if reduction.stopped { Exit::Interrupted } else { Exit::Clean })
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

fn check_app(header: &Header, app: &App) -> Result<(), Failure> {
    match difference(header, app) {
        None => Ok(()),
        Some(difference) => Err(Failure::input(format!(
            "{difference}: a suite is reduced on the build that it was recorded on; name it with --apk"
        ))),
    }
}

fn check_units(loader: &Loader, app: &App) -> Result<(), Failure> {
    match &loader.units {
        Some(units) if *units != *app.units => Err(Failure::input(
            "the traces name other code units than this device counts in the app: give the --include \
             and --exclude that they were recorded with",
        )),
        _ => Ok(()),
    }
}

fn options(args: &ReduceArgs, app: &App, recordings: &[Recording]) -> Options {
    Options {
        scope: scope(args, app),
        cost: args.cost.model(),
        limits: Limits {
            fragments: args.k.into(),
            candidates: args.candidates,
            nodes: args.nodes,
            minimize: !args.no_minimize,
            effort: args.max_events.unwrap_or_else(|| Limits::effort_to_record(recordings)),
            ..Limits::default()
        },
    }
}

fn scope(args: &ReduceArgs, app: &App) -> Scope {
    let units = args.units.kind().map_or_else(Coverage::new, |kind| app.units.of_kind(kind));
    Scope { units, states: !args.no_states, crashes: !args.no_crashes }
}

/// The reduction, and how many executions it took.
fn on_lab(
    lab: &mut Lab<'_>,
    header: &Header,
    (recordings, options): (&[Recording], &Options),
    args: &ReduceArgs,
    console: &Console,
) -> Result<(Reduction, u64), Failure> {
    let deterministic = lab.rig().device()?.describe().deterministic;
    let progress = console.progress(None);
    let mut replay = LabReplay {
        lab,
        abstraction: header.abstraction,
        package: header.app.package.clone(),
        runs: if deterministic && !args.vary_world { 1 } else { args.runs },
        vary_world: args.vary_world,
        repeats: deterministic,
        executed: 0,
        seconds: 0.0,
        progress: Box::new(|done| progress.update(done, format!("{done} replays"))),
    };
    let reduction = reduce(recordings, options, &mut replay).map_err(|error| match error {
        Error::Unrecorded(missing) => Failure::input(missing.to_string()),
        Error::Replay(error) => error.into(),
    })?;
    Ok((reduction, replay.executed))
}

/// What all traces of a suite have in common.
struct Suite<'a> {
    header: &'a Header,
    app: &'a App,
    /// None where the device carries its app.
    apk: Option<&'a Path>,
    counted: Counted,
}

/// Writes the suite folder: the traces, what the original covered, and the proof.
fn keep(
    output: &Path,
    Suite { header, app, apk, counted }: &Suite<'_>,
    (loaded, scope): (&[Loaded], &Scope),
    reduction: &Reduction,
) -> Result<ReductionFile, Failure> {
    let traces: Vec<_> =
        reduction.traces.iter().map(|one| (one.trace.clone(), one.covered.clone())).collect();
    let Counted { include, exclude } = counted;
    let origin = Origin { header, units: &app.units, apk: *apk, include, exclude };
    let names = suite_folder::write(output, &origin, &traces)?;
    let examined = loaded.iter().enumerate().filter(|(at, _)| !reduction.unexamined.contains(at));
    let original = Original::of(examined.map(|(_, one)| one), scope).without(&reduction.unstable);
    write_json(&output.join(original::FILE), &original)?;
    let sources = Sources { header, loaded, names: &names, units: &app.units };
    let file = describe_reduction(reduction, &sources);
    write_json(&output.join(ReductionFile::FILE), &file)?;
    Ok(file)
}

/// The page of the suite. What it tells is kept already, so that failing to write it is only a remark.
fn report(output: &Path, console: &Console) {
    if let Err(error) = retap_report::write_suite(output) {
        console.remark(&format!("the report cannot be written: {error}"));
    }
}

/// Nothing is known to replay: say how often each trace worked.
fn no_suite(reduction: &Reduction, loaded: &[Loaded], console: &Console) -> Exit {
    console.json(&serde_json::json!({
        "verb": "reduce",
        "ended": if reduction.stopped { "interrupted" } else { "complete" },
        "quarantined": reduction.quarantined,
    }));
    if reduction.stopped {
        console.result("Interrupted before any trace had been replayed: there is no suite");
        return Exit::Interrupted;
    }
    let mut text = String::from("None of the traces replays, so there is nothing to reduce\n");
    for quarantined in &reduction.quarantined {
        let name = &loaded[quarantined.trace].name;
        let _ = writeln!(text, "  {name}: faithful in {}", quarantined.rate);
    }
    console.result(&text);
    Exit::DoesNotReproduce
}

/// Removes what the lock made and no more: a folder that holds more is left alone.
fn leave_nothing(output: &Path) {
    let _ = std::fs::remove_file(output.join(".lock"));
    let _ = std::fs::remove_dir(output);
}
