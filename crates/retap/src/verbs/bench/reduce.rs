//! `retap bench reduce`: suites of thousands of steps, recorded by exploring, and how small they get: what
//! each phase takes away, what k changes, and what it costs beside the recording. What was recorded or
//! measured by an earlier call into the same folder is read back.

mod measured;
mod synthetic;
mod tables;
mod time;

use super::super::reduce::load::{Loaded, Loader};
use super::super::reduce::replays::LabReplay;
use super::super::reduce::restate::restate;
use super::explore::Cell;
use super::process::peak_mb;
use crate::cli::{BenchReduceArgs, DeviceArgs, DeviceChoice};
use crate::console::Console;
use crate::device::{self, Chosen};
use crate::failure::{Exit, Failure};
use crate::interrupt;
use measured::Measured;
use retap_device::{DeviceError, Job, Lab, NEVER_STOP};
use retap_model::format::run::{read_json, write_json};
use retap_model::{Abstraction, UnitKind};
use retap_reduce::{CostModel, Error, Limits, Options, Recording, Reduction, Scope, reduce};
use std::path::{Path, PathBuf};
use time::{Time, Watch};

/// A suite that is generated and not an app's.
const SYNTHETIC: &str = "synthetic";

pub fn run(args: &BenchReduceArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let mut measured: Vec<Measured> = Vec::new();
    let suites = args.apps.len() * args.strategies.len();
    for (at, app) in args.apps.iter().enumerate() {
        for (nth, strategy) in args.strategies.iter().enumerate() {
            if interrupt::is_set() {
                break;
            }
            let number = at * args.strategies.len() + nth + 1;
            console.remark(&format!("{app}, {strategy} ({number} of {suites})"));
            of_suite(args, app, strategy, &mut measured, console)?;
        }
    }
    console.json(&serde_json::json!({ "verb": "bench reduce", "measured": measured }));
    console.result(&tables::render_all(&measured));
    Ok(if interrupt::is_set() { Exit::Interrupted } else { Exit::Clean })
}

/// Everything that is to be measured of one suite.
fn of_suite(
    args: &BenchReduceArgs,
    app: &str,
    strategy: &str,
    measured: &mut Vec<Measured>,
    console: &Console,
) -> Result<(), Failure> {
    let (chosen, output) = choose(args, app, console)?;
    // Many short traces, as the paper's suites have: a restart now and then belongs to a suite.
    let flags = format!("{strategy}:trace-length={}", args.trace_length);
    let cell = Cell { app: app.to_string(), strategy: flags, run: args.seed };
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let Some(recorded) = record(args, &cell, &output, &mut lab, console)? else { return Ok(()) };
    let abstraction = args.device.abstraction.unwrap_or(Abstraction::Actionable);
    let mut suite: Option<Vec<Loaded>> = None;
    for &k in &args.k {
        let name = format!("reduced-{abstraction}-{k}.json").replace(':', "-");
        let file = cell.dir(&output).join(name);
        if let Ok(before) = read_json(&file, "what was measured") {
            measured.push(before);
            continue;
        }
        let loaded = match &mut suite {
            Some(loaded) => loaded,
            none => none.insert(load(&cell.dir(&output), abstraction)?),
        };
        let Some(one) = reduced(&cell, loaded, (k, recorded), &mut lab, console)? else { break };
        console.remark(&tables::line(&one));
        write_json(&file, &one)?;
        measured.push(one);
    }
    Ok(())
}

/// The device, and the folder for what is recorded on it: a fake may have the name of an APK.
fn choose(
    args: &BenchReduceArgs,
    app: &str,
    console: &Console,
) -> Result<(Chosen, PathBuf), Failure> {
    let fake = |file: PathBuf| {
        let args = DeviceArgs { device: DeviceChoice::Fake(file), ..args.device.clone() };
        device::choose(&args, None, console)
    };
    let chosen = match (app, app.parse()) {
        (SYNTHETIC, _) => fake(synthetic::write(&args.output, args.seed)?)?,
        (_, Ok(DeviceChoice::Fake(file))) => fake(file)?,
        _ => {
            let chosen = device::choose(&args.device, Some(Path::new(app)), console)?;
            return Ok((chosen, args.output.join("apks")));
        }
    };
    Ok((chosen, args.output.join("fakes")))
}

/// What it took, now or at an earlier call. Nothing when it was interrupted.
fn record(
    args: &BenchReduceArgs,
    cell: &Cell,
    output: &Path,
    lab: &mut Lab<'_>,
    console: &Console,
) -> Result<Option<Time>, Failure> {
    let file = cell.dir(output).join("recorded.json");
    if let Ok(before) = read_json(&file, "what recording took")
        && cell.read(output, args.steps).is_some()
    {
        return Ok(Some(before));
    }
    console.remark(&format!("  recording {} steps", args.steps));
    // Starting the device belongs neither to the recording nor to the reduction.
    lab.rig().app()?;
    let watch = Watch::start();
    if cell.explore(lab.rig(), output, args.steps)?.is_none() {
        return Ok(None);
    }
    let time = watch.stop();
    write_json(&file, &time)?;
    Ok(Some(time))
}

fn load(run: &Path, abstraction: Abstraction) -> Result<Vec<Loaded>, Failure> {
    let mut loader = Loader::default();
    loader.add(&run.display().to_string(), false)?;
    restate(&mut loader.loaded, Some(abstraction))?;
    Ok(loader.loaded)
}

/// Nothing when it was interrupted.
fn reduced(
    cell: &Cell,
    loaded: &[Loaded],
    (k, to_record): (usize, Time),
    lab: &mut Lab<'_>,
    console: &Console,
) -> Result<Option<Measured>, Failure> {
    let Some(header) = loaded.first().map(|first| first.header.clone()) else { return Ok(None) };
    let units = lab.rig().app()?.units.of_kind(UnitKind::Branch);
    let recordings: Vec<Recording> = loaded.iter().map(Loaded::recording).collect();
    let effort = Limits::effort_to_record(&recordings);
    let options = Options {
        scope: Scope { units, states: true, crashes: true },
        cost: CostModel::Events,
        limits: Limits { fragments: k, effort, ..Limits::default() },
    };
    let before = lab.cost();
    let progress = console.progress(None);
    let mut replay = LabReplay {
        lab: &mut *lab,
        abstraction: header.abstraction,
        package: header.app.package,
        // Both devices repeat themselves.
        runs: 1,
        vary_world: false,
        repeats: true,
        executed: 0,
        seconds: 0.0,
        progress: Box::new(|done| progress.update(done, format!("k={k}: {done} replays"))),
    };
    let watch = Watch::start();
    let reduction = reduce(&recordings, &options, &mut replay).map_err(|error| match error {
        Error::Unrecorded(missing) => Failure::input(missing.to_string()),
        Error::Replay(error) => error.into(),
    })?;
    let to_reduce = watch.stop();
    let (executions, seconds_replaying) = (replay.executed, replay.seconds);
    drop(replay);
    if reduction.stopped {
        return Ok(None);
    }
    let after = lab.cost();
    let Some(of_suite) = time_of(&reduction, lab)? else { return Ok(None) };
    Ok(Some(Measured {
        app: cell.app.clone(),
        strategy: cell.strategy.clone(),
        abstraction: header.abstraction.to_string(),
        k,
        stages: reduction.stages,
        gap: reduction.gap(),
        lower_bound: reduction.lower_bound,
        tally: reduction.tally,
        quarantined: reduction.quarantined.len(),
        unstable: reduction.unstable.len(),
        executions,
        events: after.events - before.events,
        events_saved: after.events_saved - before.events_saved,
        restarts: after.restarts - before.restarts,
        to_record,
        to_reduce,
        seconds_replaying,
        of_suite,
        memory_mb: peak_mb(std::process::id()),
    }))
}

/// The time that the reduced suite takes. Nothing when it was interrupted.
fn time_of(reduction: &Reduction, lab: &mut Lab<'_>) -> Result<Option<Time>, Failure> {
    let job = |trace: &retap_model::Trace| Job {
        world_seed: trace.world_seed,
        events: trace.events().cloned().collect(),
    };
    let jobs: Vec<Job> = reduction.traces.iter().map(|one| job(&one.trace)).collect();
    let watch = Watch::start();
    match lab.run_all(&jobs, NEVER_STOP) {
        Err(DeviceError::Interrupted) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(Some(watch.stop())),
    }
}
