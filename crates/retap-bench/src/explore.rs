//! `retap bench explore`: every strategy on every app, several times, at an equal number of events, with statistics.

mod box_plot;
mod cell;
mod comparison;
mod confidence;
mod curve;
mod found_crashes;
mod known_crashes;
mod markdown;
mod matrix;
mod page;
mod shared_crashes;
mod statistics;
mod study;

pub use cell::{Cell, CellBudget, MeasuredCell};
use comparison::Comparison;
use found_crashes::FoundCrash;
use known_crashes::KnownCrashSearch;
use retap_engine::connection::Connection;
use retap_engine::explore::ExploreSettings;
use retap_engine::{Context, DeviceSettings, Failure};
use retap_explore::AutoPart;
use retap_fleet::SharedPool;
use retap_model::format::run::{write_json, write_whole};
use serde::Serialize;
use std::path::PathBuf;
pub use study::{StudyApps, StudyPart, StudyPlan, StudyResults, StudySettings, run as run_study};

/// Turns `auto:without=walk` into the settings of an exploration.
pub type ParseStrategy<'p> = &'p (dyn Fn(&str) -> Result<ExploreSettings, Failure> + Sync);

/// Joins a fleet with an app and its device.
pub type JoinFleet<'p> =
    &'p (dyn Fn(&Connection, &DeviceSettings) -> Result<SharedPool<'static>, Failure> + Sync);

/// What the bench asks the command line for.
#[derive(Clone, Copy)]
pub struct CommandLine<'p> {
    pub parse: ParseStrategy<'p>,
    /// The fleet that explores, if one is named.
    pub join: Option<JoinFleet<'p>>,
}

impl std::fmt::Debug for CommandLine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandLine").field("fleet", &self.join.is_some()).finish_non_exhaustive()
    }
}

/// Returns the flags of `retap explore` that `auto:without=walk` stands for.
pub fn strategy_words(text: &str) -> Vec<String> {
    let (name, flags) = text.split_once(':').unwrap_or((text, ""));
    let flags = flags.split(':').filter(|flag| !flag.is_empty());
    ["--strategy".to_string(), name.into()]
        .into_iter()
        .chain(flags.map(|flag| format!("--{flag}")))
        .collect()
}

#[derive(Debug, Clone)]
pub struct ExploreBench {
    /// APKs, or `fake:FILE`.
    pub apps: Vec<String>,
    /// Strategies, with flags of `retap explore` behind them: `auto:without=walk`.
    pub strategies: Vec<String>,
    /// Compares `auto` with itself, each of its parts switched off in turn.
    pub ablate: bool,
    pub runs: u64,
    pub max_events: u64,
    pub device: DeviceSettings,
    /// Apps to run side by side; on a fleet, cells.
    pub jobs: u16,
    pub output: PathBuf,
    /// A file of crashes that are known bugs.
    pub known: Option<PathBuf>,
    /// Another place for `results.md`.
    pub markdown: Option<PathBuf>,
}

/// All measurements and their comparisons.
#[derive(Debug, Serialize)]
pub struct ExploreResults {
    pub verb: &'static str,
    pub max_events: u64,
    pub runs: u64,
    pub command: String,
    pub measured: Vec<MeasuredCell>,
    pub comparisons: Vec<Comparison>,
    /// Every crash by its identity.
    pub found: Vec<FoundCrash>,
    /// Empty unless a file of known crashes was given.
    pub known: Vec<KnownCrashSearch>,
}

impl ExploreResults {
    pub fn render(&self) -> String {
        markdown::render(self)
    }
}

/// Runs the bench and writes `results.{json,csv,md}` and `report.html` into the output folder.
pub fn run(
    settings: &ExploreBench,
    command_line: CommandLine<'_>,
    context: Context<'_>,
) -> Result<ExploreResults, Failure> {
    let results = measure(settings, command_line, context)?;
    let dir = &settings.output;
    write_json(&dir.join("results.json"), &results)?;
    write_whole(&dir.join("results.csv"), cell::csv(&results.measured).as_bytes())?;
    write_whole(&dir.join("report.html"), page::render(&results).as_bytes())?;
    let text = results.render();
    write_whole(&dir.join("results.md"), text.as_bytes())?;
    if let Some(file) = &settings.markdown {
        write_whole(file, text.as_bytes())?;
    }
    Ok(results)
}

/// Runs what is missing of the bench and compares the strategies.
fn measure(
    settings: &ExploreBench,
    command_line: CommandLine<'_>,
    context: Context<'_>,
) -> Result<ExploreResults, Failure> {
    let settings = &if settings.ablate { ablation(settings) } else { settings.clone() };
    // A file that cannot be read is better noticed before the runs than after them.
    let known = settings.known.as_deref().map_or(Ok(Vec::new()), known_crashes::read)?;
    let measured = matrix::run(settings, command_line, context)?;
    let mut comparisons = comparison::compare(&measured, settings.max_events);
    // An ablation compares the whole strategy with each variant, not the variants with each other.
    comparisons.retain(|comparison| !settings.ablate || comparison.ours == ABLATED_STRATEGY);
    Ok(ExploreResults {
        verb: "bench explore",
        max_events: settings.max_events,
        runs: settings.runs,
        command: matrix::command(settings),
        comparisons,
        found: found_crashes::collect(&measured, &settings.output)?,
        known: known_crashes::search(&known, &measured, &settings.output)?,
        measured,
    })
}

const ABLATED_STRATEGY: &str = "auto";

/// Returns the same bench with the strategy `auto`, whole and without each of its parts.
fn ablation(settings: &ExploreBench) -> ExploreBench {
    let without = AutoPart::ALL.map(|part| format!("{ABLATED_STRATEGY}:without={part}"));
    let strategies = without.into_iter().chain([ABLATED_STRATEGY.to_string()]).collect();
    ExploreBench { strategies, ..settings.clone() }
}
