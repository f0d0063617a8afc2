//! One strategy, once, on one app: explored, or read back where it was explored before.

use super::super::super::explore::strategy;
use super::curve::Curve;
use crate::cli::{Cli, ExploreArgs, Verb};
use crate::failure::Failure;
use crate::interrupt;
use crate::summary::{Account, summarize};
use clap::Parser;
use retap_device::Rig;
use retap_explore::{Exploration, ExploreError, Findings, Limits};
use retap_model::format::run::{Ended, RESULT, Recorder, RunInfo, Summary, read_json, write_json};
use retap_model::{App, Cost, CoverageCount, CrashId, UnitKind};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

const CURVE: &str = "curve.json";

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub app: String,
    /// `auto`, or with flags: `auto:without=walk`.
    pub strategy: String,
    pub run: u64,
}

/// What came out of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Measured {
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
    /// What is compared: covered branches, else methods, else states where the device sees no code.
    pub measure: String,
    pub covered: u64,
    pub total: Option<u64>,
    pub crashes: Vec<CrashId>,
    pub seconds: f64,
    pub curve: Curve,
}

impl Cell {
    pub fn dir(&self, output: &Path) -> PathBuf {
        let plain = |name: &str| name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let app = Path::new(&self.app).file_stem().unwrap_or_default().to_string_lossy();
        output.join("runs").join(plain(&app)).join(plain(&self.strategy)).join(self.run.to_string())
    }

    /// The flags of `retap explore` that this strategy stands for.
    pub fn arguments(&self) -> Result<ExploreArgs, Failure> {
        let (name, flags) = self.strategy.split_once(':').unwrap_or((&self.strategy, ""));
        let mut words =
            vec!["retap".to_string(), "explore".into(), "--strategy".into(), name.into()];
        words.extend(flags.split(':').filter(|f| !f.is_empty()).map(|flag| format!("--{flag}")));
        match Cli::try_parse_from(&words) {
            Ok(Cli { verb: Verb::Explore(args), .. }) => Ok(*args),
            Ok(_) => Err(Failure::input(format!("{:?} is no strategy", self.strategy))),
            Err(error) => Err(Failure::input(format!("{:?}: {error}", self.strategy))),
        }
    }

    /// What an earlier call measured, if it was finished and was given as many events.
    pub fn read(&self, output: &Path, max_events: u64) -> Option<Measured> {
        let dir = self.dir(output);
        let summary: Summary = read_json(&dir.join(RESULT), "a summary").ok()?;
        let curve: Curve = read_json(&dir.join(CURVE), "a curve").ok()?;
        let is_whole = summary.ended == Ended::Complete && curve.is_towards(max_events);
        is_whole.then(|| self.measured(&summary, curve))
    }

    pub fn explore(
        &self,
        rig: &mut Rig<'_>,
        output: &Path,
        max_events: u64,
    ) -> Result<Option<Measured>, Failure> {
        let dir = self.dir(output);
        // What was begun and not finished is begun again: a curve has no half.
        if dir.exists() {
            std::fs::remove_dir_all(&dir).map_err(retap_model::format::run::RunError::io(&dir))?;
        }
        let started = Instant::now();
        let args = self.arguments()?;
        let before = rig.cost();
        let app = rig.app()?.clone();
        let info = self.info(&app, rig, &args)?;
        let mut strategy = strategy::choose(&args, self.run, &app, Path::new(&self.app))?;
        let recorder = Recorder::create(&dir, info, &app.units)?;
        let rule = strategy::interesting(&args);
        let mut exploration = Exploration::new(recorder, strategy.as_mut(), rule, &app);
        let trace_length = args.trace_length as usize;
        let limits = Limits { max_events, trace_length };
        let mut curve = Curve::towards(max_events);
        rig.leave();
        let explored = exploration.run(rig, limits, &mut |state| {
            curve.see(state.findings, &|| covered(&app, state.findings));
            !interrupt::is_set()
        });
        match explored {
            Err(ExploreError::Device(retap_device::DeviceError::Interrupted)) => return Ok(None),
            other => other?,
        }
        if interrupt::is_set() {
            return Ok(None);
        }
        let findings = exploration.findings();
        curve.end(findings, covered(&app, findings));
        let summary = summarize(&Account {
            run: &dir,
            info: exploration.info(),
            app: &app,
            findings,
            cost: since(rig.cost(), before),
            ended: Ended::Complete,
            time: started.elapsed(),
        });
        write_json(&dir.join(CURVE), &curve)?;
        write_json(&dir.join(RESULT), &summary)?;
        Ok(Some(self.measured(&summary, curve)))
    }

    fn info(&self, app: &App, rig: &mut Rig<'_>, args: &ExploreArgs) -> Result<RunInfo, Failure> {
        let description = rig.device()?.describe().clone();
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
            abstraction: args.device.recorded_abstraction(),
            outside: args.device.outside.clone(),
        })
    }

    fn measured(&self, summary: &Summary, curve: Curve) -> Measured {
        let kinds = [UnitKind::Branch, UnitKind::Method];
        let seen = kinds.iter().find_map(|kind| Some((kind, summary.coverage.get(kind)?)));
        let (measure, covered, total) = match seen {
            Some((kind, CoverageCount { covered, total })) => {
                (kind.to_string(), *covered, Some(*total))
            }
            None => ("state".to_string(), summary.states, None),
        };
        Measured {
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

fn covered(app: &App, findings: &Findings) -> u64 {
    let counts = app.units.count(&findings.coverage);
    [UnitKind::Branch, UnitKind::Method]
        .into_iter()
        .find_map(|kind| Some(counts.get(&kind)?.covered))
        .unwrap_or(findings.states.len() as u64)
}

fn since(after: Cost, before: Cost) -> Cost {
    Cost {
        events: after.events - before.events,
        events_saved: after.events_saved - before.events_saved,
        restarts: after.restarts - before.restarts,
        saves: after.saves - before.saves,
        restores: after.restores - before.restores,
        devices_lost: after.devices_lost - before.devices_lost,
        ..after
    }
}

/// One line a cell, without the curve.
pub fn csv(measured: &[Measured]) -> String {
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
