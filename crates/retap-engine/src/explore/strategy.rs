//! Builds strategies from settings, and explains moves in words.

use super::program_strategy::ProgramStrategy;
use super::settings::{ExploreSettings, StrategyKind};
use super::{code_map, compared_texts};
use crate::run_directory::read_info;
use crate::{Failure, trace_file};
use retap_explore::{
    Ape, Auto, AutoPart, AutoParts, CodeMap, Decision, DroidBot, Experience, Fastbot, Move,
    QTesting, Random, RandomRestart, SearchOrder, SeededStrategy, Stoat, Strategy, TimeMachine,
    Vocabulary, recall,
};
use retap_model::format::run;
use retap_model::{App, Event};
use std::path::Path;

/// The distance between the seeds of two explorers, so that their random streams never meet.
const SEED_DISTANCE: u64 = 1 << 32;
/// The events by which Stoat builds its model if nothing limits the events of the run: one hour of the paper's three, at
/// four seconds an event.
const STOAT_MODEL_EVENTS: u64 = 900;

/// Builds one strategy for each of several explorers. Only the first runs the seed traces.
pub fn build_team(
    settings: &ExploreSettings,
    explorers: u16,
    seed: u64,
    app: &App,
    apk: &Path,
) -> Result<Vec<Box<dyn Strategy>>, Failure> {
    let build_one = |number: u64| {
        let seed_traces = if number == 0 { settings.seed_traces.clone() } else { Vec::new() };
        let settings = ExploreSettings { seed_traces, ..settings.clone() };
        build(&settings, seed.wrapping_add(number * SEED_DISTANCE), app, apk)
    };
    (0..u64::from(explorers)).map(build_one).collect()
}

/// Builds the strategy of one explorer.
pub fn build(
    settings: &ExploreSettings,
    seed: u64,
    app: &App,
    apk: &Path,
) -> Result<Box<dyn Strategy>, Failure> {
    let random = Random { blind: settings.blind, ..Random::new(seed) };
    let strategy: Box<dyn Strategy> = match &settings.strategy {
        StrategyKind::Random => Box::new(random),
        StrategyKind::RandomRestart => Box::new(RandomRestart::new(random, settings.stuck)),
        StrategyKind::Auto => {
            let with = AutoParts { without: settings.without.clone() };
            let texts = if with.has(AutoPart::Text) {
                compared_texts::read(apk, &app.identity.package)
            } else {
                Vocabulary::default()
            };
            let map = if settings.map { code_map::read(apk, app) } else { CodeMap::default() };
            let auto = Auto::new(random, app.clone(), texts, with).with_map(map);
            Box::new(match &settings.learn_from {
                Some(run) => auto.with_experience(experience_of(run, app)?),
                None => auto,
            })
        }
        StrategyKind::DroidBotDfs => {
            Box::new(DroidBot::new(seed, SearchOrder::DepthFirst, app.clone()))
        }
        StrategyKind::DroidBotBfs => {
            Box::new(DroidBot::new(seed, SearchOrder::BreadthFirst, app.clone()))
        }
        StrategyKind::Fastbot => Box::new(Fastbot::new(seed, app.clone())),
        StrategyKind::Ape => Box::new(Ape::new(random, app.clone())),
        StrategyKind::Stoat => {
            let model_events = settings.max_events.map_or(STOAT_MODEL_EVENTS, |events| events / 3);
            Box::new(Stoat::new(seed, app.clone(), model_events))
        }
        StrategyKind::QTesting => Box::new(QTesting::new(seed, app.clone())),
        StrategyKind::Program(program) => {
            let abstraction = settings.device.recorded_abstraction();
            Box::new(ProgramStrategy::start(program, abstraction).map_err(Failure::input)?)
        }
        StrategyKind::TimeMachine => {
            Box::new(TimeMachine::new(random, settings.stuck, settings.fittest))
        }
    };
    let seeds = read_seed_traces(&settings.seed_traces)?;
    Ok(if seeds.is_empty() { strategy } else { Box::new(SeededStrategy::new(seeds, strategy)) })
}

/// Reads what an earlier run learnt.
fn experience_of(run: &Path, app: &App) -> Result<Experience, Failure> {
    let info = read_info(run)?;
    if info.app.package != app.identity.package {
        let (earlier, package) = (&info.app.package, &app.identity.package);
        let run = run.display();
        return Err(Failure::input(format!("{run} is a run of {earlier}, not of {package}")));
    }
    let mut auto =
        Auto::new(Random::new(0), app.clone(), Vocabulary::default(), AutoParts::default());
    recall(run, &mut auto, app)?;
    Ok(auto.into_experience())
}

/// Describes a move and its reason on one line.
pub fn explain(Decision { next_move, reason }: &Decision) -> String {
    let what = match next_move {
        Move::Do(event) => event.to_string(),
        Move::Restart => "restart".into(),
        Move::Return(state) => format!("return to {state}"),
    };
    if reason.is_empty() { what } else { format!("{what} ({reason})") }
}

/// Reads the events of all traces that were named: files, `FILE#N`, or run directories.
fn read_seed_traces(names: &[String]) -> Result<Vec<Vec<Event>>, Failure> {
    let mut seeds = Vec::new();
    for name in names {
        let path = Path::new(name);
        let file = if path.is_dir() { path.join(run::TRACE) } else { path.to_path_buf() };
        let traces = trace_file::read_all(&file.display().to_string())?;
        seeds.extend(traces.iter().map(|trace| trace.events().cloned().collect::<Vec<Event>>()));
    }
    seeds.retain(|seed| !seed.is_empty());
    Ok(seeds)
}
