//! `retap update`.

mod app_tests;
mod conclusion;
mod differences;
mod files;
mod render;
mod show;

use super::report;
use crate::cli::{UpdateArgs, Verb};
use crate::console::Console;
use crate::exit::Exit;
use crate::{interrupt, log};
use retap_device::{DeviceError, Lab};
use retap_engine::connection::{Connection, connect};
use retap_engine::explore::check_budget::{CheckBudget, check_time};
use retap_engine::explore::checks::{self, CheckSettings};
use retap_engine::explore::strategy;
use retap_engine::explore::summary::{SummaryInput, summarize};
use retap_engine::update::{
    PlanSettings, ResultInput, TargetSuite, UpdatePlan, UpgradeCheck, VersionComparison,
    build_result, render_markdown,
};
use retap_engine::{DeviceSettings, Failure, Reporter, trace_file};
use retap_explore::{
    Exploration, ExplorationLimits, ExplorationProgress, ExplorationTotals, InterestingPolicy,
};
use retap_model::app::AppIdentity;
use retap_model::format::run::update_summary::{UpdateSummary, UpdateTests};
use retap_model::format::run::{self, EndReason, Recorder, RunInfo};
use retap_model::{App, Cost, CostLedger, CrashId, RunPhase};
use retap_oracle::Oracles;
use retap_update::{PhaseName, Targets, UpdateSettings, UpdateStrategy};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A trace of this many events ends and a new one begins: shorter ones are easier to compare and to shorten.
const TRACE_LENGTH: usize = 300;
/// What the comparison may cost, in events on both devices for each event of the run.
const COMPARISON_SHARE: u64 = 8;

pub fn run(args: &UpdateArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    if let Some(model) = &args.show {
        console.result(&show::render(&files::read_model(model)?));
        return Ok(Exit::Clean);
    }
    let args = &if args.resume { resumed_arguments(args)? } else { args.clone() };
    let (Some(old), Some(new)) = (&args.old, &args.new) else {
        return Err(Failure::input("name the old and the new APK"));
    };
    if args.device.is_fake() {
        return Err(Failure::input("update compares two APKs; a fake device carries its own app"));
    }
    let manual = files::read_manual_inputs(args.inputs.as_deref())?;
    let model = args.model.as_deref().map(files::read_model).transpose()?;
    let settings = PlanSettings {
        force: args.force,
        asked: args.target.clone(),
        impact: args.impact,
        sources: match (args.resume, &args.output.output) {
            (true, Some(dir)) => files::resume_changed_files(dir, args.since.as_deref())?,
            _ => files::read_changed_files(args.since.as_deref())?,
        },
    };
    let plan = UpdatePlan::read(old, new, &settings)?;
    plan.remarks.iter().for_each(|remark| console.remark(remark));
    if plan.wanted.is_empty() {
        return Ok(say_nothing_changed(&plan, console));
    }
    let device = args.device.settings();
    let connection = connect(&device, Some(new), console.context())?;
    let mut lab = Lab::new(connection.connect.as_ref(), 1, &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    let targets = plan.targets(&app.units);
    if targets.is_empty() {
        console.result(
            "The update changed no method of the app's own code: there is nothing to reach.",
        );
        return Ok(Exit::Clean);
    }
    let info = run_info(args, &device, &app, &mut lab, &connection)?;
    let dir =
        args.output.output.clone().unwrap_or_else(|| super::fresh_directory(&info.app.package));
    let mut session = Session {
        args,
        plan: &plan,
        app: &app,
        dir,
        console,
        started: Instant::now(),
        info: info.clone(),
        connection: &connection,
        sources: settings.sources,
        costs: CostLedger::default(),
        tests: None,
    };
    let explorer = plan.explorer(&targets, &app, info.seed);
    let mut strategy = UpdateStrategy::new(
        UpdateSettings {
            seed: info.seed,
            scale: args.scale,
            phases: phases(args),
            manual,
            compared_texts: plan.compared_texts(&app),
            max_inputs: args.max_events,
        },
        &plan.model,
        targets,
        explorer,
    );
    if let Some(model) = &model {
        let adopted = strategy.adopt(model);
        console.remark(&format!(
            "{} windows, {} transitions and {} inputs of the other model are used, {} do not fit",
            adopted.windows, adopted.transitions, adopted.inputs, adopted.stale
        ));
    }
    let totals = session.explore(&mut lab, &mut strategy)?;
    session.conclude(&mut lab, &strategy, totals)
}

/// One test of an update, from its first event to its report.
struct Session<'a> {
    args: &'a UpdateArgs,
    plan: &'a UpdatePlan,
    app: &'a App,
    dir: PathBuf,
    console: &'a Console,
    started: Instant,
    info: RunInfo,
    connection: &'a Connection,
    /// The changed source files.
    sources: Vec<String>,
    /// The cost of what is not on the lab of the new version.
    costs: CostLedger,
    /// The app's own tests on both versions.
    tests: Option<UpdateTests>,
}

/// What an exploration has found, and how it ended.
struct Explored {
    totals: ExplorationTotals,
    result: Result<(), Failure>,
}

impl Session<'_> {
    /// Runs the phases and checks the crashes.
    fn explore(
        &mut self,
        lab: &mut Lab<'_>,
        strategy: &mut UpdateStrategy,
    ) -> Result<Explored, Failure> {
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
        Ok(Explored { totals: exploration.totals().clone(), result })
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
    fn conclude(
        mut self,
        lab: &mut Lab<'_>,
        strategy: &UpdateStrategy,
        explored: Explored,
    ) -> Result<Exit, Failure> {
        let Explored { totals, mut result } = explored;
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

fn run_info(
    args: &UpdateArgs,
    device: &DeviceSettings,
    app: &App,
    lab: &mut Lab<'_>,
    connection: &Connection,
) -> Result<RunInfo, Failure> {
    let description = lab.rig().describe()?;
    let seed = args.seed.seed.unwrap_or_else(|| rand::random::<u32>().into());
    Ok(RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: env!("CARGO_PKG_VERSION").into(),
        verb: UpdateSummary::VERB.into(),
        arguments: std::env::args().skip(1).collect(),
        seed,
        world_seed: args.seed.world_seed.unwrap_or(seed),
        app: app.identity.clone(),
        apk: connection.apk.display().to_string(),
        device: description.kind.clone(),
        api: description.api,
        display: description.display,
        outside: device.outside.clone(),
        abstraction: device.recorded_abstraction(),
    })
}

fn phases(args: &UpdateArgs) -> Vec<PhaseName> {
    let chosen = |phase: &PhaseName| args.phases.contains(&phase.number());
    PhaseName::ALL.into_iter().filter(chosen).collect()
}

fn say_nothing_changed(plan: &UpdatePlan, console: &Console) -> Exit {
    let resources = plan.diff.resources.len();
    let text = match (plan.diff.is_empty(), resources) {
        (true, _) => "The two versions are the same: there is nothing to test.".to_string(),
        (false, resources) => format!(
            "The update changed no code, {resources} resources and {} lines of the manifest: there is no method to reach. \
             `retap diff` shows what changed.",
            plan.diff.manifest.len()
        ),
    };
    console
        .json(&serde_json::json!({ "verb": UpdateSummary::VERB, "targets": 0, "message": text }));
    console.result(&text);
    Exit::Clean
}

/// Returns the arguments of the run to resume, with its seeds.
fn resumed_arguments(given: &UpdateArgs) -> Result<UpdateArgs, Failure> {
    let dir = given.output.output.clone().unwrap_or_default();
    let (Some(Verb::Update(mut args)), seed) = super::resumed_verb(&dir)? else {
        return Err(super::cannot_resume(&dir, "update"));
    };
    args.seed = seed;
    args.output = given.output.clone();
    args.resume = true;
    args.explain = given.explain;
    Ok(*args)
}
