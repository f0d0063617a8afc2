//! Builds the summary of an exploration: the content of `result.json`.

use super::evidence::read_brief;
use retap_explore::{CrashFinding, Findings};
use retap_model::format::run::{
    CrashSummary, Ended, FINDINGS, FindingSummary, KeptFinding, RunInfo, Summary, crash_folder,
    finding_folder, read_crash, read_findings,
};
use retap_model::{App, Cost, CrashId};
use std::path::Path;
use std::time::Duration;

/// Everything that a summary is computed from.
#[derive(Debug, Clone, Copy)]
pub struct RunTotals<'a> {
    pub run: &'a Path,
    pub info: &'a RunInfo,
    pub app: &'a App,
    pub findings: &'a Findings,
    pub cost: Cost,
    pub ended: Ended,
    pub time: Duration,
}

pub fn summarize(totals: &RunTotals<'_>) -> Summary {
    let RunTotals { info, app, findings, .. } = totals;
    let seconds = totals.time.as_secs_f64();
    Summary {
        verb: info.verb.clone(),
        app: info.app.package.clone(),
        seed: info.seed,
        world_seed: info.world_seed,
        ended: totals.ended,
        events: findings.events,
        restarts: findings.starts,
        returns: findings.returns - findings.failed_returns,
        returns_failed: findings.failed_returns,
        return_events: findings.return_events,
        states: findings.states.len() as u64,
        activities: findings.activities.len() as u64,
        coverage: app.units.count(&findings.coverage),
        libraries: app.libraries.clone(),
        crashes: summarize_crashes(totals),
        findings: summarize_findings(totals.run),
        host_limitations: findings.host_limitations.clone(),
        cost: totals.cost,
        seconds: (seconds * 1000.0).round() / 1000.0,
        events_per_second: (totals.cost.events as f64 / seconds.max(0.001)).round(),
        digest: format!("{:016x}", findings.digest),
    }
}

/// Lists the crashes, those with the fewest events first.
fn summarize_crashes(totals: &RunTotals<'_>) -> Vec<CrashSummary> {
    let found = totals.findings.crashes.iter();
    let mut crashes: Vec<CrashSummary> =
        found.map(|(id, finding)| summarize_crash(totals, *id, finding)).collect();
    crashes.sort_by_key(|crash| (crash.events, crash.id));
    crashes
}

fn summarize_crash(totals: &RunTotals<'_>, id: CrashId, finding: &CrashFinding) -> CrashSummary {
    let crash = read_crash(totals.run, id).ok();
    let brief = read_brief(&crash_folder(totals.run, id));
    let package = &totals.info.app.package;
    CrashSummary {
        id,
        exception: finding.exception.clone(),
        message: crash.as_ref().map_or_else(String::new, |crash| crash.message().to_string()),
        place: crash.and_then(|crash| crash.place(package)).unwrap_or_default(),
        trace: format!("crashes/{id}/trace.jsonl"),
        minimized: brief.as_ref().map(|_| format!("crashes/{id}/minimized.jsonl")),
        events: brief.as_ref().map_or(finding.events, |brief| brief.events),
        seen: finding.seen,
        success_rate: brief.as_ref().map(|brief| brief.success.value()),
        steps: brief.map_or_else(Vec::new, |brief| brief.steps),
    }
}

/// Lists the findings that were not dismissed.
fn summarize_findings(run: &Path) -> Vec<FindingSummary> {
    let summarize_one = |KeptFinding { finding, events, .. }: KeptFinding| {
        let id = finding.id();
        let brief = read_brief(&finding_folder(run, id));
        FindingSummary {
            id,
            oracle: finding.kind,
            activity: finding.activity,
            message: finding.message,
            trace: format!("{FINDINGS}/{id}/trace.jsonl"),
            minimized: brief.as_ref().map(|_| format!("{FINDINGS}/{id}/minimized.jsonl")),
            events: brief.as_ref().map_or(events, |brief| brief.events),
            success_rate: brief.as_ref().map(|brief| brief.success.value()),
            steps: brief.map_or_else(Vec::new, |brief| brief.steps),
        }
    };
    read_findings(run)
        .into_iter()
        .filter(|kept| kept.dismissed.is_none())
        .map(summarize_one)
        .collect()
}
