//! `findings/ID/`: a finding and the shortest known trace that shows it.

use super::{RunError, TRACE, read_json, write_json, write_whole};
use crate::finding::{Finding, FindingId};
use crate::format::trace::{Header, write_header, write_trace};
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

pub const FINDINGS: &str = "findings";

/// The content of `finding.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptFinding {
    pub finding: Finding,
    /// The length of the trace beside it.
    pub events: u64,
    /// The reason why it is not reported: it did not show again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dismissed: Option<String>,
}

/// Returns the folder of a finding in a run.
pub fn finding_folder(run: &Path, id: FindingId) -> PathBuf {
    run.join(FINDINGS).join(id.to_string())
}

/// Writes a finding with a trace that shows it, and replaces an earlier one.
pub fn keep_finding(
    run: &Path,
    finding: &Finding,
    header: &Header,
    trace: &Trace,
) -> Result<(), RunError> {
    let dir = finding_folder(run, finding.id());
    fs::create_dir_all(&dir).map_err(RunError::io(&dir))?;
    let mut bytes = Vec::new();
    write_header(&mut bytes, header)
        .and_then(|()| write_trace(&mut bytes, trace))
        .map_err(RunError::io(&dir))?;
    write_whole(&dir.join(TRACE), &bytes)?;
    let events = trace.steps.len() as u64;
    write_finding(run, &KeptFinding { finding: finding.clone(), events, dismissed: None })
}

/// Writes `finding.json` and leaves the trace as it is.
pub fn write_finding(run: &Path, kept: &KeptFinding) -> Result<(), RunError> {
    write_json(&finding_folder(run, kept.finding.id()).join("finding.json"), kept)
}

/// The findings of a run.
#[derive(Debug, Clone, Default)]
pub struct FoundFindings {
    /// By kind and activity.
    pub kept: Vec<KeptFinding>,
    /// A sentence for each finding that could not be read.
    pub remarks: Vec<String>,
}

/// Reads all findings of a run. A folder without `finding.json` was cut short and is left out.
pub fn read_findings(run: &Path) -> FoundFindings {
    let folders = fs::read_dir(run.join(FINDINGS)).into_iter().flatten().flatten();
    let files = folders.map(|folder| folder.path().join("finding.json"));
    let mut found = FoundFindings::default();
    for file in files.filter(|file| file.exists()) {
        match read_json::<KeptFinding>(&file, "a finding") {
            Ok(kept) => found.kept.push(kept),
            Err(error) => found.remarks.push(error.to_string()),
        }
    }
    found.kept.sort_by(|a, b| a.finding.cmp(&b.finding));
    found.remarks.sort();
    found
}
