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

/// The host limitations of a run.
#[derive(Debug, Clone, Default)]
pub struct FoundLimitations {
    /// By name.
    pub kept: Vec<KeptLimitation>,
    /// A sentence for each limitation that could not be read.
    pub remarks: Vec<String>,
}

/// Reads the host limitations of a run that were kept. A folder without `limitation.json` was cut
/// short and is left out.
pub fn read_limitations(run: &Path) -> FoundLimitations {
    let folders = fs::read_dir(run.join(LIMITATIONS)).into_iter().flatten().flatten();
    let files = folders.map(|folder| folder.path().join(FILE));
    let mut found = FoundLimitations::default();
    for file in files.filter(|file| file.exists()) {
        match read_json::<KeptLimitation>(&file, "a host limitation") {
            Ok(kept) => found.kept.push(kept),
            Err(error) => found.remarks.push(error.to_string()),
        }
    }
    found.kept.sort();
    found.remarks.sort();
    found
}
