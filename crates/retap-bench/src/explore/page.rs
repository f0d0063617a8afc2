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
const HEIGHT: f64 = 260.0;
const MARGIN: f64 = 44.0;
const COLOURS: [&str; 6] = ["#888888", "#c2801c", "#2a6fbb", "#1b8a4b", "#9b3fa0", "#c0392b"];
const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;margin:.6rem 0}td,th{padding:.2rem .7rem;border-bottom:1px solid #8885;text-align:left}\
td.figure,th.figure{text-align:right;font-variant-numeric:tabular-nums}.win{color:#1b8a4b;font-weight:600}.loss{color:#c0392b;font-weight:600}\
svg{max-width:100%;height:auto;display:block}svg text{font-size:12px;fill:#777}h3{font-size:1rem;margin:1rem 0 .2rem}";

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
            head { meta charset="utf-8"; title { "Strategies side by side" } style { (PreEscaped(STYLE)) } }
            body { @for (title, results) in parts { (part(title, results)) } }
        }
    };
    page.into_string()
}

fn part(title: &str, results: &ExploreResults) -> Markup {
    let measured = &results.measured;
    let strategies = names(measured, |m| &m.strategy);
    html! {
        h1 { (title) }
        p { code { (results.command) } }
        p { (results.runs) " runs of " (results.max_events) " events each. Lines are medians, bands reach from the worst run to the best." }
        p { @for (at, strategy) in strategies.iter().enumerate() {
            span style=(format!("color:{}", colour(at))) { "■ " (strategy) " " }
        } }
        @for app in names(measured, |m| &m.app) {
            h2 { (short(&app)) }
            (chart(measured, &app, &strategies, results.max_events))
            h3 { "At the end of the runs" }
            (box_plot::render(measured, &app, &strategies, colour))
            (effects(results, &app))
        }
        h2 { "Statistics" }
        table {
            tr { th { "" } th { "mean A12" } th { "95% interval" } th { "better on" } th { "worse on" } th { "p" } }
            @for c in &results.comparisons {
                tr {
                    td { (c.ours) " over " (c.theirs) }
                    td { (format!("{:.2}", c.effect.mean_a12)) }
                    td { (format!("{:.2} to {:.2}", c.effect.interval.low, c.effect.interval.high)) }
                    td { (c.effect.wins) " of " (c.effect.telling) }
                    td { (c.effect.losses) }
                    td { (format!("{:.4}", c.effect.p)) }
                }
            }
        }
        h2 { "Crashes" }
        table {
            tr { @for strategy in &strategies { th { (strategy) } } th { "crashes" } }
            @for shared in shared_crashes(measured) {
                tr {
                    @for strategy in &strategies { td { @if shared.strategies.contains(strategy) { "●" } } }
                    td { (shared.crashes) }
                }
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
            table {
                thead { tr { th scope="col" { "" } th.figure scope="col" { "A12" } th.figure scope="col" { "95% interval" } th.figure scope="col" { "p" } th scope="col" { "" } } }
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
            }
        }
    }
}

fn colour(at: usize) -> &'static str {
    COLOURS[at % COLOURS.len()]
}

fn chart(measured: &[MeasuredCell], app: &str, strategies: &[String], max_events: u64) -> Markup {
    let of_app: Vec<&MeasuredCell> = measured.iter().filter(|m| m.app == app).collect();
    let highest = of_app.iter().map(|m| m.covered).max().unwrap_or(0).max(1) as f64;
    let x = |events: u64| MARGIN + events as f64 / max_events.max(1) as f64 * (WIDTH - MARGIN);
    let y = |covered: f64| (HEIGHT - 20.0) * (1.0 - covered / highest) + 4.0;
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
            "<polygon points=\"{band}\" fill=\"{colour}\" opacity=\"0.12\"/>\
             <polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line(1, &mut bands.iter())
        );
    }
    let measure = of_app.first().map_or("", |m| m.measure.as_str());
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) width=(WIDTH) role="img" {
            line x1=(MARGIN) y1=(y(0.0)) x2=(WIDTH) y2=(y(0.0)) stroke="#bbb";
            text x="0" y="14" { (highest) }
            text x="0" y=(y(0.0)) { "0 " (measure) }
            text x=(WIDTH - 90.0) y=(HEIGHT - 2.0) { (max_events) " events" }
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
