//! `retap bench reduce`: suites of thousands of steps, recorded by exploring, and how small they get: what
//! each phase takes away, what k changes, and what it costs beside the recording.

use super::super::reduce::load::{Loaded, Loader};
use super::super::reduce::replays::LabReplay;
use super::explore::Cell;
use super::table::{median, render};
use crate::cli::{BenchReduceArgs, DeviceArgs};
use crate::console::Console;
use crate::device::{self, Chosen};
use crate::failure::{Exit, Failure};
use crate::interrupt;
use retap_device::Lab;
use retap_model::UnitKind;
use retap_reduce::{
    CostModel, Error, Limits, LowerBound, Options, Recording, Scope, Size, Stages, Tally, reduce,
};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// One suite, reduced with one k.
#[derive(Debug, Clone, Serialize)]
struct Measured {
    app: String,
    strategy: String,
    k: usize,
    stages: Stages,
    lower_bound: Option<LowerBound>,
    gap: Option<f64>,
    tally: Tally,
    /// Replays that ran on a device.
    executions: u64,
    events: u64,
    events_saved: u64,
    seconds_to_record: f64,
    seconds_to_reduce: f64,
}

impl Measured {
    fn factor(&self) -> f64 {
        self.stages.recorded.steps as f64 / self.stages.phase_2.steps.max(1) as f64
    }

    /// Candidates that replayed, of those that were run.
    fn replayable(&self) -> f64 {
        self.tally.faithful as f64 / self.tally.replayed.max(1) as f64
    }
}

/// What was recorded of an app, and how long that took.
struct Suite {
    cell: Cell,
    loaded: Vec<Loaded>,
    seconds: f64,
}

pub fn run(args: &BenchReduceArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let mut measured: Vec<Measured> = Vec::new();
    for app in &args.apps {
        let chosen = choose(&args.device, app, console)?;
        for strategy in &args.strategies {
            let Some(suite) = record(args, app, strategy, &chosen, console)? else { break };
            for &fragments in &args.k {
                console.remark(&format!("{app}, {strategy}: reducing with k={fragments}"));
                measured.extend(reduced(&suite, fragments, &chosen)?);
            }
        }
    }
    console.json(&serde_json::json!({ "verb": "bench reduce", "measured": measured }));
    console.result(&tables(&measured));
    Ok(if interrupt::is_set() { Exit::Interrupted } else { Exit::Clean })
}

/// `fake:FILE`, or an APK for the embedded device.
fn choose(device: &DeviceArgs, app: &str, console: &Console) -> Result<Chosen, Failure> {
    match app.parse() {
        Ok(fake) => device::choose(&DeviceArgs { device: fake, ..device.clone() }, None, console),
        Err(_) => device::choose(device, Some(Path::new(app)), console),
    }
}

/// Nothing when it was interrupted.
fn record(
    args: &BenchReduceArgs,
    app: &str,
    strategy: &str,
    chosen: &Chosen,
    console: &Console,
) -> Result<Option<Suite>, Failure> {
    console.remark(&format!("{app}, {strategy}: recording {} steps", args.steps));
    // Many short traces, as the paper's suites have: a restart now and then belongs to a suite.
    let strategy = format!("{strategy}:trace-length={}", args.trace_length);
    let cell = Cell { app: app.to_string(), strategy, run: args.seed };
    let mut lab = Lab::new(chosen.connect.as_ref(), 1, &interrupt::INTERRUPTED);
    let started = Instant::now();
    let Some(_) = cell.explore(lab.rig(), &args.output, args.steps)? else { return Ok(None) };
    let seconds = started.elapsed().as_secs_f64();
    let mut loader = Loader::default();
    loader.add(&cell.dir(&args.output).display().to_string(), false)?;
    Ok(Some(Suite { cell, loaded: loader.loaded, seconds }))
}

/// Nothing when it was interrupted.
fn reduced(suite: &Suite, fragments: usize, chosen: &Chosen) -> Result<Option<Measured>, Failure> {
    let Some(header) = suite.loaded.first().map(|first| first.header.clone()) else {
        return Ok(None);
    };
    let mut lab = Lab::new(chosen.connect.as_ref(), 1, &interrupt::INTERRUPTED);
    let units = lab.rig().app()?.units.of_kind(UnitKind::Branch);
    let recordings: Vec<Recording> = suite.loaded.iter().map(Loaded::recording).collect();
    let options = Options {
        scope: Scope { units, states: true, crashes: true },
        cost: CostModel::Events,
        limits: Limits { fragments, ..Limits::default() },
    };
    let mut replay = LabReplay {
        lab: &mut lab,
        abstraction: header.abstraction,
        package: header.app.package,
        // Both devices repeat themselves.
        runs: 1,
        vary_world: false,
        executed: 0,
        progress: Box::new(|_| {}),
    };
    let started = Instant::now();
    let reduction = reduce(&recordings, &options, &mut replay).map_err(|error| match error {
        Error::Unrecorded(missing) => Failure::input(missing.to_string()),
        Error::Replay(error) => error.into(),
    })?;
    let executions = replay.executed;
    drop(replay);
    Ok((!reduction.stopped).then(|| Measured {
        app: suite.cell.app.clone(),
        strategy: suite.cell.strategy.clone(),
        k: fragments,
        stages: reduction.stages,
        gap: reduction.gap(),
        lower_bound: reduction.lower_bound,
        tally: reduction.tally,
        executions,
        events: lab.cost().events,
        events_saved: lab.cost().events_saved,
        seconds_to_record: suite.seconds,
        seconds_to_reduce: started.elapsed().as_secs_f64(),
    }))
}

fn tables(measured: &[Measured]) -> String {
    const HEAD: [&str; 14] = [
        "app",
        "strategy",
        "k",
        "recorded",
        "phase 1",
        "phase 2",
        "bound",
        "smaller",
        "candidates",
        "replays",
        "replayable",
        "saved",
        "s recording",
        "s reducing",
    ];
    let size = |size: Size| format!("{}/{}", size.steps, size.restarts);
    let row = |one: &Measured| {
        let name = Path::new(&one.app).file_stem().unwrap_or_default();
        vec![
            name.to_string_lossy().into_owned(),
            one.strategy.split(':').next().unwrap_or_default().to_string(),
            one.k.to_string(),
            size(one.stages.recorded),
            size(one.stages.phase_1),
            size(one.stages.phase_2),
            one.lower_bound.map_or("–".into(), |bound| bound.cost.to_string()),
            format!("{:.1}×", one.factor()),
            one.tally.candidates.to_string(),
            one.executions.to_string(),
            format!("{:.0}%", 100.0 * one.replayable()),
            (one.tally.traces_saved + one.tally.known).to_string(),
            format!("{:.1}", one.seconds_to_record),
            format!("{:.1}", one.seconds_to_reduce),
        ]
    };
    let mut text = render(&HEAD, &measured.iter().map(row).collect::<Vec<_>>());
    let mut ks: Vec<usize> = measured.iter().map(|one| one.k).collect();
    ks.sort_unstable();
    ks.dedup();
    for k in ks {
        let of: Vec<&Measured> = measured.iter().filter(|one| one.k == k).collect();
        let middle = |value: fn(&Measured) -> f64| median(of.iter().map(|one| value(one)));
        text.push_str(&format!(
            "k={k}: {:.1}× fewer steps at the median of {}, {:.0}% of what was run replayed, {:.2}× the time of recording\n",
            middle(Measured::factor),
            of.len(),
            100.0 * middle(Measured::replayable),
            middle(|one| one.seconds_to_reduce / one.seconds_to_record.max(0.001)),
        ));
    }
    text
}
