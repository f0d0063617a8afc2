//! The bench of faults: explorations that are killed, stopped, interrupted, starved of disk or whose files are cut, each
//! compared with the same exploration undisturbed.
//!
//! Every exploration is a process of this very binary, so that a kill is a kill.

mod child;
mod fault;
mod outcome;

pub use fault::DisturbanceKind;
pub use outcome::{FaultEffect, FaultedRun};

use crate::table;
use child::ExploreCommand;
use fault::Disturbance;
use retap_engine::{Context, Failure};
use retap_minimize::simulation::SplitMix64;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run that does not end within this many resumes is lost.
const MAX_RESUMES: u32 = 5;

#[derive(Debug, Clone)]
pub struct FaultBench {
    /// APKs, or `fake:FILE`.
    pub apps: Vec<String>,
    /// Runs per app.
    pub runs: u32,
    pub max_events: u64,
    /// How often a fault strikes one run.
    pub strikes: u32,
    pub seed: u64,
    /// The faults to draw from; all that an app can meet if empty.
    pub kinds: Vec<DisturbanceKind>,
    /// The folder for the run directories; those of lost runs are kept.
    pub folder: PathBuf,
    /// This binary.
    pub program: PathBuf,
}

/// All runs, app by app.
#[derive(Debug, Clone, Default, Serialize)]
pub struct FaultResults {
    pub runs: Vec<FaultedRun>,
}

pub fn run(bench: &FaultBench, context: Context<'_>) -> Result<FaultResults, Failure> {
    let mut results = FaultResults::default();
    let total = bench.apps.len() as u64 * u64::from(bench.runs);
    let progress = context.progress(Some(total));
    for app in &bench.apps {
        let explorer = ExploreCommand::new(&bench.program, app, bench.max_events, bench.seed);
        progress.update(results.runs.len() as u64, format!("{app}: undisturbed"));
        let folder = bench.folder.join(file_name(app));
        std::fs::create_dir_all(&folder).map_err(|error| cannot_write(&folder, &error))?;
        let expected = explorer.explore(&folder.join("undisturbed"), &[])?;
        let Some(digest) = expected.digest.clone() else {
            return Err(Failure::input(format!("{app}: {}", expected.message)));
        };
        let known_kinds = DisturbanceKind::of_app(app);
        let kinds: Vec<DisturbanceKind> =
            known_kinds.iter().copied().filter(|kind| bench.wants(*kind)).collect();
        for number in 0..bench.runs {
            if context.is_interrupted() || kinds.is_empty() {
                break;
            }
            let seed = bench.seed ^ (u64::from(number) << 20);
            let mut random = SplitMix64(seed);
            let times = expected.times.part(bench.strikes);
            let faults: Vec<Disturbance> = (0..bench.strikes)
                .map(|_| Disturbance::draw(&kinds, number, &times, &mut random))
                .collect();
            let dir = folder.join(format!("run-{number}"));
            let run = disturb(&explorer, app, &faults, &dir, &digest)?;
            let fault = &faults[0];
            progress.update(results.runs.len() as u64 + 1, format!("{app}: {fault}"));
            if run.effect == FaultEffect::Lost {
                context.remark(&format!("{app}, run {number}, {fault}: {}", run.message));
            } else {
                // A folder that stays does no harm.
                let _ = std::fs::remove_dir_all(&dir);
            }
            results.runs.push(run);
        }
    }
    Ok(results)
}

impl FaultBench {
    fn wants(&self, kind: DisturbanceKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// Explores with faults of one kind, resumes until the exploration is complete, and compares.
fn disturb(
    explorer: &ExploreCommand<'_>,
    app: &str,
    faults: &[Disturbance],
    dir: &Path,
    digest: &str,
) -> Result<FaultedRun, Failure> {
    // A run survives the loss of its device, so that all losses strike one process.
    let (now, mut later) = if faults[0].kind == DisturbanceKind::KillDevice {
        (faults, &[][..])
    } else {
        faults.split_at(1)
    };
    let fault = &faults[0];
    let mut result = explorer.explore(dir, now)?;
    let mut strikes = result.strikes;
    fault.damage(dir).map_err(|error| cannot_write(dir, &error))?;
    let (mut resumes, mut tries) = (0, 0);
    let mut message = String::new();
    while fault.damages_files() && resumes == 0 || !result.is_complete() && tries < MAX_RESUMES {
        message = result.message.clone();
        resumes += 1;
        let next;
        (next, later) = later.split_at(later.len().min(1));
        // A resume that a fault strikes need not end.
        tries += u32::from(next.is_empty());
        // A run that was killed before it wrote anything begins anew.
        let has_begun = dir.join(retap_model::format::run::INFO).exists();
        result = if has_begun { explorer.resume(dir, next)? } else { explorer.begin_again(dir)? };
        if result.refuses_to_resume() {
            message = result.message.clone();
            result = explorer.begin_again(dir)?;
        }
        strikes += result.strikes;
        next.iter()
            .try_for_each(|fault| fault.damage(dir))
            .map_err(|error| cannot_write(dir, &error))?;
    }
    Ok(FaultedRun::judge(app, fault, strikes, &result, resumes, message, digest))
}

impl FaultResults {
    /// Returns the number of runs that neither ended as undisturbed nor said why.
    pub fn lost(&self) -> usize {
        self.runs.iter().filter(|run| run.effect == FaultEffect::Lost).count()
    }

    pub fn render(&self) -> String {
        let mut rows: BTreeMap<(String, DisturbanceKind), Vec<&FaultedRun>> = BTreeMap::new();
        for run in &self.runs {
            rows.entry((run.app.clone(), run.fault)).or_default().push(run);
        }
        let mut head = vec!["app, fault", "runs", "strikes"];
        head.extend(FaultEffect::ALL.map(FaultEffect::title));
        let mut lines: Vec<Vec<String>> = rows
            .iter()
            .map(|((app, kind), runs)| line(format!("{}, {kind}", file_name(app)), runs))
            .collect();
        lines.push(line("all".into(), &self.runs.iter().collect::<Vec<_>>()));
        table::render(&head, &lines)
    }
}

/// Returns one line of the table.
fn line(name: String, runs: &[&FaultedRun]) -> Vec<String> {
    let count = |counts: &dyn Fn(&FaultedRun) -> bool| {
        runs.iter().filter(|run| counts(run)).count().to_string()
    };
    let effects = FaultEffect::ALL.map(|effect| count(&|run| run.effect == effect));
    let strikes: u32 = runs.iter().map(|run| run.strikes).sum();
    [name, runs.len().to_string(), strikes.to_string()].into_iter().chain(effects).collect()
}

fn file_name(app: &str) -> String {
    let name = Path::new(app).file_name().unwrap_or_default().to_string_lossy();
    name.trim_start_matches("fake:").to_string()
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

/// Returns a random part of a time.
fn part_of(time: Duration, random: &mut SplitMix64) -> Duration {
    time.mul_f64((random.draw() % 1000) as f64 / 1000.0)
}
