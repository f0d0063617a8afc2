//! A crash with everything the run knows of it, from `crashes/ID/` and the summary.

use crate::run::States;
use crate::step::{ToldStep, tell};
use retap_model::format::run::{CrashSummary, TRACE, read_crash, read_json};
use retap_model::format::trace::TraceReader;
use retap_model::{CrashId, Rate, Trace};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Of a trace that was not minimised only the end is told.
const MOST_STEPS: usize = 25;

#[derive(Debug, Clone, PartialEq)]
pub struct FoundCrash {
    pub id: CrashId,
    pub exception: String,
    pub message: String,
    /// The app's own frame nearest to the throw.
    pub place: String,
    pub stack: String,
    /// How often it was met, where that is known.
    pub seen: Option<u64>,
    /// Length of the shortest trace that was found, and of the minimised one.
    pub events_found: Option<u64>,
    pub events_minimized: Option<u64>,
    pub success: Option<Rate>,
    pub oracle_calls: Option<u64>,
    /// Of the best trace; the last ones where there are many.
    pub steps: Vec<ToldStep>,
    /// The best trace, relative to the run.
    pub trace: String,
    /// The screen before the last event.
    pub picture: PathBuf,
}

/// `minimized.json` of a crash or finding.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Brief {
    pub success: Rate,
    pub oracle_calls: Option<u64>,
}

/// Every crash that the summary or a folder names: a run that was killed has no summary.
pub fn find_crashes(
    run: &Path,
    package: &str,
    known: &[CrashSummary],
    states: &States,
) -> Vec<FoundCrash> {
    let folders = fs::read_dir(run.join("crashes")).into_iter().flatten().flatten();
    let named = folders.filter_map(|entry| entry.file_name().to_str()?.parse::<CrashId>().ok());
    let ids: BTreeSet<CrashId> = named.chain(known.iter().map(|crash| crash.id)).collect();
    let mut crashes: Vec<FoundCrash> = ids
        .into_iter()
        .map(|id| find(run, package, id, known.iter().find(|crash| crash.id == id), states))
        .collect();
    crashes.sort_by_key(|crash| {
        (crash.events_minimized.or(crash.events_found).unwrap_or(u64::MAX), crash.id)
    });
    crashes
}

fn find(
    run: &Path,
    package: &str,
    id: CrashId,
    known: Option<&CrashSummary>,
    states: &States,
) -> FoundCrash {
    let folder = run.join("crashes").join(id.to_string());
    let crash = read_crash(run, id).ok();
    let found = read_trace(&folder.join(TRACE));
    let minimized = read_trace(&folder.join("minimized.jsonl"));
    let brief: Option<Brief> = read_json(&folder.join("minimized.json"), "a minimised crash").ok();
    let best = minimized.as_ref().or(found.as_ref());
    let most = if minimized.is_some() { usize::MAX } else { MOST_STEPS };
    let length = |trace: &Trace| trace.steps.len() as u64;
    let told = |field: fn(&CrashSummary) -> &str| known.map(|crash| field(crash).to_string());
    FoundCrash {
        id,
        exception: crash
            .as_ref()
            .map(|crash| crash.innermost_class().to_string())
            .or_else(|| told(|crash| &crash.exception))
            .unwrap_or_default(),
        message: crash
            .as_ref()
            .map(|crash| crash.message().to_string())
            .or_else(|| told(|crash| &crash.message))
            .unwrap_or_default(),
        place: crash
            .as_ref()
            .and_then(|crash| crash.place(package))
            .or_else(|| told(|crash| &crash.place))
            .unwrap_or_default(),
        stack: crash.map_or_else(String::new, |crash| crash.stack),
        seen: known.map(|crash| crash.seen),
        events_found: found.as_ref().map(length),
        events_minimized: minimized.as_ref().map(length),
        success: brief.as_ref().map(|brief| brief.success).filter(|rate| rate.runs > 0),
        oracle_calls: brief.and_then(|brief| brief.oracle_calls),
        steps: best.map_or_else(Vec::new, |trace| tell(trace, states, most)),
        trace: format!(
            "crashes/{id}/{}",
            if minimized.is_some() { "minimized.jsonl" } else { TRACE }
        ),
        picture: folder.join("last.png"),
    }
}

/// The first trace of a file, if it can be read.
pub fn read_trace(path: &Path) -> Option<Trace> {
    let file = File::open(path).ok()?;
    TraceReader::new(BufReader::new(file), &path.display().to_string()).ok()?.nth(1).ok()
}
