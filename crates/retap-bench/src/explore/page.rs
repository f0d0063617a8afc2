//! Renders the results as a page: coverage over events and as box plots, with the effect size, then the tables.

use super::ExploreResults;
use super::box_plot;
use super::cell::MeasuredCell;
use super::comparison::{AppEffect, Comparison, MEDIUM, names};
use super::markdown::short;
use super::shared_crashes::shared_crashes;
use super::study::StudyPart;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 264.0;
const MARGIN: f64 = 44.0;
/// One place for each strategy in the order of the page; the style has their colours, light and dark.
const COLOURS: usize = 6;
const STYLE: &str = include_str!("page.css");

/// Renders one bench.
pub fn render(results: &ExploreResults) -> String {
    page(&[("Strategies side by side".into(), results)])
}

/// Renders the parts of a study, one after another.
pub fn render_study(parts: &[StudyPart]) -> String {
    let parts = parts.iter().map(|part| (part.title(), &part.results));
    page(&parts.collect::<Vec<_>>())
}

fn page(parts: &[(String, &ExploreResults)]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Strategies side by side" }
                style { (PreEscaped(STYLE)) }
            }
            body { main { @for (title, results) in parts { (part(title, results)) } } }
        }
    };
    page.into_string()
}

fn part(title: &str, results: &ExploreResults) -> Markup {
    let measured = &results.measured;
    let strategies = names(measured, |m| &m.strategy);
    html! {
        header {
            p.quiet { "retap bench explore" }
            h1 { (title) }
            p.quiet {
                (results.runs) " runs of " (results.max_events) " events for each strategy and app. Lines are medians; bands reach from the worst run to the best."
            }
            pre tabindex="0" { code { (results.command) } }
        }
        @for app in names(measured, |m| &m.app) { (app_section(results, &app, &strategies)) }
        (statistics(results))
        (crashes(measured, &strategies))
    }
}

fn app_section(results: &ExploreResults, app: &str, strategies: &[String]) -> Markup {
    let measured = &results.measured;
    html! {
        section {
            h2 { (short(app)) }
            div.charts {
                figure {
                    figcaption { "Over events" }
                    (chart(measured, app, strategies, results.max_events))
                    ul.legend { @for (at, strategy) in strategies.iter().enumerate() {
                        li class=(colour(at)) { (strategy) }
                    } }
                }
                figure {
                    figcaption { "At the end of the runs" }
                    (box_plot::render(measured, app, strategies, colour))
                    p.quiet { "A box holds the middle half of the runs, its thick line is the median, each dot is a run." }
                }
            }
            (effects(results, app))
        }
    }
}

fn statistics(results: &ExploreResults) -> Markup {
    html! {
        section {
            h2 { "All apps" }
            p.quiet {
                "A12 is the chance that a run of the first strategy covers more than one of the second: 0.5 means that they are alike. "
                "p is the probability of such a difference by chance."
            }
            div.scroll tabindex="0" role="group" aria-label="All apps" { table {
                thead { tr {
                    th scope="col" { "Comparison" } th.figure scope="col" { "Mean A12" } th.figure scope="col" { "95% interval" }
                    th.figure scope="col" { "Better on" } th.figure scope="col" { "Worse on" } th.figure scope="col" { "p" }
                } }
                tbody { @for c in &results.comparisons {
                    tr {
                        th scope="row" { (c.ours) " over " (c.theirs) }
                        td.figure { (format!("{:.2}", c.effect.mean_a12)) }
                        td.figure { (format!("{:.2} to {:.2}", c.effect.interval.low, c.effect.interval.high)) }
                        td.figure { (c.effect.wins) " of " (c.effect.telling) }
                        td.figure { (c.effect.losses) }
                        td.figure { (format!("{:.4}", c.effect.p)) }
                    }
                } }
            } }
        }
    }
}

fn crashes(measured: &[MeasuredCell], strategies: &[String]) -> Markup {
    let shared = shared_crashes(measured);
    html! {
        section {
            h2 { "Crashes" }
            @if shared.is_empty() {
                p.quiet { "No run found a crash." }
            } @else {
                p.quiet { "How many different crashes exactly these strategies found." }
                div.scroll tabindex="0" role="group" aria-label="Crashes" { table {
                    thead { tr { th.figure scope="col" { "Crashes" } @for strategy in strategies { th scope="col" { (strategy) } } } }
                    tbody { @for shared in &shared {
                        tr {
                            td.figure { (shared.crashes) }
                            @for strategy in strategies {
                                td { @if shared.strategies.contains(strategy) { "found" } @else { span.quiet { "–" } } }
                            }
                        }
                    } }
                } }
            }
        }
    }
}

/// Lists how likely a run of one strategy covers more than one of another in this app (A12).
fn effects(results: &ExploreResults, app: &str) -> Markup {
    let of_app = |comparison: &Comparison| {
        comparison.effect.apps.iter().find(|effect| effect.app == app).cloned()
    };
    let rows: Vec<(&Comparison, AppEffect)> =
        results.comparisons.iter().filter_map(|c| Some((c, of_app(c)?))).collect();
    html! {
        @if !rows.is_empty() {
            div.scroll tabindex="0" role="group" aria-label="Effect sizes" { table {
                thead { tr { th scope="col" { "Comparison" } th.figure scope="col" { "A12" } th.figure scope="col" { "95% interval" } th.figure scope="col" { "p" } th scope="col" { "Remark" } } }
                tbody { @for (comparison, effect) in &rows {
                    @let class = if effect.a12 >= MEDIUM { "win" } else if effect.a12 <= 1.0 - MEDIUM { "loss" } else { "" };
                    tr {
                        th scope="row" { (comparison.ours) " over " (comparison.theirs) }
                        td.figure { span class=(class) { (format!("{:.2}", effect.a12)) } }
                        td.figure { (format!("{:.2} to {:.2}", effect.interval.low, effect.interval.high)) }
                        td.figure { (format!("{:.4}", effect.p)) }
                        td { @if effect.exhausted { "nothing is left to find" } }
                    }
                } }
            } }
        }
    }
}

/// Returns the class whose colour a strategy has.
fn colour(at: usize) -> &'static str {
    ["s0", "s1", "s2", "s3", "s4", "s5"][at % COLOURS]
}

fn chart(measured: &[MeasuredCell], app: &str, strategies: &[String], max_events: u64) -> Markup {
    let of_app: Vec<&MeasuredCell> = measured.iter().filter(|m| m.app == app).collect();
    let highest = of_app.iter().map(|m| m.covered).max().unwrap_or(0).max(1) as f64;
    let x = |events: u64| MARGIN + events as f64 / max_events.max(1) as f64 * (WIDTH - MARGIN);
    let y = |covered: f64| (HEIGHT - 34.0) * (1.0 - covered / highest) + 10.0;
    let mut drawn = String::new();
    for (at, strategy) in strategies.iter().enumerate() {
        let runs: Vec<&MeasuredCell> =
            of_app.iter().copied().filter(|m| m.strategy == *strategy).collect();
        let bands: Vec<(u64, [f64; 3])> = (0..=50)
            .map(|n| max_events * n / 50)
            .filter_map(|e| Some((e, spread(&runs, e)?)))
            .collect();
        let line = |which: usize, points: &mut dyn Iterator<Item = &(u64, [f64; 3])>| {
            points
                .map(|(e, s)| format!("{:.1},{:.1}", x(*e), y(s[which])))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let colour = colour(at);
        let band = format!("{} {}", line(0, &mut bands.iter()), line(2, &mut bands.iter().rev()));
        // Writing to a string cannot fail.
        let _ = write!(
            drawn,
            "<polygon class=\"band {colour}\" points=\"{band}\"/>\
             <polyline class=\"curve {colour}\" points=\"{}\"/>",
            line(1, &mut bands.iter())
        );
    }
    let measure = of_app.first().map_or("", |m| m.measure.as_str());
    let label = format!("Covered {measure} over events, by strategy");
    let lines = [0.0, highest / 2.0, highest];
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            @for value in lines {
                line.grid x1=(MARGIN) y1=(y(value)) x2=(WIDTH) y2=(y(value)) {}
                text x=(MARGIN - 8.0) y=(y(value) + 4.0) text-anchor="end" { (value.round()) }
            }
            text x=(MARGIN) y=(HEIGHT - 2.0) { "0" }
            text x=(WIDTH) y=(HEIGHT - 2.0) text-anchor="end" { (max_events) " events" }
            text x=((WIDTH + MARGIN) / 2.0) y=(HEIGHT - 2.0) text-anchor="middle" { "covered units: " (measure) }
            (PreEscaped(drawn))
        }
    }
}

/// Returns the worst, median and best coverage of the runs after this many events.
fn spread(runs: &[&MeasuredCell], events: u64) -> Option<[f64; 3]> {
    let mut values: Vec<f64> = runs.iter().map(|m| m.curve.after(events) as f64).collect();
    values.sort_by(f64::total_cmp);
    Some([*values.first()?, values[values.len() / 2], *values.last()?])
}
