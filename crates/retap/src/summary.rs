//! From what was found to the summary that every verb prints and keeps.

use crate::verbs::explore::evidence::read_brief;
use retap_explore::Findings;
use retap_model::format::run::{
    CrashSummary, Ended, FINDINGS, FindingSummary, KeptFinding, RunInfo, Summary, crash_folder,
    finding_folder, read_crash, read_findings,
};
use retap_model::{App, Cost};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

pub struct Account<'a> {
    pub run: &'a Path,
    pub info: &'a RunInfo,
    pub app: &'a App,
    pub findings: &'a Findings,
    pub cost: Cost,
    pub ended: Ended,
    pub time: Duration,
}

pub fn summarize(account: &Account<'_>) -> Summary {
    let Account { info, app, findings, .. } = account;
    let seconds = account.time.as_secs_f64();
    Summary {
        verb: info.verb.clone(),
        app: info.app.package.clone(),
        seed: info.seed,
        world_seed: info.world_seed,
        ended: account.ended,
        events: findings.events,
        restarts: findings.starts,
        returns: findings.returns - findings.failed_returns,
        returns_failed: findings.failed_returns,
        return_events: findings.return_events,
        states: findings.states.len() as u64,
        activities: findings.activities.len() as u64,
        coverage: app.units.count(&findings.coverage),
        libraries: app.libraries.clone(),
        crashes: crashes(account),
        findings: other_findings(account.run),
        host_limitations: findings.host_limitations.clone(),
        cost: account.cost,
        seconds: (seconds * 1000.0).round() / 1000.0,
        events_per_second: (account.cost.events as f64 / seconds.max(0.001)).round(),
        digest: format!("{:016x}", findings.digest),
    }
}

fn crashes(account: &Account<'_>) -> Vec<CrashSummary> {
    let package = &account.info.app.package;
    let of = |(id, finding): (&retap_model::CrashId, &retap_explore::CrashFinding)| {
        let crash = read_crash(account.run, *id).ok();
        let brief = read_brief(&crash_folder(account.run, *id));
        CrashSummary {
            id: *id,
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
    };
    let mut crashes: Vec<CrashSummary> = account.findings.crashes.iter().map(of).collect();
    crashes.sort_by_key(|crash| (crash.events, crash.id));
    crashes
}

/// Those that were not dismissed.
fn other_findings(run: &Path) -> Vec<FindingSummary> {
    let of = |KeptFinding { finding, events, .. }: KeptFinding| {
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
    read_findings(run).into_iter().filter(|kept| kept.dismissed.is_none()).map(of).collect()
}

/// The summary for people.
pub fn render(summary: &Summary, run: &Path) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut text, summary, run);
    text
}

fn write_summary(text: &mut String, summary: &Summary, run: &Path) -> std::fmt::Result {
    writeln!(
        text,
        "{} events in {:.1} s ({:.0} a second), {} restarts, {} states, {} activities",
        summary.events,
        summary.seconds,
        summary.events_per_second,
        summary.restarts,
        summary.states,
        summary.activities
    )?;
    if summary.returns + summary.returns_failed > 0 {
        writeln!(
            text,
            "  {} returns to earlier states, each verified; {} result elsewhere; {} of the events were ways back",
            summary.returns, summary.returns_failed, summary.return_events
        )?;
    }
    for (kind, count) in &summary.coverage {
        writeln!(
            text,
            "  {kind} coverage {:.1}% ({} of {})",
            count.percent(),
            count.covered,
            count.total
        )?;
    }
    if let Some(why) = summary.no_coverage() {
        writeln!(text, "  NO COVERAGE: {why}")?;
    }
    if !summary.libraries.is_empty() {
        let list = summary.libraries.iter().map(|(name, classes)| format!("{name} ({classes})"));
        let list = list.collect::<Vec<_>>().join(", ");
        writeln!(text, "  libraries, whose classes do not count: {list}")?;
    }
    for (limitation, count) in &summary.host_limitations {
        writeln!(text, "  host limitation ({count}×): {limitation}")?;
    }
    match summary.crashes.len() {
        0 => writeln!(text, "No crash.")?,
        1 => writeln!(text, "1 crash:")?,
        n => writeln!(text, "{n} different crashes:")?,
    }
    for crash in &summary.crashes {
        writeln!(text, "  {} {}", crash.id, crash.exception)?;
        if !crash.message.is_empty() {
            writeln!(text, "    {}", crash.message)?;
        }
        if !crash.place.is_empty() {
            writeln!(text, "    at {}", crash.place)?;
        }
        for (number, step) in crash.steps.iter().enumerate() {
            writeln!(text, "      {}. {step}", number + 1)?;
        }
        let trace = run.join(crash.minimized.as_ref().unwrap_or(&crash.trace));
        let rate = crash
            .success_rate
            .map_or_else(String::new, |rate| format!(", works in {:.0}% of worlds", rate * 100.0));
        writeln!(
            text,
            "    seen {}×, {} events{rate}: {}",
            crash.seen,
            crash.events,
            trace.display()
        )?;
    }
    write_findings(text, &summary.findings, run)?;
    writeln!(text, "Everything is in {}", run.display())
}

fn write_findings(text: &mut String, findings: &[FindingSummary], run: &Path) -> std::fmt::Result {
    match findings.len() {
        0 => return Ok(()),
        1 => writeln!(text, "1 other finding:")?,
        n => writeln!(text, "{n} other findings:")?,
    }
    for found in findings {
        writeln!(text, "  {} {}: {}", found.id, found.oracle, found.message)?;
        if !found.activity.is_empty() {
            writeln!(text, "    in {}", found.activity)?;
        }
        for (number, step) in found.steps.iter().enumerate() {
            writeln!(text, "      {}. {step}", number + 1)?;
        }
        let trace = run.join(found.minimized.as_ref().unwrap_or(&found.trace));
        let rate = found
            .success_rate
            .map_or_else(String::new, |rate| format!(", shows in {:.0}% of worlds", rate * 100.0));
        writeln!(text, "    {} events{rate}: {}", found.events, trace.display())?;
    }
    Ok(())
}
