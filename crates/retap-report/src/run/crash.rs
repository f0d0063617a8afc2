//! The crashes of a run, with everything that `crashes/ID/` and the summary know of them.

use super::KnownStates;
use super::described_step::DescribedStep;
use super::trace_folder::{TraceFolder, describe_damage};
use retap_model::crash::{LineOrigin, StackLine};
use retap_model::format::run::{CrashSummary, RunInfo, crash_folder, read_crash};
use retap_model::{Confidence, Crash, CrashId, Rate};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of steps that are shown of a trace that is not minimised: its last ones.
pub const MAX_RECORDED_STEPS: usize = 25;

/// A crash as a report shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedCrash {
    pub id: CrashId,
    pub exception: String,
    pub message: String,
    /// The stack frame of the app that is nearest to the throw.
    pub frame: String,
    pub stack: String,
    /// The lines of the stack, each with the code that it names.
    pub lines: Vec<(String, LineOrigin)>,
    /// False if the stack has no frame of the app or its libraries.
    pub has_own_code: bool,
    /// Reasons why the crash may not be the app's own.
    pub doubts: Vec<String>,
    /// The number of times that the crash occurred, if the summary says so.
    pub occurrences: Option<u64>,
    /// The length of the shortest recorded trace.
    pub events_recorded: Option<u64>,
    pub events_minimized: Option<u64>,
    pub success: Option<Rate>,
    pub oracle_calls: Option<u64>,
    /// A bug report in Markdown; empty if no trace was kept.
    pub markdown: String,
    /// The steps of the best trace, or its last ones if there are many.
    pub steps: Vec<DescribedStep>,
    /// The path of the best trace.
    pub trace: PathBuf,
    /// The folder of the crash in its run.
    pub folder: PathBuf,
    /// The numbers of the joined runs that met it, from 0.
    pub runs: Vec<usize>,
    /// The screenshot before the last event.
    pub screenshot: PathBuf,
}

impl ReportedCrash {
    /// Orders crashes: those in the app's own code first, then those with the fewest events.
    pub fn rank(&self) -> (bool, u64, CrashId) {
        let events = self.events_minimized.or(self.events_recorded).unwrap_or(u64::MAX);
        (!self.has_own_code, events, self.id)
    }

    pub fn confidence(&self) -> Confidence {
        if self.doubts.is_empty() { Confidence::High } else { Confidence::Low }
    }
}

/// Reads every crash that the summary or a folder names. A run that was killed has folders but no summary.
pub fn read_crashes(
    run: &Path,
    info: &RunInfo,
    summaries: &[CrashSummary],
    states: &KnownStates,
    damage: &mut Vec<String>,
) -> Vec<ReportedCrash> {
    let folders = fs::read_dir(run.join("crashes")).into_iter().flatten().flatten();
    let named = folders.filter_map(|entry| entry.file_name().to_str()?.parse::<CrashId>().ok());
    let ids: BTreeSet<CrashId> = named.chain(summaries.iter().map(|crash| crash.id)).collect();
    let mut crashes: Vec<ReportedCrash> = ids
        .into_iter()
        .map(|id| {
            let folder = TraceFolder::read(&crash_folder(run, id), damage);
            let summary = summaries.iter().find(|crash| crash.id == id);
            let crash =
                read_crash(run, id).map_err(|error| damage.extend(describe_damage(&error))).ok();
            describe_crash(info, id, crash, summary, &folder, states)
        })
        .collect();
    crashes.sort_by_key(ReportedCrash::rank);
    crashes
}

fn describe_crash(
    info: &RunInfo,
    id: CrashId,
    crash: Option<Crash>,
    summary: Option<&CrashSummary>,
    folder: &TraceFolder,
    states: &KnownStates,
) -> ReportedCrash {
    let package = &info.app.package;
    let limit = if folder.events_minimized().is_some() { usize::MAX } else { MAX_RECORDED_STEPS };
    let summarized =
        |field: fn(&CrashSummary) -> &str| summary.map(|crash| field(crash).to_string());
    ReportedCrash {
        id,
        exception: crash
            .as_ref()
            .map(|crash| crash.innermost_class().to_string())
            .or_else(|| summarized(|crash| &crash.exception))
            .unwrap_or_default(),
        message: crash
            .as_ref()
            .map(|crash| crash.message().to_string())
            .or_else(|| summarized(|crash| &crash.message))
            .unwrap_or_default(),
        frame: crash
            .as_ref()
            .and_then(|crash| crash.place(package))
            .or_else(|| summarized(|crash| &crash.place))
            .unwrap_or_default(),
        has_own_code: match &crash {
            Some(crash) => crash.has_own_code(package),
            None => summary.is_none_or(|crash| crash.own_code),
        },
        doubts: match &crash {
            Some(crash) => crash.doubts.clone(),
            None => summary.map_or_else(Vec::new, |crash| crash.doubts.clone()),
        },
        lines: crash.as_ref().map_or_else(Vec::new, |crash| {
            let line = |line: StackLine<'_>| (line.text.to_string(), line.origin);
            crash.lines(package).map(line).collect()
        }),
        markdown: folder.write_markdown(info, crash.as_ref().map(|crash| crash.stack.as_str())),
        stack: crash.map_or_else(String::new, |crash| crash.stack),
        occurrences: summary.map(|crash| crash.seen),
        events_recorded: folder.events_recorded(),
        events_minimized: folder.events_minimized(),
        success: folder.success(),
        oracle_calls: folder.oracle_calls(),
        steps: folder.describe_best(states, limit),
        trace: folder.best_path(),
        folder: folder.path().to_path_buf(),
        runs: vec![0],
        screenshot: folder.screenshot_path(),
    }
}
