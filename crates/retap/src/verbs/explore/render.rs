//! Renders the summary of an exploration for the terminal.

use retap_model::format::run::{CrashSummary, FindingSummary, Summary};
use std::fmt::Write;
use std::path::Path;

pub fn render(summary: &Summary, run: &Path) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut text, summary, run);
    text
}

fn write_summary(text: &mut String, summary: &Summary, run: &Path) -> std::fmt::Result {
    write_counts(text, summary)?;
    match summary.crashes.len() {
        0 => writeln!(text, "No crashes.")?,
        1 => writeln!(text, "1 crash:")?,
        n => writeln!(text, "{n} different crashes:")?,
    }
    summary.crashes.iter().try_for_each(|crash| write_crash(text, crash, run))?;
    match summary.findings.len() {
        0 => {}
        1 => writeln!(text, "1 other finding:")?,
        n => writeln!(text, "{n} other findings:")?,
    }
    summary.findings.iter().try_for_each(|finding| write_finding(text, finding, run))?;
    writeln!(text, "Everything is in {}", run.display())
}

fn write_counts(text: &mut String, summary: &Summary) -> std::fmt::Result {
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
            "  {} verified returns to earlier states, {} that ended elsewhere; returns ran {} of the events",
            summary.returns, summary.returns_failed, summary.return_events
        )?;
    }
    for (kind, count) in &summary.coverage {
        let percent = count.percent();
        writeln!(text, "  {kind} coverage {percent:.1}% ({} of {})", count.covered, count.total)?;
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
    Ok(())
}

fn write_crash(text: &mut String, crash: &CrashSummary, run: &Path) -> std::fmt::Result {
    writeln!(text, "  {} {}", crash.id, crash.exception)?;
    if !crash.message.is_empty() {
        writeln!(text, "    {}", crash.message)?;
    }
    if !crash.place.is_empty() {
        writeln!(text, "    at {}", crash.place)?;
    }
    write_steps(text, &crash.steps)?;
    let trace = run.join(crash.minimized.as_ref().unwrap_or(&crash.trace));
    let rate = rate(crash.success_rate);
    let (seen, events) = (crash.seen, crash.events);
    writeln!(text, "    seen {seen}×, {events} events{rate}: {}", trace.display())
}

fn write_finding(text: &mut String, finding: &FindingSummary, run: &Path) -> std::fmt::Result {
    writeln!(text, "  {} {}: {}", finding.id, finding.oracle, finding.message)?;
    if !finding.activity.is_empty() {
        writeln!(text, "    in {}", finding.activity)?;
    }
    write_steps(text, &finding.steps)?;
    let trace = run.join(finding.minimized.as_ref().unwrap_or(&finding.trace));
    let rate = rate(finding.success_rate);
    writeln!(text, "    {} events{rate}: {}", finding.events, trace.display())
}

fn write_steps(text: &mut String, steps: &[String]) -> std::fmt::Result {
    for (number, step) in steps.iter().enumerate() {
        writeln!(text, "      {}. {step}", number + 1)?;
    }
    Ok(())
}

fn rate(success_rate: Option<f64>) -> String {
    success_rate
        .map_or_else(String::new, |rate| format!(", reproduces in {:.0}% of runs", rate * 100.0))
}
