//! The trace from the last clean install to where the app is, and files of it.

use super::DriveSession;
use retap_engine::{Failure, trace_file};
use retap_model::Trace;
use retap_model::format::run::{RunError, write_whole};
use serde::Serialize;
use std::path::PathBuf;

/// The folder of saved traces in a run.
const FOLDER: &str = "traces";

/// A trace that was saved.
#[derive(Debug, Clone, Serialize)]
pub struct SavedTrace {
    pub file: PathBuf,
    pub events: usize,
    pub steps: Vec<String>,
}

impl DriveSession<'_, '_> {
    /// Returns the trace from the last clean install on.
    pub fn trace(&self) -> Option<Trace> {
        let mut trace = self.exploration.trace()?.clone();
        let results = trace.steps.iter_mut().map(|step| &mut step.result);
        for result in std::iter::once(&mut trace.start).chain(results) {
            // A file by itself has no coverage beside it.
            result.coverage = None;
        }
        Some(trace)
    }

    /// Returns the events since the last clean install as sentences.
    pub fn steps(&self) -> Vec<String> {
        let events = self.exploration.trace().into_iter().flat_map(Trace::events);
        events.map(ToString::to_string).collect()
    }

    /// Saves the trace so far in the run directory, under a new name.
    pub fn save_trace(&mut self, name: &str) -> Result<SavedTrace, Failure> {
        let trace = self.trace().ok_or_else(|| Failure::input("there is no trace to save yet"))?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name: String =
            name.chars().take(60).map(|c| if is_plain(c) { c } else { '-' }).collect();
        let name = if name.is_empty() { "trace".to_string() } else { name };
        let folder = self.run.join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(RunError::io(&folder))?;
        let file = |number: u32| match number {
            1 => folder.join(format!("{name}.jsonl")),
            _ => folder.join(format!("{name}-{number}.jsonl")),
        };
        let file = (1..).map(file).find(|file| !file.exists()).unwrap_or_else(|| file(1));
        let header = self.exploration.info().trace_header();
        write_whole(&file, &trace_file::to_bytes(&header, &trace)?)?;
        Ok(SavedTrace { file, events: trace.steps.len(), steps: self.steps() })
    }

    /// Lists the traces that were saved in this run.
    pub fn saved_traces(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.run.join(FOLDER)).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
            .collect();
        files.sort();
        files
    }
}
