//! From names and settings to a strategy, and its reasons in words.

use super::lexicon;
use crate::cli::{ExploreArgs, StrategyName};
use crate::failure::Failure;
use crate::trace_file;
use retap_explore::auto::text::Lexicon;
use retap_explore::auto::{Auto, Ingredient, Ingredients};
use retap_explore::interesting::Interesting;
use retap_explore::random::Random;
use retap_explore::restart::RandomRestart;
use retap_explore::seeds::Seeded;
use retap_explore::timemachine::TimeMachine;
use retap_explore::{Move, Strategy};
use retap_model::format::run;
use retap_model::{App, Event};
use std::path::Path;

/// The strategies of several explorers, none where there is one explorer only. Each has chances of its own; recorded traces
/// are run by the first.
pub fn team(
    args: &ExploreArgs,
    seed: u64,
    app: &App,
    apk: &Path,
) -> Result<Vec<Box<dyn Strategy>>, Failure> {
    const APART: u64 = 1 << 32;
    let size = if args.jobs == 1 { 0 } else { u64::from(args.jobs) };
    let member = |number: u64| {
        let seed_traces = if number == 0 { args.seed_traces.clone() } else { Vec::new() };
        let args = ExploreArgs { seed_traces, ..args.clone() };
        choose(&args, seed.wrapping_add(number * APART), app, apk)
    };
    (0..size).map(member).collect()
}

pub fn choose(
    args: &ExploreArgs,
    seed: u64,
    app: &App,
    apk: &Path,
) -> Result<Box<dyn Strategy>, Failure> {
    let random = Random { blind: args.blind, ..Random::new(seed) };
    let policies = &args.policies;
    let strategy: Box<dyn Strategy> = match args.strategy {
        StrategyName::Random => Box::new(random),
        StrategyName::RandomRestart => Box::new(RandomRestart::new(random, policies.stuck)),
        StrategyName::Auto => {
            let with = Ingredients { without: args.without.clone() };
            let words = if with.has(Ingredient::Text) {
                lexicon::read(apk, &app.identity.package)
            } else {
                Lexicon::default()
            };
            Box::new(Auto::new(random, app.clone(), words, with))
        }
        StrategyName::Timemachine => {
            Box::new(TimeMachine::new(random, policies.stuck, policies.fittest))
        }
    };
    let seeds = seeds(&args.seed_traces)?;
    Ok(if seeds.is_empty() { strategy } else { Box::new(Seeded::new(seeds, strategy)) })
}

pub fn interesting(args: &ExploreArgs) -> Interesting {
    match args.strategy {
        // Where every state can be gone back to, every state is worth a snapshot.
        StrategyName::Auto => Interesting::NewState,
        _ => args.policies.interesting,
    }
}

/// A move and its reason, on one line.
pub fn explain(next: &Move, why: &str) -> String {
    let what = match next {
        Move::Do(event) => event.to_string(),
        Move::Restart => "restart".into(),
        Move::Return(state) => format!("return to {state}"),
    };
    if why.is_empty() { what } else { format!("{what} ({why})") }
}

/// The event sequences of all traces that were named.
fn seeds(names: &[String]) -> Result<Vec<Vec<Event>>, Failure> {
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
