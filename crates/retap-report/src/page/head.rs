//! The top of the page: which app, how the run ended, and the key figures.

use super::number::{duration, grouped};
use crate::minimization::Minimization;
use crate::run::Run;
use crate::sentence::capital;
use maud::{Markup, html};
use retap_model::format::run::Ended;

pub fn render(run: &Run) -> Markup {
    let info = &run.info;
    let (class, ended) = ended(run);
    html! {
        header {
            p.verb { "retap " (info.verb) " " span.badge.(class) { (ended) } }
            h1 {
                bdi { (info.app.package) }
                @if !info.app.version.is_empty() { " " small { bdi { (info.app.version) } } }
            }
            ul.facts {
                li { "on " b { (info.device) } }
                @if let Some(api) = info.api { li { "API " b { (api) } } }
                li { b { (info.display) } }
                @if info.verb != "minimize" { li { "seed " b { (info.seed) } } }
                li { "world " b { (info.world_seed) } }
                li { "states by " b { (info.abstraction) } }
            }
            dl.figures {
                @for (name, value, note) in figures(run) {
                    div { dt { (name) } dd { (value) @if !note.is_empty() { small { (note) } } } }
                }
            }
        }
    }
}

/// What ended the run, with the class that colours it.
fn ended(run: &Run) -> (&'static str, &'static str) {
    if let Some(Minimization { ended, .. }) = &run.minimization {
        return match ended.as_str() {
            "complete" => ("good", "complete"),
            "interrupted" => ("fair", "interrupted"),
            "budget_spent" => ("fair", "budget spent"),
            _ => ("fair", "ended"),
        };
    }
    match run.summary.as_ref().map(|summary| summary.ended) {
        Some(Ended::Complete) => ("good", "complete"),
        Some(Ended::Interrupted) => ("fair", "interrupted"),
        Some(Ended::DeviceFailed) => ("bad", "the device failed"),
        Some(Ended::OutputFailed) => ("bad", "the output failed"),
        None => ("fair", "no result"),
    }
}

type Figure = (String, String, String);

fn figures(run: &Run) -> Vec<Figure> {
    match &run.minimization {
        Some(found) => of_minimization(found),
        None if run.info.verb == "minimize" => Vec::new(),
        None => of_exploration(run),
    }
}

fn of_minimization(found: &Minimization) -> Vec<Figure> {
    vec![
        figure("Events before", grouped(found.events_before), ""),
        figure("Events after", grouped(found.events_after), ""),
        figure(
            "Success",
            grouped(found.success.successes),
            &format!("of {} worlds", found.success.runs),
        ),
        figure("Oracle calls", grouped(found.oracle_calls), &format!("in {} rounds", found.rounds)),
        figure("Events run", grouped(found.events_executed), ""),
        figure("Time", duration(found.seconds), ""),
    ]
}

/// From the summary; from the trace itself where there is none.
fn of_exploration(run: &Run) -> Vec<Figure> {
    let history = &run.history;
    let summary = run.summary.as_ref();
    let speed = summary.map_or_else(String::new, |summary| {
        format!("{} a second", grouped(summary.events_per_second as u64))
    });
    let mut figures = vec![
        figure("Crashes", grouped(run.crashes.len() as u64), ""),
        figure("Events", grouped(summary.map_or(history.events, |s| s.events)), &speed),
        figure("States", grouped(summary.map_or(history.visits.len() as u64, |s| s.states)), ""),
        figure(
            "Activities",
            grouped(summary.map_or(run.activities() as u64, |s| s.activities)),
            "",
        ),
        figure("Restarts", grouped(summary.map_or(history.starts, |s| s.restarts)), ""),
    ];
    if !run.findings.is_empty() {
        figures.insert(1, figure("Other findings", grouped(run.findings.len() as u64), ""));
    }
    if let Some(returns) = summary.map(|s| s.returns).filter(|returns| *returns > 0) {
        figures.push(figure("Returns", grouped(returns), ""));
    }
    for (kind, count) in summary.map_or(&history.counts, |s| &s.coverage) {
        let note = format!("{} of {}", grouped(count.covered), grouped(count.total));
        let name = capital(&format!("{kind} coverage"));
        figures.push(figure(&name, format!("{:.1}%", count.percent()), &note));
    }
    if history.not_responding > 0 {
        figures.push(figure("Not responding", grouped(history.not_responding), "times"));
    }
    if let Some(summary) = summary {
        figures.push(figure("Time", duration(summary.seconds), ""));
    }
    figures
}

fn figure(name: &str, value: String, note: &str) -> Figure {
    (name.into(), value, note.into())
}
