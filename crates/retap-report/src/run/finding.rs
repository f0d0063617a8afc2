//! The findings of a run, with everything that `findings/ID/` knows of them.

use super::KnownStates;
use super::crash::MAX_RECORDED_STEPS;
use super::described_step::DescribedStep;
use super::trace_folder::TraceFolder;
use retap_model::format::run::{finding_folder, read_findings};
use retap_model::{Finding, FindingId, Rate};
use std::path::{Path, PathBuf};

/// A finding as a report shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedFinding {
    pub id: FindingId,
    pub finding: Finding,
    pub events_recorded: u64,
    pub events_minimized: Option<u64>,
    pub success: Option<Rate>,
    /// The steps of the best trace, or its last ones if there are many.
    pub steps: Vec<DescribedStep>,
    /// The path of the best trace.
    pub trace: PathBuf,
    /// The screenshot before the last event.
    pub screenshot: PathBuf,
}

/// Reads all findings that were not dismissed, the shortest traces first.
pub fn read_reported_findings(
    run: &Path,
    states: &KnownStates,
    damage: &mut Vec<String>,
) -> Vec<ReportedFinding> {
    let found = read_findings(run);
    damage.extend(found.remarks);
    let kept = found.kept.into_iter().filter(|kept| kept.dismissed.is_none());
    let report = kept.map(|kept| {
        let id = kept.finding.id();
        let folder = TraceFolder::read(&finding_folder(run, id), damage);
        ReportedFinding {
            id,
            finding: kept.finding,
            events_recorded: kept.events,
            events_minimized: folder.events_minimized(),
            success: folder.success(),
            steps: folder.describe_best(states, MAX_RECORDED_STEPS),
            trace: folder.best_path(),
            screenshot: folder.screenshot_path(),
        }
    });
    let mut findings: Vec<ReportedFinding> = report.collect();
    findings.sort_by_key(|one| (one.events_minimized.unwrap_or(one.events_recorded), one.id));
    findings
}
