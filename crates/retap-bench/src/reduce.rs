//! `retap bench reduce`: records suites of thousands of steps and reduces them. Measures what each phase removes, what k
//! changes, and the cost relative to recording. Results of an earlier call into the same folder are read back.

mod measured;
mod stopwatch;
mod synthetic;
mod tables;

use crate::explore::{Cell, CellBudget, ParseStrategy};
use crate::process::peak_mb;
use measured::MeasuredReduction;
use retap_device::{DeviceError, Job, Lab, NEVER_STOP};
use retap_engine::connection::{Connection, connect};
use retap_engine::reduce::restate::restate;
use retap_engine::reduce::{LabReplay, LoadedTrace, Loader};
use retap_engine::{Context, DeviceKind, DeviceSettings, Failure};
use retap_model::format::run::{read_json, write_json};
use retap_model::{Abstraction, UnitKind};
use retap_reduce::{
    CostModel, RecordedTrace, ReductionError, ReductionLimits, ReductionOptions, RequirementScope,
    SuiteReduction, reduce,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use stopwatch::{Stopwatch, TimeSpent};

/// The name of the generated app.
const SYNTHETIC: &str = "synthetic";

#[derive(Debug, Clone)]
pub struct ReduceBench {
    /// APKs, `fake:FILE`, or `synthetic`.
    pub apps: Vec<String>,
    /// Strategies that record the suites.
    pub strategies: Vec<String>,
    /// Steps of each suite.
    pub steps: u64,
    pub trace_length: u32,
    /// The most fragments in a trace; 0 is phase 1 alone.
    pub k: Vec<usize>,
    pub seed: u64,
    pub device: DeviceSettings,
    pub jobs: u16,
    pub output: PathBuf,
}

#[derive(Debug, Serialize)]
pub struct ReduceResults {
    verb: &'static str,
    measured: Vec<MeasuredReduction>,
}

impl ReduceResults {
    pub fn render(&self) -> String {
        tables::render_all(&self.measured)
    }
}

/// Everything that stays the same during a bench.
#[derive(Clone, Copy)]
struct Bench<'a> {
    settings: &'a ReduceBench,
    parse: ParseStrategy<'a>,
    context: Context<'a>,
}

pub fn run(
    settings: &ReduceBench,
    parse: ParseStrategy<'_>,
    context: Context<'_>,
) -> Result<ReduceResults, Failure> {
    let bench = Bench { settings, parse, context };
    let mut measured: Vec<MeasuredReduction> = Vec::new();
    let suites = settings.apps.len() * settings.strategies.len();
    let mut number = 0;
    for app in &settings.apps {
        for strategy in &settings.strategies {
            if context.is_interrupted() {
                break;
            }
            number += 1;
            context.remark(&format!("{app}, {strategy} ({number} of {suites})"));
            bench.measure_suite(app, strategy, &mut measured)?;
        }
    }
    Ok(ReduceResults { verb: "bench reduce", measured })
}

impl Bench<'_> {
    /// Records one suite and reduces it with every k.
    fn measure_suite(
        self,
        app: &str,
        strategy: &str,
        measured: &mut Vec<MeasuredReduction>,
    ) -> Result<(), Failure> {
        let Self { settings, context, .. } = self;
        let (connection, output) = self.connect(app)?;
        // Many short traces, as in the paper's suites.
        let flags = format!("{strategy}:trace-length={}", settings.trace_length);
        let cell = Cell { app: app.to_string(), strategy: flags, run: settings.seed };
        let mut lab =
            Lab::new(connection.connect.as_ref(), settings.jobs.into(), context.interrupt);
        let Some(to_record) = self.record(&cell, &output, &mut lab)? else { return Ok(()) };
        let abstraction = settings.device.abstraction.unwrap_or(Abstraction::Actionable);
        let mut suite: Option<Vec<LoadedTrace>> = None;
        for &k in &settings.k {
            let name = format!("reduced-{abstraction}-{k}.json").replace(':', "-");
            let file = cell.dir(&output).join(name);
            if let Ok(before) = read_json(&file, "an earlier measurement") {
                measured.push(before);
                continue;
            }
            let loaded = match &mut suite {
                Some(loaded) => loaded,
                none => none.insert(load(&cell.dir(&output), abstraction)?),
            };
            let Some(reduced) = self.reduce(loaded, k, &mut lab)? else { break };
            let one = reduced.describe(&cell, k, to_record);
            context.remark(&tables::line(&one));
            write_json(&file, &one)?;
            measured.push(one);
        }
        Ok(())
    }

    /// Connects to the app's device. Also returns the folder for its runs, because a fake may be named like an APK.
    fn connect(self, app: &str) -> Result<(Connection, PathBuf), Failure> {
        let Self { settings, context, .. } = self;
        let kind = match (app, app.parse()) {
            (SYNTHETIC, _) => DeviceKind::Fake(synthetic::write(&settings.output, settings.seed)?),
            (_, Ok(fake @ DeviceKind::Fake(_))) => fake,
            _ => {
                let connection = connect(&settings.device, Some(Path::new(app)), context)?;
                return Ok((connection, settings.output.join("apks")));
            }
        };
        let device = DeviceSettings { kind, ..settings.device.clone() };
        Ok((connect(&device, None, context)?, settings.output.join("fakes")))
    }

    /// Records the suite, or reads what an earlier call took. Returns `None` if it is interrupted.
    fn record(
        self,
        cell: &Cell,
        output: &Path,
        lab: &mut Lab<'_>,
    ) -> Result<Option<TimeSpent>, Failure> {
        let max_events = self.settings.steps;
        let file = cell.dir(output).join("recorded.json");
        if let Ok(before) = read_json(&file, "the time of recording")
            && cell.read(output, max_events).is_some()
        {
            return Ok(Some(before));
        }
        self.context.remark(&format!("  recording {max_events} steps"));
        // The start of the device counts neither as recording nor as reducing.
        lab.rig().app()?;
        let stopwatch = Stopwatch::start();
        let budget = CellBudget { output, max_events, parse: self.parse };
        if cell.explore(lab.rig(), budget, self.context)?.is_none() {
            return Ok(None);
        }
        let time = stopwatch.stop();
        write_json(&file, &time)?;
        Ok(Some(time))
    }

    /// Reduces the suite and runs the result once. Returns `None` if it is interrupted.
    fn reduce(
        self,
        loaded: &[LoadedTrace],
        k: usize,
        lab: &mut Lab<'_>,
    ) -> Result<Option<ReducedSuite>, Failure> {
        let Some(header) = loaded.first().map(|first| first.header.clone()) else {
            return Ok(None);
        };
        let abstraction = header.abstraction;
        let units = lab.rig().app()?.units.of_kind(UnitKind::Branch);
        let recordings: Vec<RecordedTrace> = loaded.iter().map(LoadedTrace::recording).collect();
        let effort = ReductionLimits::effort_to_record(&recordings);
        let options = ReductionOptions {
            scope: RequirementScope { units, states: true, crashes: true },
            cost: CostModel::Events,
            limits: ReductionLimits { fragments: k, effort, ..ReductionLimits::default() },
        };
        let before = lab.cost();
        let progress = self.context.progress(None);
        let mut replay = LabReplay {
            lab: &mut *lab,
            abstraction,
            package: header.app.package,
            // Both the embedded device and fakes are deterministic.
            runs: 1,
            vary_world: false,
            repeats: true,
            executed: 0,
            seconds: 0.0,
            interrupt: self.context.interrupt,
            on_progress: Box::new(|done| progress.update(done, format!("k={k}: {done} replays"))),
        };
        let stopwatch = Stopwatch::start();
        let reduction =
            reduce(&recordings, &options, &mut replay).map_err(|error| match error {
                ReductionError::IncompleteRecording(missing) => Failure::input(missing.to_string()),
                ReductionError::Replay(error) => error.into(),
            })?;
        let to_reduce = stopwatch.stop();
        let (executions, seconds_replaying) = (replay.executed, replay.seconds);
        drop(replay);
        if reduction.stopped {
            return Ok(None);
        }
        let after = lab.cost();
        let Some(of_suite) = time_of(&reduction, lab)? else { return Ok(None) };
        let (events, events_saved, restarts) = (
            after.events - before.events,
            after.events_saved - before.events_saved,
            after.restarts - before.restarts,
        );
        Ok(Some(ReducedSuite {
            reduction,
            abstraction,
            executions,
            events,
            events_saved,
            restarts,
            to_reduce,
            seconds_replaying,
            of_suite,
        }))
    }
}

/// A reduction with its cost.
struct ReducedSuite {
    reduction: SuiteReduction,
    abstraction: Abstraction,
    executions: u64,
    events: u64,
    events_saved: u64,
    restarts: u64,
    to_reduce: TimeSpent,
    seconds_replaying: f64,
    of_suite: TimeSpent,
}

impl ReducedSuite {
    fn describe(self, cell: &Cell, k: usize, to_record: TimeSpent) -> MeasuredReduction {
        let reduction = self.reduction;
        MeasuredReduction {
            app: cell.app.clone(),
            strategy: cell.strategy.clone(),
            abstraction: self.abstraction.to_string(),
            k,
            stages: reduction.stages,
            gap: reduction.gap(),
            lower_bound: reduction.lower_bound,
            stats: reduction.stats,
            quarantined: reduction.quarantined.len(),
            unstable: reduction.unstable.len(),
            executions: self.executions,
            events: self.events,
            events_saved: self.events_saved,
            restarts: self.restarts,
            to_record,
            to_reduce: self.to_reduce,
            seconds_replaying: self.seconds_replaying,
            of_suite: self.of_suite,
            memory_mb: peak_mb(std::process::id()),
        }
    }
}

fn load(run: &Path, abstraction: Abstraction) -> Result<Vec<LoadedTrace>, Failure> {
    let mut loader = Loader::default();
    loader.add(&run.display().to_string(), false)?;
    restate(&mut loader.loaded, Some(abstraction))?;
    Ok(loader.loaded)
}

/// Measures one run of the reduced suite. Returns `None` if it is interrupted.
fn time_of(reduction: &SuiteReduction, lab: &mut Lab<'_>) -> Result<Option<TimeSpent>, Failure> {
    let job = |trace: &retap_model::Trace| Job {
        world_seed: trace.world_seed,
        events: trace.events().cloned().collect(),
    };
    let jobs: Vec<Job> = reduction.traces.iter().map(|one| job(&one.trace)).collect();
    let stopwatch = Stopwatch::start();
    match lab.run_all(&jobs, NEVER_STOP) {
        Err(DeviceError::Interrupted) => Ok(None),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(Some(stopwatch.stop())),
    }
}
