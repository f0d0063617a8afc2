//! `retap explore`.

mod afterwards;
mod backroom;
pub mod evidence;
mod interactive;
mod lexicon;
pub mod oracles;
pub mod pictures;
pub mod strategy;

use super::report;
use crate::cli::{Cli, ExploreArgs, LimitArgs, SeedArgs, StrategyName, Verb};
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::summary::{Account, render, summarize};
use crate::{device, interrupt, log};
use backroom::{Backroom, Desk};
use clap::Parser;
use retap_device::Lab;
use retap_explore::{CrashFinding, Exploration, ExploreError, Findings, Limits, Strategy, Team};
use retap_model::format::run::{self, Ended, Recorder, RunInfo};
use retap_model::{App, Cost, CrashId, FindingKind, UnitKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

pub fn run(args: &ExploreArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let started = Instant::now();
    let args = &if args.resume { take_up(args)? } else { args.clone() };
    let chosen = device::choose(&args.device, args.app.apk.as_deref(), console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let rig = lab.rig();
    let app = rig.app()?.clone();
    let description = rig.device()?.describe().clone();

    let seed = args.seed.seed.unwrap_or_else(|| rand::random::<u32>().into());
    let info = RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: env!("CARGO_PKG_VERSION").into(),
        verb: "explore".into(),
        arguments: std::env::args().skip(1).collect(),
        seed,
        world_seed: args.seed.world_seed.unwrap_or(seed),
        app: app.identity.clone(),
        apk: chosen.apk.display().to_string(),
        device: description.kind.clone(),
        api: description.api,
        display: description.display,
        outside: args.device.outside.clone(),
        abstraction: args.device.recorded_abstraction(),
    };
    let dir =
        args.output.output.clone().unwrap_or_else(|| super::fresh_directory(&info.app.package));
    let mut strategy = strategy::choose(args, seed, &app, &chosen.apk)?;
    let interesting = strategy::interesting(args);
    let oracles = oracles::choose(args, &app)?;
    let exploration = if args.resume {
        check_units(&dir, &app)?;
        Exploration::resume(&dir, strategy.as_mut(), interesting, &app)?
    } else {
        let recorder = Recorder::create(&dir, info, &app.units)?;
        Exploration::new(recorder, strategy.as_mut(), interesting, &app)
    };
    let mut exploration = exploration.watched_by(oracles.clone());
    log::open(&dir).map_err(run::RunError::io(&dir))?;
    console.remark(&format!(
        "{} on {}, seed {seed}, in {}",
        app.identity.package,
        description.serial,
        dir.display()
    ));

    let mut cost = Cost {
        events: exploration.findings().events,
        restarts: exploration.findings().starts,
        ..Cost::default()
    };
    let patience = oracles::patience(args.limits.time);
    let explored = if args.interactive {
        drive(&mut exploration, &mut lab, args, &app, console)
            .and_then(|()| oracles::ask(&mut exploration, &mut lab, patience, console))
    } else {
        let team = strategy::team(args, seed, &app, &chosen.apk)?;
        let desk = Desk {
            connect: chosen.connect.as_ref(),
            run: &dir,
            app: &app,
            abstraction: args.device.recorded_abstraction(),
            console: console.quietly(),
        };
        std::thread::scope(|scope| {
            let backroom =
                (!team.is_empty() && !args.no_minimize).then(|| Backroom::open(scope, desk));
            let found = &|crash| backroom.iter().for_each(|backroom| backroom.order(crash));
            let explored =
                explore(&mut exploration, &mut lab, (args, team), started, (console, found))
                    .map_err(Failure::from)
                    .and_then(|()| {
                        console.remark(&afterwards::announce(&exploration, args, patience));
                        oracles::ask(&mut exploration, &mut lab, patience, console)
                    });
            cost += backroom.map(Backroom::close).unwrap_or_default();
            explored
        })
    };
    let result = explored
        .and_then(|()| {
            afterwards::finish_crashes(
                &exploration,
                &dir,
                &mut lab,
                &app,
                !args.no_minimize,
                console,
            )
        })
        .and_then(|()| {
            oracles::finish(&mut lab, &app, &dir, (&oracles, !args.no_minimize), console)
        })
        .and_then(|()| pictures::keep(lab.rig(), &dir, args.pictures as usize));
    for remark in lab.take_remarks() {
        console.remark(&remark);
    }
    if let Err(error) = chosen.connect.keep_coverage(&dir, &exploration.findings().coverage) {
        console.remark(&format!("no coverage for other tools: {error}"));
    }
    cost += lab.cost();
    let ended = match &result {
        Ok(()) if interrupt::is_set() => Ended::Interrupted,
        Ok(()) => Ended::Complete,
        Err(failure) => match Exit::from(failure) {
            Exit::Interrupted => Ended::Interrupted,
            Exit::BadInput => Ended::OutputFailed,
            _ => Ended::DeviceFailed,
        },
    };
    let summary = summarize(&Account {
        run: &dir,
        info: exploration.info(),
        app: &app,
        findings: exploration.findings(),
        cost,
        ended,
        time: started.elapsed(),
    });
    let written = run::write_json(&dir.join(run::RESULT), &summary);
    report::write_at_end(&dir, console);
    console.json(&summary);
    console.result(&render(&summary, &dir));
    if ended != Ended::Interrupted {
        result?;
    }
    written?;
    Ok(match ended {
        Ended::Interrupted => Exit::Interrupted,
        _ if !summary.crashes.is_empty() || exploration.findings().not_responding > 0 => {
            Exit::Found
        }
        // What an oracle without a specification says is a hint; a property is what the user demands.
        _ if summary.findings.iter().any(|found| found.oracle == FindingKind::Property) => {
            Exit::Found
        }
        _ => Exit::Clean,
    })
}

/// What was covered can only be added to if it is counted alike.
fn check_units(dir: &Path, app: &App) -> Result<(), Failure> {
    if run::read_units(dir)? == *app.units {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{} counts other code than this retap does: it cannot be resumed, only begun anew",
        dir.display()
    )))
}

fn explore(
    exploration: &mut Exploration<'_>,
    lab: &mut Lab<'_>,
    (args, mut team): (&ExploreArgs, Vec<Box<dyn Strategy>>),
    started: Instant,
    (console, found): (&Console, &dyn Fn(CrashId)),
) -> Result<(), ExploreError> {
    let limits = limits(args);
    let time = time_limit(&args.limits);
    let progress = console.progress(args.limits.max_events);
    let mut known: BTreeSet<CrashId> = exploration.findings().crashes.keys().copied().collect();
    let mut shown: Option<Instant> = None;
    let watch = &mut |state: retap_explore::Progress<'_>| {
        if shown.is_none_or(|shown| shown.elapsed() > REFRESH) {
            shown = Some(Instant::now());
            progress.update(state.findings.events, status(&state, started));
        }
        if let Some((next, why)) = state.last.filter(|_| args.explain) {
            progress.say(console, &strategy::explain(next, why));
        }
        if state.findings.crashes.len() > known.len() {
            for (id, crash) in &state.findings.crashes {
                if known.insert(*id) {
                    found(*id);
                    let CrashFinding { exception, events, .. } = crash;
                    progress
                        .say(console, &format!("crash {id} after {events} events: {exception}"));
                }
            }
        }
        !interrupt::is_set() && time.is_none_or(|time| started.elapsed() < time)
    };
    if team.is_empty() {
        return exploration.run(lab.rig(), limits, watch);
    }
    let shares = args.strategy == StrategyName::Auto;
    let terms = Team { limits, interesting: strategy::interesting(args), shares };
    exploration.run_team(lab.rigs(), &mut team, terms, watch)
}

fn drive(
    exploration: &mut Exploration<'_>,
    lab: &mut Lab<'_>,
    args: &ExploreArgs,
    app: &App,
    console: &Console,
) -> Result<(), Failure> {
    exploration.stand_where_it_stopped(lab.rig())?;
    let mut session = interactive::Session {
        exploration,
        app: app.clone(),
        limits: limits(args),
        names: BTreeMap::new(),
    };
    session.run(lab.rig(), &mut std::io::stdin().lock(), console)
}

fn limits(args: &ExploreArgs) -> Limits {
    Limits {
        max_events: args.limits.max_events.unwrap_or(u64::MAX),
        trace_length: args.trace_length as usize,
    }
}

const REFRESH: Duration = Duration::from_millis(100);

/// What follows the bar: events a second, states, coverage, crashes.
fn status(state: &retap_explore::Progress<'_>, started: Instant) -> String {
    let Findings { events, states, coverage, crashes, .. } = state.findings;
    let rate = *events as f64 / started.elapsed().as_secs_f64().max(0.001);
    let counts = state.app.units.count(coverage);
    let covered = counts
        .get(&UnitKind::Branch)
        .map_or_else(String::new, |count| format!(", {:.1}% of branches", count.percent()));
    format!("{rate:.0}/s, {} states{covered}, {} crashes", states.len(), crashes.len())
}

/// The time limit that was asked for; ten minutes where nothing limits the run.
fn time_limit(limits: &LimitArgs) -> Option<Duration> {
    const DEFAULT: Duration = Duration::from_secs(600);
    limits.time.or(limits.max_events.is_none().then_some(DEFAULT))
}

/// The arguments a run was started with, its seeds filled in; limits may be given anew.
fn take_up(given: &ExploreArgs) -> Result<ExploreArgs, Failure> {
    let dir = given.output.output.clone().unwrap_or_default();
    let Ok(Cli { verb: Verb::Explore(mut args), .. }) =
        Cli::try_parse_from(super::recorded_arguments(&dir)?)
    else {
        return Err(super::cannot_resume(&dir, "explore"));
    };
    let info: RunInfo = run::read_json(&dir.join(run::INFO), "what a run was asked to do")?;
    args.seed = SeedArgs { seed: Some(info.seed), world_seed: Some(info.world_seed) };
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
