//! `limitations/ID/`: a host limitation and the first trace that met it.

use super::{RunError, TRACE, read_json, write_json, write_whole};
use crate::format::trace::{Header, write_header, write_trace};
use crate::hash::StableHasher;
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

pub const LIMITATIONS: &str = "limitations";

const FILE: &str = "limitation.json";

/// The content of `limitation.json`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptLimitation {
    /// The sentence that names what is missing.
    pub what: String,
    /// The length of the trace beside it.
    pub events: u64,
}

/// Returns the folder of a host limitation in a run.
pub fn limitation_folder(run: &Path, what: &str) -> PathBuf {
    let mut hasher = StableHasher::new("limitation");
    hasher.str(what);
    run.join(LIMITATIONS).join(format!("{:016x}", hasher.finish()))
}

/// Writes a host limitation with the trace that met it.
pub fn keep_limitation(
    run: &Path,
    what: &str,
    header: &Header,
    trace: &Trace,
) -> Result<(), RunError> {
    let dir = limitation_folder(run, what);
    fs::create_dir_all(&dir).map_err(RunError::io(&dir))?;
    let mut bytes = Vec::new();
    write_header(&mut bytes, header)
        .and_then(|()| write_trace(&mut bytes, trace))
        .map_err(RunError::io(&dir))?;
    write_whole(&dir.join(TRACE), &bytes)?;
    let events = trace.steps.len() as u64;
    write_json(&dir.join(FILE), &KeptLimitation { what: what.to_string(), events })
}

/// Reads the host limitations of a run that were kept, by name. A folder that was cut short is left
/// out.
pub fn read_limitations(run: &Path) -> Vec<KeptLimitation> {
    let folders = fs::read_dir(run.join(LIMITATIONS)).into_iter().flatten().flatten();
    let read = |folder: fs::DirEntry| {
        read_json::<KeptLimitation>(&folder.path().join(FILE), "a host limitation").ok()
    };
    let mut found: Vec<KeptLimitation> = folders.filter_map(read).collect();
    found.sort();
    found
}
