//! The top of the page: the app, the end of the run, and the key figures.

use crate::run::RunData;
use crate::text::{capitalize, format_duration, format_percent, group_digits};
use maud::{Markup, html};
use retap_model::format::run::EndReason;
use retap_model::format::run::minimize_summary::{MinimizeEnded, MinimizeSummary};

pub fn render(run: &RunData) -> Markup {
    let info = &run.info;
    let badge = end_badge(run);
    html! {
        header {
            p.verb { "retap " (info.verb) " " span.badge.(badge.class) { (badge.text) } }
            h1 {
                bdi { (info.app.package) }
                @if !info.app.version.is_empty() { " " small { bdi { (info.app.version) } } }
            }
            ul.facts {
                li { "device " b { (info.device) } }
                @if let Some(api) = info.api { li { "API " b { (api) } } }
                li { "display " b { (info.display) } }
                @if !run.is_minimization() { li { "seed " b { (info.seed) } } }
                li { "world seed " b { (info.world_seed) } }
                li { "abstraction " b { (info.abstraction) } }
            }
            @let figures = key_figures(run);
            dl.figures style=(figure_columns(figures.len())) {
                @for KeyFigure { name, value, note } in &figures {
                    div { dt { (name) } dd { (value) @if !note.is_empty() { small { (note) } } } }
                }
            }
        }
    }
}

/// Returns the style that spreads the figures over rows of nearly equal length.
pub fn figure_columns(figures: usize) -> String {
    const MAX_COLUMNS: usize = 7;
    let rows = figures.div_ceil(MAX_COLUMNS).max(1);
    format!("--columns:{}", figures.div_ceil(rows).max(1))
}

/// The end of a run, with the CSS class that colours it.
struct EndBadge {
    class: &'static str,
    text: &'static str,
}

fn end_badge(run: &RunData) -> EndBadge {
    let minimized = run.minimization.as_ref().map(|summary| summary.ended);
    let explored = run.summary.as_ref().map(|summary| summary.ended);
    let (class, text) = match (minimized, explored) {
        (Some(MinimizeEnded::Complete), _) | (_, Some(EndReason::Complete)) => ("good", "complete"),
        (Some(MinimizeEnded::Interrupted), _) | (_, Some(EndReason::Interrupted)) => {
            ("fair", "interrupted")
        }
        (Some(MinimizeEnded::BudgetSpent), _) => ("fair", "budget spent"),
        (_, Some(EndReason::DeviceFailed)) => ("bad", "the device failed"),
        (_, Some(EndReason::OutputFailed)) => ("bad", "the output could not be written"),
        (_, Some(EndReason::HostLimitation)) => ("fair", "ended at a host limitation"),
        (None, None) => ("fair", "no result"),
    };
    EndBadge { class, text }
}

/// A number that sums up a part of the run.
struct KeyFigure {
    name: String,
    value: String,
    /// A short explanation below the value; may be empty.
    note: String,
}

impl KeyFigure {
    fn new(name: &str, value: String) -> Self {
        Self::with_note(name, value, String::new())
    }

    fn with_note(name: &str, value: String, note: String) -> Self {
        Self { name: name.into(), value, note }
    }

    fn count(name: &str, count: u64) -> Self {
        Self::new(name, group_digits(count))
    }
}

fn key_figures(run: &RunData) -> Vec<KeyFigure> {
    match &run.minimization {
        Some(summary) => figures_of_minimization(summary),
        None if run.is_minimization() => Vec::new(),
        None => figures_of_exploration(run),
    }
}

fn figures_of_minimization(summary: &MinimizeSummary) -> Vec<KeyFigure> {
    let rate = summary.success.rate();
    let success = match rate.runs {
        0 => KeyFigure::with_note("Success rate", "–".into(), "not measured".into()),
        runs => {
            let note = format!("{} of {runs} runs", rate.successes);
            KeyFigure::with_note("Success rate", format_percent(rate.value()), note)
        }
    };
    let rounds = format!("in {} rounds", group_digits(summary.rounds));
    vec![
        KeyFigure::count("Events before", summary.events_before),
        KeyFigure::count("Events after", summary.events_after),
        success,
        KeyFigure::with_note("Oracle calls", group_digits(summary.oracle_calls), rounds),
        KeyFigure::count("Events executed", summary.events_executed),
        KeyFigure::new("Time", format_duration(summary.seconds)),
    ]
}

/// Takes the figures from the summary, or from the trace if the run was killed before it wrote one.
fn figures_of_exploration(run: &RunData) -> Vec<KeyFigure> {
    let history = &run.history;
    let summary = run.summary.as_ref();
    let speed = summary.map_or_else(String::new, |summary| {
        format!("{} per second", group_digits(summary.events_per_second as u64))
    });
    let events = summary.map_or(history.events, |s| s.events);
    let states = summary.map_or(history.visits.len() as u64, |s| s.states);
    let activities = summary.map_or(run.count_activities() as u64, |s| s.activities);
    let mut figures = vec![
        KeyFigure::count("Crashes", run.crashes.len() as u64),
        KeyFigure::with_note("Events", group_digits(events), speed),
        KeyFigure::count("States", states),
        KeyFigure::count("Activities", activities),
        KeyFigure::count("Restarts", summary.map_or(history.restarts, |s| s.restarts)),
    ];
    if !run.findings.is_empty() {
        figures.insert(1, KeyFigure::count("Other findings", run.findings.len() as u64));
    }
    if let Some(returns) = summary.map(|s| s.returns).filter(|returns| *returns > 0) {
        figures.push(KeyFigure::count("Returns", returns));
    }
    for (kind, count) in summary.map_or(&history.counts, |s| &s.coverage) {
        let note = format!("{} of {}", group_digits(count.covered), group_digits(count.total));
        let name = capitalize(&format!("{kind} coverage"));
        figures.push(KeyFigure::with_note(&name, format!("{:.1}%", count.percent()), note));
    }
    if history.not_responding > 0 {
        let times = group_digits(history.not_responding);
        figures.push(KeyFigure::with_note("Not responding", times, "times".into()));
    }
    if let Some(summary) = summary {
        figures.push(KeyFigure::new("Time", format_duration(summary.seconds)));
    }
    figures
}
