//! Renders the summary of an exploration for the terminal.

use crate::console::Paint;
use retap_model::format::run::{CrashSummary, EndReason, FindingSummary, Summary};
use retap_model::printable::printable_line as line;
use retap_model::{Cost, RunPhase};
use std::fmt::Write;
use std::path::Path;

/// A trace of more steps than this is shown by its last ones.
const MAX_STEPS: usize = 40;
const LAST_STEPS: usize = 20;

/// A summary, the run that it is of, and the colours to show it in.
#[derive(Clone, Copy)]
struct Shown<'a> {
    summary: &'a Summary,
    run: &'a Path,
    paint: Paint,
}

pub fn render(summary: &Summary, run: &Path, paint: Paint) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut text, Shown { summary, run, paint });
    text
}

fn write_summary(text: &mut String, shown: Shown<'_>) -> std::fmt::Result {
    let Shown { summary, run, paint } = shown;
    write_counts(text, summary)?;
    let (own, foreign): (Vec<&CrashSummary>, Vec<&CrashSummary>) =
        summary.crashes.iter().partition(|crash| crash.own_code);
    match own.len() {
        0 if foreign.is_empty() => writeln!(text, "{}", paint.good("No crashes."))?,
        0 => {}
        1 => writeln!(text, "{}", paint.bad("1 crash:"))?,
        n => writeln!(text, "{}", paint.bad(&format!("{n} different crashes:")))?,
    }
    own.iter().try_for_each(|crash| write_crash(text, crash, shown))?;
    match foreign.len() {
        0 => {}
        1 => writeln!(text, "1 crash without code of the app in its stack:")?,
        n => writeln!(text, "{n} different crashes without code of the app in their stacks:")?,
    }
    foreign.iter().try_for_each(|crash| write_crash(text, crash, shown))?;
    match summary.findings.len() {
        0 => {}
        1 => writeln!(text, "{}", paint.fair("1 other finding:"))?,
        n => writeln!(text, "{}", paint.fair(&format!("{n} other findings:")))?,
    }
    summary.findings.iter().try_for_each(|finding| write_finding(text, finding, run))?;
    match summary.ended {
        EndReason::OutputFailed => writeln!(text, "Not everything is in {}", run.display()),
        _ => writeln!(text, "Everything is in {}", run.display()),
    }?;
    write_next(text, shown)
}

/// Names the report, and the command that one most likely wants next.
fn write_next(text: &mut String, Shown { summary, run, paint }: Shown<'_>) -> std::fmt::Result {
    writeln!(text, "Report: {}", paint.bold(&run.join("report.html").display().to_string()))?;
    let run = run.display();
    let next = match summary.crashes.first() {
        _ if summary.ended == EndReason::Interrupted => format!("retap explore --resume -o {run}"),
        Some(crash) => format!("retap export {run}/crashes/{} --to adb", crash.id),
        None => format!("retap serve {run} --open"),
    };
    writeln!(text, "Next: {}", paint.bold(&next))
}

fn write_counts(text: &mut String, summary: &Summary) -> std::fmt::Result {
    writeln!(
        text,
        "{} in {:.1} s ({:.0} a second), {}, {}, {}",
        count(summary.events, "event"),
        summary.seconds,
        summary.events_per_second,
        count(summary.restarts, "restart"),
        count(summary.states, "state"),
        if summary.activities == 1 {
            "1 activity".to_string()
        } else {
            format!("{} activities", summary.activities)
        }
    )?;
    if summary.returns + summary.returns_failed > 0 {
        writeln!(
            text,
            "  {} verified returns to earlier states, {} that ended elsewhere; returns ran {} of the events",
            summary.returns, summary.returns_failed, summary.return_events
        )?;
    }
    if !summary.cost_by_phase.is_empty() {
        let phases: Vec<String> = summary.cost_by_phase.iter().map(describe_phase).collect();
        writeln!(text, "  cost: {}", phases.join("; "))?;
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
    let met: u64 = summary.host_limitations.values().sum();
    if met > 0 {
        let times = count(met, "time");
        writeln!(text, "  the device lacked something {times} (host limitations):")?;
    }
    for (limitation, count) in &summary.host_limitations {
        writeln!(text, "    {count}× {}", line(limitation))?;
    }
    Ok(())
}

/// Describes what a phase cost: `minimize 120 events, 14 restarts`.
fn describe_phase((phase, cost): (&RunPhase, &Cost)) -> String {
    let parts = [
        (cost.events, "event"),
        (cost.restarts, "restart"),
        (cost.restores, "restore"),
        (cost.screenshots, "screenshot"),
    ];
    let counts = parts.iter().filter(|(number, _)| *number > 0);
    let counts: Vec<String> = counts.map(|(number, noun)| count(*number, noun)).collect();
    if counts.is_empty() {
        format!("{phase} nothing")
    } else {
        format!("{phase} {}", counts.join(", "))
    }
}

fn write_crash(
    text: &mut String,
    crash: &CrashSummary,
    Shown { run, paint, .. }: Shown<'_>,
) -> std::fmt::Result {
    writeln!(
        text,
        "  {} {}",
        paint.dim(&crash.id.to_string()),
        paint.bad(&line(&crash.exception))
    )?;
    if !crash.message.is_empty() {
        writeln!(text, "    {}", line(&crash.message))?;
    }
    if !crash.place.is_empty() {
        writeln!(text, "    at {}", paint.bold(&line(&crash.place)))?;
    }
    for doubt in &crash.doubts {
        writeln!(text, "    low confidence: {}", line(doubt))?;
    }
    write_steps(text, &crash.steps)?;
    let trace = run.join(crash.minimized.as_ref().unwrap_or(&crash.trace));
    let rate = rate(crash.success_rate);
    let (seen, events) = (crash.seen, count(crash.events, "event"));
    writeln!(text, "    seen {seen}×, {events}{rate}: {}", trace.display())
}

fn write_finding(text: &mut String, finding: &FindingSummary, run: &Path) -> std::fmt::Result {
    writeln!(text, "  {} {}: {}", finding.id, finding.oracle, line(&finding.message))?;
    if !finding.activity.is_empty() {
        writeln!(text, "    in {}", line(&finding.activity))?;
    }
    write_steps(text, &finding.steps)?;
    let trace = run.join(finding.minimized.as_ref().unwrap_or(&finding.trace));
    let rate = rate(finding.success_rate);
    writeln!(text, "    {}{rate}: {}", count(finding.events, "event"), trace.display())
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Writes the steps. Of a trace that stayed long only the end is shown: the rest is in its file.
fn write_steps(text: &mut String, steps: &[String]) -> std::fmt::Result {
    let left_out = if steps.len() > MAX_STEPS { steps.len() - LAST_STEPS } else { 0 };
    if left_out > 0 {
        writeln!(text, "      … {left_out} more before these")?;
    }
    for (step, number) in steps.iter().zip(1..).skip(left_out) {
        writeln!(text, "      {number}. {}", line(step))?;
    }
    Ok(())
}

fn rate(success_rate: Option<f64>) -> String {
    success_rate
        .map_or_else(String::new, |rate| format!(", reproduces in {:.0}% of runs", rate * 100.0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;

    fn written(steps: usize) -> Vec<String> {
        let steps: Vec<String> = (1..=steps).map(|number| format!("tap {number}")).collect();
        let mut text = String::new();
        write_steps(&mut text, &steps).unwrap();
        text.lines().map(|line| line.trim().to_string()).collect()
    }

    #[test]
    fn a_trace_that_stayed_long_is_shown_by_its_numbered_end() {
        assert_eq!(written(2), ["1. tap 1", "2. tap 2"]);
        assert_eq!(written(MAX_STEPS).len(), MAX_STEPS);
        let long = written(600);
        assert_eq!(long.len(), LAST_STEPS + 1);
        assert_eq!(
            (long[0].as_str(), long[20].as_str()),
            ("… 580 more before these", "600. tap 600")
        );
    }
}
