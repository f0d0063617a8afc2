//! The result of `retap minimize`: the minimised trace, its success rate, and the search that found it.

use crate::charts::{ChartSeries, LineChart, render_rate_bar};
use crate::page::PageSection;
use crate::page::commands::{command, copy_button, export_button};
use crate::page::film::film_strip;
use crate::page::images::ImageStore;
use crate::page::steps::list_steps;
use crate::run::{RunData, count_algorithm_shares};
use crate::text::{format_count, group_digits};
use maud::{Markup, html};
use retap_model::format::run::minimize_summary::MinimizeSummary;

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<PageSection> {
    if !run.is_minimization() {
        return None;
    }
    let film = film_strip(run, &run.minimized_steps, images);
    let trace = run.dir.join("minimized.jsonl").display().to_string();
    let body = html! {
        @match &run.minimization {
            Some(summary) => (lead(summary)),
            None => p.lead { "The run ended before the search did. This is the best trace so far." },
        }
        @if run.minimized_steps.is_empty() {
            p.quiet { "The trace has no events after the launch, or it was not kept." }
        }
        (list_steps(&run.minimized_steps, None))
        @if let Some(film) = film { (film) }
        @if let Some(summary) = &run.minimization { (confidence(summary)) }
        div.actions {
            (copy_button("Copy the replay command", &command(run, "replay", &trace)))
            (export_button(&trace))
        }
    };
    Some(PageSection::new("answer", "Minimised trace", body))
}

/// The search that found the trace.
pub fn search_section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    run.minimization.as_ref().map(|summary| PageSection::new("search", "Search", search(summary)))
}

fn lead(summary: &MinimizeSummary) -> Markup {
    html! {
        p.lead {
            b { (group_digits(summary.events_after)) } " of " b { (group_digits(summary.events_before)) }
            " events satisfy the oracle " code { bdi { (summary.oracle) } } "."
            @if summary.simplified > 0 {
                " " (format_count(summary.simplified, "event"))
                @if summary.simplified == 1 { " was simplified." } @else { " were simplified." }
            }
        }
    }
}

fn confidence(summary: &MinimizeSummary) -> Markup {
    let rate = summary.success.rate();
    html! {
        @if rate.runs > 0 { (render_rate_bar("reproduces", &rate)) }
        ul.facts {
            li { "p₁ = " b { (summary.p1) } span.quiet { ": the probability that the success rate is at least 85%" } }
            @if let Some(p2) = summary.p2 {
                li { "p₂ ≥ " b { (p2) } span.quiet { ": the probability that no single event can be removed" } }
            }
        }
    }
}

fn search(summary: &MinimizeSummary) -> Markup {
    let points: Vec<(u64, f64)> = std::iter::once((0, summary.events_before as f64))
        .chain(summary.trail.iter().map(|point| (point.oracle_calls, point.events as f64)))
        .collect();
    let chart = LineChart {
        title: "Size of the best answer",
        x_label: "oracle calls",
        x_max: summary.oracle_calls.max(points.last().map_or(0, |point| point.0)),
        y_unit: "",
        series: vec![ChartSeries { name: "events".into(), points: &points }],
        markers: Vec::new(),
    };
    html! {
        div.charts {
            (chart.render())
            div { (savings_table(summary)) (algorithm_table(summary)) }
        }
    }
}

/// Compares the events executed with a search that runs every candidate as a whole from a clean install.
fn savings_table(summary: &MinimizeSummary) -> Markup {
    let without_savings = summary.events_executed + summary.events_saved;
    let share = 100.0 * summary.events_saved as f64 / without_savings.max(1) as f64;
    html! {
        table {
            tr { th scope="row" { "Events if every candidate ran from a restart" } td { (group_digits(without_savings)) } }
            tr { th scope="row" { "Events executed" } td { (group_digits(summary.events_executed)) } }
            @if without_savings > 0 {
                tr { th scope="row" { "Saved" } td { (format!("{share:.0}%")) } }
            }
        }
    }
}

fn algorithm_table(summary: &MinimizeSummary) -> Markup {
    let shares = count_algorithm_shares(summary);
    html! {
        table {
            thead { tr {
                th scope="col" { "Algorithm" @if !summary.algorithm.is_empty() { " (" bdi { (summary.algorithm) } ")" } }
                th.figure scope="col" { "Improvements" }
                th.figure scope="col" { "Events removed" }
            } }
            tbody { @for share in &shares {
                tr {
                    th scope="row" { bdi { (share.algorithm) } }
                    td { (group_digits(share.improvements)) }
                    td { (group_digits(share.events_removed)) }
                }
            }
            @if shares.is_empty() { tr { th scope="row" { "No event could be removed" } td {} td {} } } }
        }
    }
}
