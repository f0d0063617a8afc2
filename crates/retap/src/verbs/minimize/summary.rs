//! What minimising came to, for `result.json` and for people.

use crate::minimizing::{Minimized, Request};
use retap_device::Lab;
use retap_minimize::statistics::truncated;
use retap_minimize::{Ending, Stop};
use retap_model::format::trace::Header;
use retap_model::{Cost, Rate};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// What `--json` prints and `result.json` keeps.
#[derive(Debug, Serialize)]
pub struct Summary {
    verb: &'static str,
    app: String,
    oracle: String,
    algorithm: String,
    pub ended: &'static str,
    events_before: usize,
    events_after: usize,
    /// Events that were made simpler.
    simplified: usize,
    /// The activity that the answer begins straight at, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    launched_at: Option<String>,
    oracle_calls: u64,
    rounds: u64,
    events_executed: u64,
    events_saved: u64,
    success: Success,
    p1: f64,
    p2: f64,
    /// The answer, in sentences.
    steps: Vec<String>,
    minimized: String,
    /// Size of the best answer over oracle calls, and which algorithm found it.
    trail: Vec<TrailPoint>,
    cost: Cost,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Success {
    #[serde(flatten)]
    rate: Rate,
    value: f64,
    interval: (f64, f64),
}

#[derive(Debug, Serialize)]
struct TrailPoint {
    oracle_calls: u64,
    events: usize,
    algorithm: String,
}

pub fn summarize(
    header: &Header,
    request: &Request<'_>,
    minimized: &Minimized,
    lab: &Lab<'_>,
    answer: &Path,
    started: Instant,
) -> Summary {
    let outcome = &minimized.outcome;
    let cost =
        Cost { oracle_calls: outcome.cost.oracle_calls, rounds: outcome.cost.rounds, ..lab.cost() };
    let trail = outcome.trail.iter().map(|milestone| TrailPoint {
        oracle_calls: milestone.cost.oracle_calls,
        events: milestone.answer.len(),
        algorithm: milestone.by.to_string(),
    });
    let rate = minimized.success;
    Summary {
        verb: "minimize",
        app: header.app.package.clone(),
        oracle: request.judge.oracle.to_string(),
        algorithm: request.options.algorithm.to_string(),
        ended: match outcome.ending {
            Ending::Stopped(Stop::Interrupted) => "interrupted",
            Ending::Stopped(Stop::Budget) => "budget_spent",
            Ending::Finished | Ending::NotReproduced => "complete",
        },
        events_before: request.trace.steps.len(),
        events_after: minimized.trace.steps.len(),
        simplified: minimized.simplified,
        launched_at: minimized.launched_at.clone(),
        oracle_calls: cost.oracle_calls,
        rounds: cost.rounds,
        events_executed: cost.events,
        events_saved: cost.events_saved,
        success: Success { rate, value: rate.value(), interval: rate.interval() },
        p1: truncated(minimized.p1),
        p2: truncated(minimized.p2),
        steps: minimized.trace.events().map(ToString::to_string).collect(),
        minimized: answer.display().to_string(),
        trail: trail.collect(),
        cost,
        seconds: (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
    }
}

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_summary(&mut text, summary);
    text
}

fn write_summary(text: &mut String, summary: &Summary) -> std::fmt::Result {
    writeln!(
        text,
        "{} events → {} for {} ({}; {} oracle calls in {} rounds, {} events run, {} saved)",
        summary.events_before,
        summary.events_after,
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
        "interrupted" => writeln!(text, "Interrupted: --resume -o DIR goes on from here")?,
        _ => writeln!(text, "Works in {} fresh worlds", summary.success.rate)?,
    }
    writeln!(text, "It is in {}", summary.minimized)
}
