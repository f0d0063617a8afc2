//! The run directory: everything that a verb finds, written while it runs. The files are consistent
//! at any moment, because everything that a line refers to is written before the line.
//!
//! ```text
//! run.json         arguments, app, device and world
//! trace.jsonl      every start and step, in order
//! states.jsonl     each state at its first visit
//! screens/ab/….json  each distinct screen once, by content
//! travel.jsonl     snapshots, returns and their reasons
//! coverage.jsonl   each distinct coverage set once, by content
//! units.jsonl      the names of the code units
//! tests.jsonl      each test of `retap test`, as it ends
//! crashes/ID/      stack.txt, trace.jsonl, last.png …
//! findings/ID/     finding.json, trace.jsonl, last.png …
//! result.json      the summary; debug.log; report.html …
//! ```

mod appender;
mod coverage;
mod crashes;
mod findings;
mod info;
mod limitations;
mod lock;
pub mod minimize_summary;
mod reader;
mod recorder;
mod resume;
mod summary;
mod test_rows;
mod travel;
pub mod update_summary;

pub use coverage::{read_coverage, read_units, write_coverage};
pub use crashes::{crash_folder, keep_crash, read_crash};
pub use findings::{
    FINDINGS, FoundFindings, KeptFinding, finding_folder, keep_finding, read_findings,
    write_finding,
};
pub use info::RunInfo;
pub use limitations::{
    FoundLimitations, KeptLimitation, LIMITATIONS, keep_limitation, limitation_folder,
    read_limitations,
};
pub use lock::Lock;
pub use reader::{StateRow, read_states};
pub use recorder::Recorder;
pub use resume::{open_growing_trace, visit_entries};
pub use summary::{CrashSummary, EndReason, FindingSummary, LimitationSummary, Summary};
pub use test_rows::{TestRecorder, TestRow, has_tests, read_tests};
pub use travel::{TravelKind, TravelRow};

use super::FormatError;
use crate::printable::printable_json;
use crate::screen::{Screen, ScreenId};
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

pub const TRACE: &str = "trace.jsonl";
pub const STATES: &str = "states.jsonl";
pub const COVERAGE: &str = "coverage.jsonl";
pub const UNITS: &str = "units.jsonl";
pub const INFO: &str = "run.json";
/// The tests of a run of `retap test`.
pub const TESTS: &str = "tests.jsonl";
pub const TRAVEL: &str = "travel.jsonl";
pub const RESULT: &str = "result.json";
/// A picture of the app's windows, coloured by what the run covered.
pub const WINDOWS: &str = "windows.svg";

/// The error of a run directory that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{0} is in use by another retap; wait for it or choose another directory with -o")]
    InUse(PathBuf),
    #[error(
        "{0} already holds files; nothing is overwritten: choose another directory with -o, or --resume"
    )]
    Occupied(PathBuf),
    #[error("{0} holds no run to resume (there is no run.json in it)")]
    NoRun(PathBuf),
    #[error(
        "{0} cannot be resumed: the files that its first trace refers to (states, screens, coverage) are gone or damaged; \
         explore again with another -o"
    )]
    Damaged(PathBuf),
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl RunError {
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> RunError + '_ {
        move |source| RunError::Io { path: path.to_path_buf(), source }
    }
}

/// Writes a file whole or not at all: first a file beside it, then a rename.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let write = || {
        let mut file = fs::File::create(&beside)?;
        file.write_all(bytes)?;
        fs::rename(&beside, path)
    };
    write().map_err(RunError::io(path))
}

/// Writes a value as indented JSON, whole or not at all.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), RunError> {
    let text = serde_json::to_string_pretty(value).map_err(|e| RunError::io(path)(e.into()))?;
    write_whole(path, format!("{}\n", printable_json(&text)).as_bytes())
}

/// Reads a value from a JSON file; `what` names it in the error.
pub fn read_json<T: serde::de::DeserializeOwned>(path: &Path, what: &str) -> Result<T, RunError> {
    let text = fs::read_to_string(path).map_err(RunError::io(path))?;
    serde_json::from_str(&text).map_err(|error| {
        let file = path.display().to_string();
        FormatError::malformed(&file, error.line(), what, error.to_string()).into()
    })
}

/// Returns the path of a screen's file in a run.
pub fn screen_path(run: &Path, id: ScreenId) -> PathBuf {
    let name = id.to_string();
    run.join("screens").join(&name[..2]).join(format!("{name}.json"))
}

/// Reads a screen of a run.
pub fn read_screen(run: &Path, id: ScreenId) -> Result<Screen, RunError> {
    read_json(&screen_path(run, id), "a screen")
}
