//! `retap explore`.

mod announce;
mod elsewhere;
mod interactive;
mod render;
mod status;
mod time_plan;

use super::fleet::{LabRequest, open_pool};
use super::{model, report};
use crate::cli::{ExploreArgs, OracleChoice, Verb};
use crate::console::Console;
use crate::exit::Exit;
use crate::{interrupt, log};
use retap_device::{Description, Lab};
use retap_engine::connection::{Connection, connect};
use retap_engine::explore::background::{BackgroundMinimizer, BackgroundSettings};
use retap_engine::explore::check_budget::CheckBudget;
use retap_engine::explore::checks::{self, CheckSettings};
use retap_engine::explore::summary::{SummaryInput, summarize};
use retap_engine::explore::{ExploreSettings, StrategyKind, oracles, screenshots, strategy};
use retap_engine::{Context, Failure, Reporter};
use retap_explore::{
    AutoPart, CrashTotals, Exploration, ExplorationLimits, ExplorationProgress, ExplorationTotals,
    ExploreError, Strategy, StrategyEnd, TeamSettings,
};
use retap_fleet::SharedPool;
use retap_model::format::run::{self, EndReason, Recorder, RunInfo, Summary};
use retap_model::{App, Cost, CostLedger, CrashId, FindingKind, RunPhase};
use retap_oracle::{Oracles, Properties};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use time_plan::TimePlan;

pub fn run(args: &ExploreArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let args = &if args.resume { resumed_arguments(args)? } else { args.clone() };
    remark_old_names(&std::env::args().collect::<Vec<_>>(), console);
    check_jobs(args)?;
    let settings = args.settings();
    let connection = connect(&settings.device, args.app.apk.as_deref(), console.context())?;
    let wanted = LabRequest::new("explore", &settings.device, args.jobs, &args.fleet);
    let pool = open_pool(&connection, wanted, console)?;
    let mut lab = Lab::new(connection.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    if let Some(pool) = &pool {
        lab = lab.with_pool(Box::new(pool.clone()));
    }
    let app = lab.rig().app()?.clone();
    let description = lab.rig().describe()?.clone();
    // The first use sets a device up for a minute or more, which must not use up `--time`.
    let started = Instant::now();
    let seed = args.seed.seed.unwrap_or_else(|| rand::random::<u32>().into());
    let info = run_info(args, &settings, seed, &app, &description, &connection);
    let dir =
        args.output.output.clone().unwrap_or_else(|| super::fresh_directory(&info.app.package));
    let oracles = choose_oracles(args, &settings, &app)?;
    let mut strategy = strategy::build(&settings, seed, &app, &connection.apk)?;
    let interesting = settings.interesting();
    let exploration = if args.resume {
        check_units(&dir, &app)?;
        Exploration::resume(&dir, strategy.as_mut(), interesting, &app)?
    } else {
        let recorder = Recorder::create(&dir, info, &app.units)?;
        Exploration::new(recorder, strategy.as_mut(), interesting, &app)
    };
    let mut session = Session {
        args,
        settings: &settings,
        app: &app,
        connection: &connection,
        dir: dir.clone(),
        oracles: oracles.clone(),
        seed,
        started,
        costs: earlier_costs(exploration.totals()),
        pool,
        exploration: exploration.with_oracles(oracles),
        console,
    };
    log::open(&dir).map_err(run::RunError::io(&dir))?;
    let package = &app.identity.package;
    let place = dir.display();
    console.remark(&format!("{package} on {}, seed {seed}, in {place}", description.serial));
    if let Some(plan) = TimePlan::of(args).filter(|_| !args.interactive) {
        console.remark(&plan.to_string());
    }
    if let Some(remark) = announce::describe_finished(&session.exploration, args) {
        console.remark(&remark);
    }
    let result = session.explore(&mut lab).and_then(|()| session.check(&mut lab));
    session.conclude(&mut lab, result)
}

/// One exploration, from its first event to its report.
struct Session<'a, 's> {
    args: &'a ExploreArgs,
    settings: &'a ExploreSettings,
    app: &'a App,
    connection: &'a Connection,
    dir: PathBuf,
    oracles: Oracles,
    seed: u64,
    started: Instant,
    /// The cost of what is not on the lab: an earlier part of a resumed run, and the background minimiser.
    costs: CostLedger,
    exploration: Exploration<'s>,
    /// The fleet that explores, if one is named.
    pool: Option<SharedPool<'static>>,
    console: &'a Console,
}

impl Session<'_, '_> {
    /// Returns true if `--strict` ends the run: the device lacked something.
    fn is_limited(&self) -> bool {
        self.args.strict && !self.exploration.totals().host_limitations.is_empty()
    }

    /// Explores until a limit is reached.
    fn explore(&mut self, lab: &mut Lab<'_>) -> Result<(), Failure> {
        if self.args.interactive {
            self.explore_interactively(lab)
        } else if let Some(pool) = self.pool.clone() {
            self.explore_elsewhere(&pool)
        } else if self.args.jobs == 1 {
            Ok(self.explore_by_strategy(lab, Vec::new(), &|_| {})?)
        } else {
            self.explore_as_team(lab)
        }
    }

    fn explore_interactively(&mut self, lab: &mut Lab<'_>) -> Result<(), Failure> {
        self.exploration.restore_position(lab.rig())?;
        let mut shell = interactive::Shell {
            run: &self.dir,
            exploration: &mut self.exploration,
            app: self.app.clone(),
            limits: limits(self.args),
            names: BTreeMap::new(),
        };
        shell.run(lab.rig(), &mut std::io::stdin().lock(), self.console)
    }

    /// Explores with several explorers, and minimises crashes in the background meanwhile.
    fn explore_as_team(&mut self, lab: &mut Lab<'_>) -> Result<(), Failure> {
        let Self { settings, app, connection, seed, .. } = *self;
        let team = strategy::build_team(settings, self.args.jobs, seed, app, &connection.apk)?;
        let quiet = self.console.quiet();
        let (dir, oracles) = (self.dir.clone(), self.oracles.clone());
        let stop = AtomicBool::new(false);
        let background = BackgroundSettings {
            connect: connection.connect.as_ref(),
            run: &dir,
            app,
            oracles: &oracles,
            abstraction: settings.device.recorded_abstraction(),
            context: Context { interrupt: &stop, ..quiet.context() },
            stop: &stop,
        };
        // A further device would only take time from the explorers if each core has one of them.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let has_idle_core = usize::from(self.args.jobs) < cores;
        std::thread::scope(|scope| {
            let minimizer = (!self.args.no_minimize && has_idle_core)
                .then(|| BackgroundMinimizer::start(scope, background));
            let on_crash = |crash| minimizer.iter().for_each(|minimizer| minimizer.queue(crash));
            let explored = self.explore_by_strategy(lab, team, &on_crash);
            if let Some(minimizer) = minimizer {
                self.costs.add_all(&minimizer.finish());
            }
            Ok(explored?)
        })
    }

    /// Explores with one strategy, or with a team of them, and shows progress.
    fn explore_by_strategy(
        &mut self,
        lab: &mut Lab<'_>,
        mut team: Vec<Box<dyn Strategy>>,
        on_crash: &dyn Fn(CrashId),
    ) -> Result<(), ExploreError> {
        let Self { args, started, .. } = *self;
        let limits = limits(args);
        let time = TimePlan::of(args).map(|plan| plan.exploring);
        let progress = self.console.limited_bar(args.limits.max_events, time);
        let mut known: BTreeSet<CrashId> =
            self.exploration.totals().crashes.keys().copied().collect();
        let mut shown: Option<Instant> = None;
        let watch = &mut |state: ExplorationProgress<'_>| {
            if shown.is_none_or(|shown| shown.elapsed() > REFRESH) {
                shown = Some(Instant::now());
                progress.update(
                    state.totals.events,
                    status::describe(&state, started, (args.limits.max_events, time)),
                );
            }
            if let Some(decision) = state.last_decision.filter(|_| args.explain) {
                progress.remark(&strategy::explain(decision));
            }
            if state.totals.crashes.len() > known.len() {
                for (id, crash) in &state.totals.crashes {
                    if known.insert(*id) {
                        on_crash(*id);
                        let CrashTotals { exception, events, .. } = crash;
                        progress.remark(&format!("crash {id} after {events} events: {exception}"));
                    }
                }
            }
            let is_limited = args.strict && !state.totals.host_limitations.is_empty();
            !is_limited && !interrupt::is_set() && time.is_none_or(|time| started.elapsed() < time)
        };
        if team.is_empty() {
            return self.exploration.run(lab.rig(), limits, watch);
        }
        let settings = TeamSettings {
            limits,
            interesting: self.settings.interesting(),
            shares_traces: args.strategy == StrategyKind::Auto,
        };
        self.exploration.run_team(lab.rigs(), &mut team, settings, watch)
    }

    /// Returns the failure of a strategy that could not go on.
    fn strategy_failure(&self) -> Option<Failure> {
        match self.exploration.strategy_end() {
            Some(StrategyEnd::Failed(why)) => Some(Failure::input(why)),
            _ => None,
        }
    }

    /// Checks the crashes, probes, checks the findings and takes screenshots, within bounds.
    fn check(&mut self, lab: &mut Lab<'_>) -> Result<(), Failure> {
        if self.is_limited() {
            return Ok(());
        }
        let deadline = TimePlan::of(self.args).map(|plan| plan.check_deadline(self.started));
        if !self.args.interactive {
            self.console.remark(&announce::announce(&self.exploration, self.args, deadline));
        }
        lab.charge(RunPhase::Explore);
        let budget = CheckBudget::start(lab, self.exploration.totals(), deadline);
        let crashes: Vec<CrashId> = self.exploration.totals().crashes.keys().copied().collect();
        let context = self.console.context();
        let before_screenshots = budget.before_screenshots();
        let settings = self.check_settings(before_screenshots);
        let mut left = checks::check_crashes(lab, crashes.into_iter(), settings, context)?;
        oracles::probe(&mut self.exploration, lab, &budget, context)?;
        let settings = self.check_settings(before_screenshots);
        left += checks::check_findings(lab, settings, context)?;
        if left > 0 {
            context.remark(&announce::describe_left(left, &self.dir, deadline.is_some()));
        }
        let pictures = self.args.pictures as usize;
        screenshots::keep_shown_states(lab, &self.dir, pictures, &budget)
    }

    fn check_settings(&self, budget: CheckBudget) -> CheckSettings<'_> {
        CheckSettings {
            app: self.app,
            run: &self.dir,
            oracles: &self.oracles,
            abstraction: self.exploration.info().abstraction,
            graph: self.exploration.graph(),
            minimizes: !self.args.no_minimize,
            budget,
        }
    }

    /// Writes the summary and the report, however the run ended, and returns the exit code.
    fn conclude(mut self, lab: &mut Lab<'_>, result: Result<(), Failure>) -> Result<Exit, Failure> {
        let console = self.console;
        lab.take_remarks().iter().for_each(|remark| console.remark(remark));
        let coverage = &self.exploration.totals().coverage;
        if let Err(error) = self.connection.connect.keep_coverage(&self.dir, coverage) {
            console.remark(&format!("no coverage files for other tools: {error}"));
        }
        lab.charge(RunPhase::Explore);
        self.costs.add_all(lab.costs());
        for (phase, cost) in self.costs.by_phase() {
            tracing::info!("cost of {phase}: {cost:?}");
        }
        let ended = match ended(&result) {
            EndReason::Complete if self.is_limited() => EndReason::HostLimitation,
            other => other,
        };
        let summary = summarize(&SummaryInput {
            run: &self.dir,
            info: self.exploration.info(),
            app: self.app,
            totals: self.exploration.totals(),
            costs: &self.costs,
            ended,
            time: self.started.elapsed(),
        });
        let written = run::write_json(&self.dir.join(run::RESULT), &summary);
        model::draw_run(&self.connection.apk, &self.dir);
        report::write_at_end(&self.dir, &self.args.page, console);
        console.json(&summary);
        console.result(&render::render(&summary, &self.dir, console.paint()));
        if ended != EndReason::Interrupted {
            result?;
        }
        written?;
        if let Some(failure) = self.strategy_failure() {
            return Err(failure);
        }
        Ok(exit(ended, &summary, self.exploration.totals()))
    }
}

/// One machine has no room for more explorers; a fleet may have.
fn check_jobs(args: &ExploreArgs) -> Result<(), Failure> {
    const MAX_HERE: u16 = 64;
    if args.jobs > MAX_HERE && args.fleet.fleet.is_none() {
        let text =
            format!("-j {}: more than {MAX_HERE} explorers need a fleet (--fleet)", args.jobs);
        return Err(Failure::input(text));
    }
    Ok(())
}

/// Returns the cost of the part of a resumed run that was recorded before.
fn earlier_costs(totals: &ExplorationTotals) -> CostLedger {
    let mut costs = CostLedger::default();
    let (events, restarts) = (totals.events, totals.starts);
    costs.add(RunPhase::Explore, Cost { events, restarts, ..Cost::default() });
    costs
}

fn run_info(
    args: &ExploreArgs,
    settings: &ExploreSettings,
    seed: u64,
    app: &App,
    description: &Description,
    connection: &Connection,
) -> RunInfo {
    RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: env!("CARGO_PKG_VERSION").into(),
        verb: "explore".into(),
        arguments: std::env::args().skip(1).collect(),
        seed,
        world_seed: args.seed.world_seed.unwrap_or(seed),
        app: app.identity.clone(),
        apk: connection.apk.display().to_string(),
        device: description.kind.clone(),
        api: description.api,
        display: description.display,
        outside: settings.device.outside.clone(),
        abstraction: settings.device.recorded_abstraction(),
    }
}

fn choose_oracles(
    args: &ExploreArgs,
    settings: &ExploreSettings,
    app: &App,
) -> Result<Oracles, Failure> {
    let mut kinds = OracleChoice::kinds(&args.oracle).map_err(Failure::input)?;
    let properties = match &args.properties {
        Some(file) => oracles::read_properties(file)?,
        None => Properties::default(),
    };
    if !properties.is_empty() {
        kinds.insert(FindingKind::Property);
    }
    let oracles = Oracles::new(kinds, app, settings.device.recorded_abstraction());
    Ok(Oracles { properties: Arc::new(properties), ..oracles })
}

fn ended(result: &Result<(), Failure>) -> EndReason {
    match result {
        Ok(()) if interrupt::is_set() => EndReason::Interrupted,
        Ok(()) => EndReason::Complete,
        Err(failure) => match Exit::from(failure) {
            Exit::Interrupted => EndReason::Interrupted,
            Exit::BadInput => EndReason::OutputFailed,
            _ => EndReason::DeviceFailed,
        },
    }
}

fn exit(ended: EndReason, summary: &Summary, totals: &ExplorationTotals) -> Exit {
    // A broken property is what the user asked about. ExplorationTotals of the other oracles are only hints.
    let breaks_property =
        || summary.findings.iter().any(|found| found.oracle == FindingKind::Property);
    match ended {
        EndReason::Interrupted => Exit::Interrupted,
        EndReason::HostLimitation => Exit::HostLimitation,
        _ if !summary.crashes.is_empty() || totals.not_responding > 0 => Exit::Found,
        _ if breaks_property() => Exit::Found,
        _ => Exit::Clean,
    }
}

/// Tells the user who names a part of `auto` by its old name what it is called now.
fn remark_old_names(arguments: &[String], console: &Console) {
    let values = arguments.windows(2).filter(|pair| pair[0] == "--without").map(|pair| &*pair[1]);
    let joined = arguments.iter().filter_map(|word| word.strip_prefix("--without="));
    for name in values.chain(joined).flat_map(|value| value.split(',')) {
        for (old, part) in AutoPart::OLD_NAMES {
            if name == old {
                console.remark(&format!("--without {old} is now --without {part}"));
            }
        }
    }
}

/// Refuses to resume a run whose coverage was counted in other units.
fn check_units(dir: &Path, app: &App) -> Result<(), Failure> {
    if run::read_units(dir)? == *app.units {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{} counts other code units than this version of retap: start a new run instead of resuming it",
        dir.display()
    )))
}

fn limits(args: &ExploreArgs) -> ExplorationLimits {
    ExplorationLimits {
        max_events: args.limits.max_events.unwrap_or(u64::MAX),
        trace_length: args.trace_length as usize,
    }
}

const REFRESH: Duration = Duration::from_millis(100);

/// Returns the arguments of the run to resume, with its seeds. New limits replace the recorded ones.
fn resumed_arguments(given: &ExploreArgs) -> Result<ExploreArgs, Failure> {
    let dir = given.output.output.clone().unwrap_or_default();
    let (Some(Verb::Explore(mut args)), seed) = super::resumed_verb(&dir)? else {
        return Err(super::cannot_resume(&dir, "explore"));
    };
    args.seed = seed;
    args.output = given.output.clone();
    args.resume = true;
    args.explain = given.explain;
    args.interactive = given.interactive;
    args.jobs = given.jobs;
    if given.limits.max_events.is_some() || given.limits.time.is_some() {
        args.limits = given.limits.clone();
    }
    Ok(*args)
}
