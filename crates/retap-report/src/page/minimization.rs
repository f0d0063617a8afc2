//! What `retap minimize` found, how sure it is, and what it took.

use super::crashes::{command, rate_bar};
use super::number::grouped;
use super::steps;
use crate::album::Album;
use crate::chart::{Chart, Series};
use crate::minimization::Minimization;
use crate::run::Run;
use maud::{Markup, html};

pub fn section(run: &Run, album: &mut Album) -> Option<Markup> {
    if run.info.verb != "minimize" {
        return None;
    }
    let film = steps::film(run, &run.answer, album);
    Some(html! {
        section #answer {
            h2 { "Answer" }
            @match &run.minimization {
                Some(found) => p.lead {
                    b { (grouped(found.events_after)) } " of " b { (grouped(found.events_before)) }
                    " events are enough for " code { bdi { (found.oracle) } } "."
                    @if found.simplified > 0 { " " (found.simplified) " of them made simpler." }
                },
                None => p.lead { "The search was cut short; this is the best answer it had." },
            }
            @if run.answer.is_empty() { p.quiet { "No event is needed, or no answer was kept." } }
            (film)
            @if let Some(found) = &run.minimization { (certainty(found)) }
            details {
                summary { "Commands" }
                pre { (command(run, "replay", &run.dir.join("minimized.jsonl").display().to_string())) }
            }
        }
        @if let Some(found) = &run.minimization { (search(found)) }
    })
}

fn certainty(found: &Minimization) -> Markup {
    html! {
        @if found.success.runs > 0 { (rate_bar(&found.success)) }
        ul.facts {
            li { "p₁ " b { (found.p1) } span.quiet { " that it works at least 85% of the time" } }
            li { "p₂ " b { (found.p2) } span.quiet { " at least, that no single event can be left out" } }
        }
    }
}

fn search(found: &Minimization) -> Markup {
    let points: Vec<(u64, f64)> = std::iter::once((0, found.events_before as f64))
        .chain(found.trail.iter().map(|point| (point.oracle_calls, point.events as f64)))
        .collect();
    let chart = Chart {
        title: "Size of the best answer",
        x: "oracle calls",
        x_max: found.oracle_calls.max(points.last().map_or(0, |point| point.0)),
        unit: "",
        series: vec![Series { name: "events".into(), points: &points }],
        marks: Vec::new(),
    };
    html! {
        section #search {
            h2 { "Search" }
            div.charts {
                (chart.render())
                div { (against_naive(found)) (shares(found)) }
            }
        }
    }
}

/// Naive: every oracle call runs its candidate whole, from a clean install.
fn against_naive(found: &Minimization) -> Markup {
    let naive = found.events_executed + found.events_saved;
    html! {
        table {
            tr { th scope="row" { "Events, had every candidate been run whole" } td { (grouped(naive)) } }
            tr { th scope="row" { "Events executed" } td { (grouped(found.events_executed)) } }
            @if naive > 0 {
                tr {
                    th scope="row" { "Saved" }
                    td { (format!("{:.0}%", 100.0 * found.events_saved as f64 / naive as f64)) }
                }
            }
        }
    }
}

fn shares(found: &Minimization) -> Markup {
    let shares = found.shares();
    html! {
        table {
            tr { th { "Algorithm" @if !found.algorithm.is_empty() { " (" bdi { (found.algorithm) } ")" } } td { "answers" } td { "events removed" } }
            @for share in &shares {
                tr {
                    th scope="row" { bdi { (share.algorithm) } }
                    td { (grouped(share.answers)) }
                    td { (grouped(share.events_removed)) }
                }
            }
            @if shares.is_empty() { tr { th scope="row" { "nothing could be removed" } td {} td {} } }
        }
    }
}
