//! One run of one strategy on one app: explored here or on a fleet, or read back where it was explored before.

use super::curve::CoverageCurve;
use super::{ParseStrategy, strategy_words};
use retap_device::{DeviceError, Rig};
use retap_engine::explore::summary::{SummaryInput, summarize};
use retap_engine::explore::{ExploreSettings, legs, strategy};
use retap_engine::{Context, Failure};
use retap_explore::{Exploration, ExplorationLimits, ExplorationTotals, ExploreError};
use retap_fleet::{ExploredLeg, ExploredTrace, Work};
use retap_model::format::run::{
    EndReason, RESULT, Recorder, RunError, RunInfo, Summary, read_json, write_json,
};
use retap_model::{App, Cost, CostLedger, CoverageCount, CrashId, RunPhase, UnitKind};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CURVE: &str = "curve.json";

/// The settings that all cells of a bench share.
#[derive(Clone, Copy)]
pub struct CellBudget<'a> {
    pub output: &'a Path,
    pub max_events: u64,
    pub parse: ParseStrategy<'a>,
}

impl std::fmt::Debug for CellBudget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CellBudget").field("max_events", &self.max_events).finish_non_exhaustive()
    }
}

/// Explores within limits, and shows the totals after every event. Returns what it cost and how long it took, or `None` if it
/// is interrupted.
type RunExploration<'e> = &'e mut dyn FnMut(
    &mut Exploration<'_>,
    &mut Rig<'_>,
    ExplorationLimits,
    &mut dyn FnMut(&ExplorationTotals),
) -> Result<Option<(Cost, Duration)>, Failure>;

/// One run of one strategy on one app.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub app: String,
    /// `auto`, or with flags: `auto:without=walk`.
    pub strategy: String,
    pub run: u64,
}

/// The measurements of a cell.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct MeasuredCell {
    pub app: String,
    pub strategy: String,
    pub run: u64,
    pub events: u64,
    pub returns: u64,
    pub returns_failed: u64,
    pub return_events: u64,
    pub restarts: u64,
    pub states: u64,
    pub activities: u64,
    /// The unit of `covered`: branches, else methods, else states where the device sees no code.
    pub measure: String,
    pub covered: u64,
    pub total: Option<u64>,
    pub crashes: Vec<CrashId>,
    pub seconds: f64,
    pub curve: CoverageCurve,
}

impl Cell {
    pub fn dir(&self, output: &Path) -> PathBuf {
        let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let app = Path::new(&self.app).file_stem().unwrap_or_default().to_string_lossy();
        output.join("runs").join(plain(&app)).join(plain(&self.strategy)).join(self.run.to_string())
    }

    /// Reads what an earlier call measured, if it finished with the same number of events.
    pub fn read(&self, output: &Path, max_events: u64) -> Option<MeasuredCell> {
        let dir = self.dir(output);
        let summary: Summary = read_json(&dir.join(RESULT), "a summary").ok()?;
        let curve: CoverageCurve = read_json(&dir.join(CURVE), "a curve").ok()?;
        let is_whole = summary.ended == EndReason::Complete && curve.has_budget(max_events);
        is_whole.then(|| self.measured(&summary, curve))
    }

    /// Explores on this rig. Returns `None` if it is interrupted.
    pub fn explore(
        &self,
        rig: &mut Rig<'_>,
        budget: CellBudget<'_>,
        context: Context<'_>,
    ) -> Result<Option<MeasuredCell>, Failure> {
        self.record(rig, budget, &mut |exploration, rig, limits, note| {
            let (before, started) = (rig.cost(), Instant::now());
            rig.forget_position();
            let explored = exploration.run(rig, limits, &mut |state| {
                note(state.totals);
                !context.is_interrupted()
            });
            match explored {
                Err(ExploreError::Device(DeviceError::Interrupted)) => return Ok(None),
                other => other?,
            }
            Ok((!context.is_interrupted()).then(|| (rig.cost() - before, started.elapsed())))
        })
    }

    /// Returns what a worker of a fleet has to do for this cell.
    pub fn work(&self, budget: CellBudget<'_>) -> Result<Work, Failure> {
        legs::check_settings(&(budget.parse)(&self.strategy)?)?;
        Ok(Work::Explore {
            strategy: strategy_words(&self.strategy),
            seed: self.run,
            world_seed: self.run,
            path: Vec::new(),
            max_events: budget.max_events,
        })
    }

    /// Records what a worker has explored for this cell, as if it had happened on this rig. A result does not say how long it took.
    pub fn record_leg(
        &self,
        rig: &mut Rig<'_>,
        leg: ExploredLeg,
        budget: CellBudget<'_>,
    ) -> Result<Option<MeasuredCell>, Failure> {
        let mut traces = leg.traces.into_iter();
        self.record(rig, budget, &mut |exploration, _, _, note| {
            note(exploration.totals());
            for (ExploredTrace { job, began_with, travel }, observations) in traces.by_ref() {
                let trace = legs::read_trace(job, began_with, travel, observations)?;
                exploration.add_trace(&trace, &mut |totals| {
                    // The end is a point of its own, as it is of an exploration here.
                    if totals.events < budget.max_events {
                        note(totals);
                    }
                })?;
            }
            exploration.flush()?;
            Ok(Some((leg.cost, Duration::ZERO)))
        })
    }

    /// Records an exploration into the cell's run directory.
    fn record(
        &self,
        rig: &mut Rig<'_>,
        budget: CellBudget<'_>,
        explore: RunExploration<'_>,
    ) -> Result<Option<MeasuredCell>, Failure> {
        let CellBudget { output, max_events, parse } = budget;
        let dir = self.dir(output);
        // An unfinished run starts over, because its curve is lost.
        if dir.exists() {
            std::fs::remove_dir_all(&dir).map_err(RunError::io(&dir))?;
        }
        let settings = ExploreSettings { max_events: Some(max_events), ..parse(&self.strategy)? };
        let app = rig.app()?.clone();
        let info = self.info(&app, rig, &settings)?;
        let mut strategy = strategy::build(&settings, self.run, &app, Path::new(&self.app))?;
        let recorder = Recorder::create(&dir, info, &app.units)?;
        let interesting = settings.interesting();
        let mut exploration = Exploration::new(recorder, strategy.as_mut(), interesting, &app);
        let limits = ExplorationLimits { max_events, trace_length: settings.trace_length };
        let mut curve = CoverageCurve::new(max_events);
        let note =
            &mut |totals: &ExplorationTotals| curve.add_if_due(totals, &|| covered(&app, totals));
        let Some((cost, time)) = explore(&mut exploration, rig, limits, note)? else {
            return Ok(None);
        };
        let totals = exploration.totals();
        curve.add(totals, covered(&app, totals));
        let mut costs = CostLedger::default();
        costs.add(RunPhase::Explore, cost);
        let summary = summarize(&SummaryInput {
            run: &dir,
            info: exploration.info(),
            app: &app,
            totals,
            costs: &costs,
            ended: EndReason::Complete,
            time,
        });
        write_json(&dir.join(CURVE), &curve)?;
        write_json(&dir.join(RESULT), &summary)?;
        Ok(Some(self.measured(&summary, curve)))
    }

    fn info(
        &self,
        app: &App,
        rig: &mut Rig<'_>,
        settings: &ExploreSettings,
    ) -> Result<RunInfo, Failure> {
        let description = rig.describe()?.clone();
        Ok(RunInfo {
            retap: RunInfo::KIND.into(),
            version: RunInfo::VERSION,
            retap_version: env!("CARGO_PKG_VERSION").into(),
            verb: "explore".into(),
            arguments: Vec::new(),
            seed: self.run,
            world_seed: self.run,
            app: app.identity.clone(),
            apk: self.app.clone(),
            device: description.kind,
            api: description.api,
            display: description.display,
            abstraction: settings.device.recorded_abstraction(),
            outside: settings.device.outside.clone(),
        })
    }

    fn measured(&self, summary: &Summary, curve: CoverageCurve) -> MeasuredCell {
        let kinds = [UnitKind::Branch, UnitKind::Method];
        let seen = kinds.iter().find_map(|kind| Some((kind, summary.coverage.get(kind)?)));
        let (measure, covered, total) = match seen {
            Some((kind, CoverageCount { covered, total })) => {
                (kind.to_string(), *covered, Some(*total))
            }
            None => ("state".to_string(), summary.states, None),
        };
        MeasuredCell {
            app: self.app.clone(),
            strategy: self.strategy.clone(),
            run: self.run,
            events: summary.events,
            returns: summary.returns,
            returns_failed: summary.returns_failed,
            return_events: summary.return_events,
            restarts: summary.restarts,
            states: summary.states,
            activities: summary.activities,
            measure,
            covered,
            total,
            crashes: summary.crashes.iter().map(|crash| crash.id).collect(),
            seconds: summary.seconds,
            curve,
        }
    }
}

fn covered(app: &App, totals: &ExplorationTotals) -> u64 {
    let counts = app.units.count(&totals.coverage);
    [UnitKind::Branch, UnitKind::Method]
        .into_iter()
        .find_map(|kind| Some(counts.get(&kind)?.covered))
        .unwrap_or(totals.states.len() as u64)
}

/// Renders one line for each cell, without the curve.
pub fn csv(measured: &[MeasuredCell]) -> String {
    let mut text = String::from(
        "app,strategy,run,events,returns,returns_failed,return_events,restarts,states,activities,measure,covered,total,crashes,seconds\n",
    );
    for m in measured {
        let quoted = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
        let total = m.total.map_or_else(String::new, |total| total.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{},{total},{},{:.1}",
            quoted(&m.app),
            quoted(&m.strategy),
            m.run,
            m.events,
            m.returns,
            m.returns_failed,
            m.return_events,
            m.restarts,
            m.states,
            m.activities,
            m.measure,
            m.covered,
            m.crashes.len(),
            m.seconds
        );
    }
    text
}
