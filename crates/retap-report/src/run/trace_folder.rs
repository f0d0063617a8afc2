//! The folder of a crash or finding: its trace, the minimised trace if there is one, and a screenshot.

use super::KnownStates;
use super::described_step::{DescribedStep, describe_last_steps};
use retap_export::{ExportedTrace, ScriptFormat};
use retap_model::format::run::minimize_summary::MinimizedRecord;
use retap_model::format::run::{RunError, RunInfo, TRACE, read_json};
use retap_model::format::trace::TraceReader;
use retap_model::{Rate, Trace};
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

const MINIMIZED_TRACE: &str = "minimized.jsonl";

/// The traces of a crash or finding.
#[derive(Debug)]
pub struct TraceFolder {
    path: PathBuf,
    recorded: Option<Trace>,
    minimized: Option<Trace>,
    result: Option<MinimizedRecord>,
}

impl TraceFolder {
    /// Reads a folder and names its damaged files.
    pub fn read(path: &Path, damage: &mut Vec<String>) -> Self {
        let result = path.join(MinimizedRecord::FILE);
        let result = result.exists().then(|| read_json(&result, "the result of a minimisation"));
        Self {
            path: path.to_path_buf(),
            recorded: read_first_trace(&path.join(TRACE), damage),
            minimized: read_first_trace(&path.join(MINIMIZED_TRACE), damage),
            result: result.and_then(|r| r.map_err(|e| damage.push(e.to_string())).ok()),
        }
    }

    /// Returns the number of events in the recorded trace.
    pub fn events_recorded(&self) -> Option<u64> {
        self.recorded.as_ref().map(|trace| trace.steps.len() as u64)
    }

    /// Returns the number of events in the minimised trace.
    pub fn events_minimized(&self) -> Option<u64> {
        self.minimized.as_ref().map(|trace| trace.steps.len() as u64)
    }

    /// Returns the success rate of the minimised trace, if it was measured.
    pub fn success(&self) -> Option<Rate> {
        self.result.as_ref().map(|result| result.success).filter(|rate| rate.runs > 0)
    }

    /// Returns the number of oracle calls that the minimisation took.
    pub fn oracle_calls(&self) -> Option<u64> {
        self.result.as_ref().map(|result| result.oracle_calls)
    }

    /// Describes the best trace. Shows at most `limit` steps of it.
    pub fn describe_best(&self, states: &KnownStates, limit: usize) -> Vec<DescribedStep> {
        self.best().map_or_else(Vec::new, |trace| describe_last_steps(trace, states, limit))
    }

    /// Writes a bug report of the best trace, or an empty text if there is no trace.
    pub fn write_markdown(&self, info: &RunInfo, stack: Option<&str>) -> String {
        let Some(trace) = self.best() else { return String::new() };
        let exported = ExportedTrace {
            app: &info.app,
            api: info.api,
            display: info.display,
            entry: None,
            trace,
            stack,
            name: &self.path.display().to_string(),
            picture: None,
        };
        retap_export::write(ScriptFormat::Markdown, &exported).text
    }

    fn best(&self) -> Option<&Trace> {
        self.minimized.as_ref().or(self.recorded.as_ref())
    }

    /// Returns the path of the best trace.
    pub fn best_path(&self) -> PathBuf {
        self.path.join(if self.minimized.is_some() { MINIMIZED_TRACE } else { TRACE })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the screenshot before the last event, which need not exist.
    pub fn screenshot_path(&self) -> PathBuf {
        self.path.join("last.png")
    }
}

/// Reads the first trace of a file, if there is such a file and it is not damaged.
pub fn read_first_trace(path: &Path, damage: &mut Vec<String>) -> Option<Trace> {
    let name = path.display().to_string();
    let read = || -> Result<Trace, RunError> {
        let file = File::open(path).map_err(RunError::io(path))?;
        Ok(TraceReader::new(BufReader::new(file), &name)?.nth(1)?)
    };
    read().map_err(|error| damage.extend(describe_damage(&error))).ok()
}

/// Describes the damage of a file. A file that does not exist is none: a killed run wrote fewer files.
pub fn describe_damage(error: &RunError) -> Option<String> {
    let is_missing =
        matches!(error, RunError::Io { source, .. } if source.kind() == ErrorKind::NotFound);
    (!is_missing).then(|| error.to_string())
}
