//! Builds the summary of an exploration: the content of `result.json`.

use super::evidence::read_record;
use retap_explore::{CrashTotals, ExplorationTotals};
use retap_model::format::run::{
    CrashSummary, EndReason, FINDINGS, FindingSummary, KeptFinding, KeptLimitation,
    LimitationSummary, RunInfo, Summary, crash_folder, finding_folder, limitation_folder,
    read_crash, read_findings, read_limitations,
};
use retap_model::hash::digest_to_hex;
use retap_model::{App, CostLedger, Crash, CrashId};
use std::path::Path;
use std::time::Duration;

/// Everything that a summary is computed from.
#[derive(Debug, Clone, Copy)]
pub struct SummaryInput<'a> {
    pub run: &'a Path,
    pub info: &'a RunInfo,
    pub app: &'a App,
    pub totals: &'a ExplorationTotals,
    pub costs: &'a CostLedger,
    pub ended: EndReason,
    pub time: Duration,
}

pub fn summarize(input: &SummaryInput<'_>) -> Summary {
    let SummaryInput { info, app, totals: explored, .. } = input;
    let seconds = input.time.as_secs_f64();
    let cost = input.costs.total();
    Summary {
        verb: info.verb.clone(),
        app: info.app.package.clone(),
        seed: info.seed,
        world_seed: info.world_seed,
        ended: input.ended,
        events: explored.events,
        restarts: explored.starts,
        returns: explored.returns - explored.failed_returns,
        returns_failed: explored.failed_returns,
        return_events: explored.return_events,
        states: explored.states.len() as u64,
        activities: explored.activities.len() as u64,
        declared_activities: app.activities.clone(),
        coverage: app.units.count(&explored.coverage),
        libraries: app.libraries.clone(),
        crashes: summarize_crashes(input),
        findings: summarize_findings(input.run),
        host_limitations: explored.host_limitations.clone(),
        limitations: summarize_limitations(input),
        cost,
        cost_by_phase: input.costs.by_phase().clone(),
        seconds: (seconds * 1000.0).round() / 1000.0,
        events_per_second: (cost.events as f64 / seconds.max(0.001)).round(),
        digest: digest_to_hex(explored.digest),
    }
}

/// Lists the crashes, those in the app's own code first, then those with the fewest events.
fn summarize_crashes(input: &SummaryInput<'_>) -> Vec<CrashSummary> {
    let crashes = input.totals.crashes.iter();
    let mut crashes: Vec<CrashSummary> =
        crashes.map(|(id, crash)| summarize_crash(input, *id, crash)).collect();
    crashes.sort_by_key(|crash| (!crash.own_code, crash.events, crash.id));
    crashes
}

fn summarize_crash(input: &SummaryInput<'_>, id: CrashId, found: &CrashTotals) -> CrashSummary {
    let crash = read_crash(input.run, id).ok();
    let minimized = read_record(&crash_folder(input.run, id));
    let package = &input.info.app.package;
    CrashSummary {
        id,
        exception: found.exception.clone(),
        message: crash.as_ref().map_or_else(String::new, |crash| crash.message().to_string()),
        own_code: crash.as_ref().is_none_or(|crash| crash.has_own_code(package)),
        confidence: crash.as_ref().map(Crash::confidence).unwrap_or_default(),
        place: crash.as_ref().and_then(|crash| crash.place(package)).unwrap_or_default(),
        doubts: crash.map(|crash| crash.doubts).unwrap_or_default(),
        trace: format!("crashes/{id}/trace.jsonl"),
        minimized: minimized.as_ref().map(|_| format!("crashes/{id}/minimized.jsonl")),
        events: minimized.as_ref().map_or(found.events, |one| one.events),
        seen: found.occurrences,
        success_rate: minimized.as_ref().map(|one| one.success.value()),
        steps: minimized.map_or_else(Vec::new, |one| one.steps),
    }
}

/// Lists the host limitations that have a trace, the most frequent first.
fn summarize_limitations(input: &SummaryInput<'_>) -> Vec<LimitationSummary> {
    let summarize_one = |KeptLimitation { what, events }: KeptLimitation| LimitationSummary {
        seen: input.totals.host_limitations.get(&what).copied().unwrap_or(1),
        trace: limitation_trace(&what),
        events,
        what,
    };
    let kept = read_limitations(input.run).kept.into_iter();
    let mut found: Vec<LimitationSummary> = kept.map(summarize_one).collect();
    found.sort_by(|a, b| b.seen.cmp(&a.seen).then_with(|| a.what.cmp(&b.what)));
    found
}

/// Returns the path of the trace that met a host limitation, relative to the run.
fn limitation_trace(what: &str) -> String {
    limitation_folder(Path::new(""), what).join("trace.jsonl").display().to_string()
}

/// Lists the findings that were not dismissed, the shortest traces first.
fn summarize_findings(run: &Path) -> Vec<FindingSummary> {
    let summarize_one = |KeptFinding { finding, events, .. }: KeptFinding| {
        let id = finding.id();
        let minimized = read_record(&finding_folder(run, id));
        FindingSummary {
            id,
            oracle: finding.kind,
            activity: finding.activity,
            message: finding.message,
            trace: format!("{FINDINGS}/{id}/trace.jsonl"),
            minimized: minimized.as_ref().map(|_| format!("{FINDINGS}/{id}/minimized.jsonl")),
            events: minimized.as_ref().map_or(events, |one| one.events),
            success_rate: minimized.as_ref().map(|one| one.success.value()),
            steps: minimized.map_or_else(Vec::new, |one| one.steps),
        }
    };
    let kept = read_findings(run).kept.into_iter().filter(|kept| kept.dismissed.is_none());
    let mut found: Vec<FindingSummary> = kept.map(summarize_one).collect();
    found.sort_by_key(|finding| (finding.events, finding.id));
    found
}
