//! One test of an update, from its first event to its report: the phases run, crashes are checked, and everything is written.

use super::{files, render};
use crate::cli::UpdateArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::verbs::report;
use crate::{interrupt, log};
use retap_device::{DeviceError, Lab};
use retap_engine::connection::Connection;
use retap_engine::explore::check_budget::{CheckBudget, check_time};
use retap_engine::explore::checks::{self, CheckSettings};
use retap_engine::explore::strategy;
use retap_engine::explore::summary::{SummaryInput, summarize};
use retap_engine::update::{
    ResultInput, TargetSuite, UpdatePlan, UpgradeCheck, VersionComparison, build_result,
    render_markdown,
};
use retap_engine::{Failure, Reporter, trace_file};
use retap_explore::{
    Exploration, ExplorationLimits, ExplorationProgress, ExplorationTotals, InterestingPolicy,
};
use retap_model::app::AppIdentity;
use retap_model::format::run::update_summary::{UpdateSummary, UpdateTests};
use retap_model::format::run::{self, EndReason, Recorder, RunInfo};
use retap_model::{App, Cost, CostLedger, CrashId, RunPhase};
use retap_oracle::Oracles;
use retap_update::{Targets, UpdateStrategy};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A trace of this many events ends and a new one begins: shorter ones are easier to compare and to shorten.
const TRACE_LENGTH: usize = 300;

/// One test of an update, from its first event to its report.
pub(super) struct UpdateSession<'a> {
    pub(super) args: &'a UpdateArgs,
    pub(super) plan: &'a UpdatePlan,
    pub(super) app: &'a App,
    pub(super) dir: PathBuf,
    pub(super) console: &'a Console,
    pub(super) started: Instant,
    pub(super) info: RunInfo,
    pub(super) connection: &'a Connection,
    /// The changed source files.
    pub(super) sources: Vec<String>,
    /// The cost of what is not on the lab of the new version.
    pub(super) costs: CostLedger,
    /// The app's own tests on both versions.
    pub(super) tests: Option<UpdateTests>,
}

/// What an exploration has found, and how it ended.
pub(super) struct ExploredUpdate {
    totals: ExplorationTotals,
    result: Result<(), Failure>,
}

impl UpdateSession<'_> {
    /// Runs the phases and checks the crashes.
    pub(super) fn explore(
        &mut self,
        lab: &mut Lab<'_>,
        strategy: &mut UpdateStrategy,
    ) -> Result<ExploredUpdate, Failure> {
        let targets = strategy.targets().clone();
        let interesting = InterestingPolicy::NewState;
        let mut exploration = if self.args.resume {
            Exploration::resume(&self.dir, strategy, interesting, self.app)?
        } else {
            let recorder = Recorder::create(&self.dir, self.info.clone(), &self.app.units)?;
            files::keep_changed_files(&self.dir, &self.sources)?;
            Exploration::new(recorder, strategy, interesting, self.app)
        };
        let before = exploration.totals();
        let (events, restarts) = (before.events, before.starts);
        self.costs.add(RunPhase::Explore, Cost { events, restarts, ..Cost::default() });
        log::open(&self.dir).map_err(run::RunError::io(&self.dir))?;
        self.console.remark(&format!(
            "{}: {} changed methods, seed {}, in {}",
            self.info.app.package,
            targets.len(),
            self.info.seed,
            self.dir.display()
        ));
        self.tests = self.run_tests()?;
        let limits =
            ExplorationLimits { max_events: self.args.max_events, trace_length: TRACE_LENGTH };
        let explored = self.watch(&mut exploration, lab, limits, &targets);
        lab.charge(RunPhase::Explore);
        let result = explored.and_then(|()| self.check_crashes(&exploration, lab));
        Ok(ExploredUpdate { totals: exploration.totals().clone(), result })
    }

    fn watch(
        &self,
        exploration: &mut Exploration<'_>,
        lab: &mut Lab<'_>,
        limits: ExplorationLimits,
        targets: &Targets,
    ) -> Result<(), Failure> {
        let progress = self.console.progress(Some(limits.max_events));
        let mut shown: Option<Instant> = None;
        let watch = &mut |state: ExplorationProgress<'_>| {
            if shown.is_none_or(|shown| shown.elapsed() > Duration::from_millis(200)) {
                shown = Some(Instant::now());
                let reached = targets.among(&state.totals.coverage).len();
                let message = format!(
                    "{reached} of {} targets, {} states, {} crashes",
                    targets.len(),
                    state.totals.states.len(),
                    state.totals.crashes.len()
                );
                progress.update(state.totals.events, message);
            }
            if let Some(decision) = state.last_decision.filter(|_| self.args.explain) {
                progress.remark(&strategy::explain(decision));
            }
            !interrupt::is_set() && self.args.time.is_none_or(|time| self.started.elapsed() < time)
        };
        Ok(exploration.run(lab.rig(), limits, watch)?)
    }

    fn check_crashes(
        &self,
        exploration: &Exploration<'_>,
        lab: &mut Lab<'_>,
    ) -> Result<(), Failure> {
        let crashes: Vec<CrashId> = exploration.totals().crashes.keys().copied().collect();
        let oracles = Oracles::new(BTreeSet::new(), self.app, self.info.abstraction);
        let settings = CheckSettings {
            app: self.app,
            run: &self.dir,
            oracles: &oracles,
            abstraction: self.info.abstraction,
            graph: exploration.graph(),
            minimizes: !self.args.no_minimize,
            budget: CheckBudget::start(
                lab,
                exploration.totals(),
                self.args.time.map(|time| Instant::now() + check_time(time)),
            ),
        };
        checks::check_crashes(lab, crashes.into_iter(), settings, self.console.context())?;
        Ok(())
    }

    /// Compares with the old version, writes everything, and returns the exit code.
    pub(super) fn conclude(
        mut self,
        lab: &mut Lab<'_>,
        strategy: &UpdateStrategy,
        explored: ExploredUpdate,
    ) -> Result<Exit, Failure> {
        let ExploredUpdate { totals, mut result } = explored;
        let traces = trace_file::read_all(&self.dir.join(run::TRACE).display().to_string())?;
        let (mut suite, mut comparison) = (TargetSuite::default(), VersionComparison::default());
        let mut upgrade = UpgradeCheck::default();
        let mut old_identity = AppIdentity { sha256: String::new(), ..self.info.app.clone() };
        old_identity.version = self.plan.diff.old.version_name.clone().unwrap_or_default();
        if result.is_ok() && !interrupt::is_set() {
            result = self
                .keep_suite(lab, strategy, &traces)
                .map(|kept| suite = kept)
                .and_then(|()| self.compare(lab, strategy, &traces, &mut old_identity))
                .map(|compared| comparison = compared)
                .and_then(|()| self.check_upgrade(&suite, &comparison))
                .map(|checked| upgrade = checked);
        }
        if let Err(error) = self.connection.connect.keep_coverage(&self.dir, &totals.coverage) {
            self.console.remark(&format!("no coverage files for other tools: {error}"));
        }
        lab.take_remarks().iter().for_each(|remark| self.console.remark(remark));
        lab.charge(RunPhase::Explore);
        self.costs.add_all(lab.costs());
        let ended = match &result {
            Ok(()) if interrupt::is_set() => EndReason::Interrupted,
            Ok(()) => EndReason::Complete,
            Err(Failure::Device(DeviceError::Interrupted)) => EndReason::Interrupted,
            Err(_) => EndReason::DeviceFailed,
        };
        let summary = UpdateSummary {
            run: summarize(&SummaryInput {
                run: &self.dir,
                info: &self.info,
                app: self.app,
                totals: &totals,
                costs: &self.costs,
                ended,
                time: self.started.elapsed(),
            }),
            update: build_result(ResultInput {
                old: &old_identity,
                new: &self.info.app,
                plan: self.plan,
                strategy,
                comparison: &comparison,
                upgrade: &upgrade,
                suite: &suite,
            }),
            tests: self.tests.take(),
        };
        run::write_json(&self.dir.join(run::RESULT), &summary)?;
        run::write_json(&self.dir.join("model.json"), &strategy.model().saved())?;
        run::write_whole(&self.dir.join("update.md"), render_markdown(&summary).as_bytes())?;
        report::write_at_end(&self.dir, &self.args.page, self.console);
        self.console.json(&summary);
        self.console.result(&render::render(&summary, &self.dir));
        if ended == EndReason::Interrupted {
            return Ok(Exit::Interrupted);
        }
        result?;
        let is_broken = summary.update.differences.iter().any(|difference| difference.unexplained);
        let is_broken = is_broken
            || summary.tests.as_ref().is_some_and(|tests| tests.broken().next().is_some());
        Ok(if is_broken || !summary.run.crashes.is_empty() { Exit::Found } else { Exit::Clean })
    }
}
