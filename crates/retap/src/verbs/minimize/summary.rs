//! The summary of a minimisation: computed for `result.json` and `--json`, and rendered for the terminal.

use crate::console::Paint;
use retap_device::Lab;
use retap_engine::minimize::{MinimizeRequest, MinimizedTrace};
use retap_minimize::statistics::truncate_probability;
use retap_minimize::{MinimizeEnding, SearchStop};
use retap_model::Cost;
use retap_model::format::run::minimize_summary::{MinimizeEnded, MinimizeSummary, TrailPoint};
use retap_model::format::trace::Header;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

pub fn summarize(
    header: &Header,
    request: &MinimizeRequest<'_>,
    minimized: &MinimizedTrace,
    lab: &Lab<'_>,
    answer: &Path,
    started: Instant,
) -> MinimizeSummary {
    let outcome = &minimized.outcome;
    let cost =
        Cost { oracle_calls: outcome.cost.oracle_calls, rounds: outcome.cost.rounds, ..lab.cost() };
    let trail = outcome.improvements.iter().map(|improvement| TrailPoint {
        oracle_calls: improvement.cost.oracle_calls,
        events: improvement.answer.len() as u64,
        algorithm: improvement.algorithm.to_string(),
    });
    MinimizeSummary {
        verb: MinimizeSummary::VERB.into(),
        app: header.app.package.clone(),
        oracle: request.judge.oracle.to_string(),
        algorithm: request.options.algorithm.to_string(),
        ended: match outcome.ending {
            MinimizeEnding::Stopped(SearchStop::Interrupted) => MinimizeEnded::Interrupted,
            MinimizeEnding::Stopped(SearchStop::Budget) => MinimizeEnded::BudgetSpent,
            MinimizeEnding::Finished | MinimizeEnding::NotReproduced => MinimizeEnded::Complete,
        },
        events_before: request.trace.steps.len() as u64,
        events_after: minimized.trace.steps.len() as u64,
        simplified: minimized.simplified as u64,
        launched_at: minimized.launched_at.clone(),
        oracle_calls: cost.oracle_calls,
        rounds: cost.rounds,
        events_executed: cost.events,
        events_saved: cost.events_saved,
        success: minimized.success.into(),
        p1: truncate_probability(minimized.p1),
        p2: minimized.p2.map(truncate_probability),
        steps: minimized.trace.events().map(ToString::to_string).collect(),
        minimized: answer.display().to_string(),
        trail: trail.collect(),
        cost,
        seconds: (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
    }
}

pub fn render(summary: &MinimizeSummary, report: &Path, paint: Paint) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut text, summary, paint);
    let _ = writeln!(text, "Report: {}", paint.bold(&report.display().to_string()));
    text
}

fn write_summary(text: &mut String, summary: &MinimizeSummary, paint: Paint) -> std::fmt::Result {
    writeln!(
        text,
        "{} for {} ({}; {} oracle calls in {} rounds, {} events run, {} saved)",
        paint.bold(&format!("{} events → {}", summary.events_before, summary.events_after)),
        summary.oracle,
        summary.algorithm,
        summary.oracle_calls,
        summary.rounds,
        summary.events_executed,
        summary.events_saved
    )?;
    for (number, step) in summary.steps.iter().enumerate() {
        writeln!(text, "  {}. {step}", number + 1)?;
    }
    if let Some(activity) = &summary.launched_at {
        writeln!(
            text,
            "It begins straight at {activity}, which a phone allows for exported activities only"
        )?;
    }
    match summary.ended {
        MinimizeEnded::Interrupted => {
            writeln!(text, "Interrupted: --resume -o DIR goes on from here")?;
        }
        _ => {
            let verdict =
                format!("Reproduces in {} runs with fresh world seeds", summary.success.rate());
            writeln!(text, "{}", paint.fair(&verdict))?;
        }
    }
    writeln!(text, "It is in {}", summary.minimized)
}
