//! How the suite became smaller, stage by stage, and how far below no suite can go; what it took.

use super::super::number::grouped;
use crate::reduction::Reduction;
use crate::sentence::capital;
use maud::{Markup, html};

const WIDTH: f64 = 560.0;
const ROW: f64 = 30.0;
const LABEL: f64 = 150.0;
/// Left for the number behind a bar.
const NUMBER: f64 = 190.0;

pub fn section(reduction: &Reduction) -> Option<Markup> {
    let stages = &reduction.stages;
    let size = |name: &'static str, size: crate::reduction::Size| {
        let text = format!("{} steps, {} restarts", grouped(size.steps), grouped(size.restarts));
        (name, size.cost, text)
    };
    let mut rows = vec![
        size("Recorded", stages.recorded),
        size("Replays, not redundant", stages.selected),
        size("Without loops", stages.phase_1),
        size("Spliced", stages.phase_2),
        size("Minimised", stages.reduced()),
    ];
    rows.extend(
        reduction
            .lower_bound
            .map(|bound| ("Lower bound", bound.cost, format!("cost {}", grouped(bound.cost)))),
    );
    Some(html! {
        section #stages {
            h2 { "Stages" }
            div.charts {
                (bars("From what was recorded", &rows))
                (bars("From what replays and is not redundant", &rows[1..]))
            }
            details {
                summary { "What it took" }
                table {
                    @for (name, count) in &reduction.tally {
                        tr { th scope="row" { (capital(&name.replace('_', " "))) } td { (grouped(*count)) } }
                    }
                }
            }
        }
    })
}

/// Bars as long as the costs; the first is the longest.
fn bars(title: &str, rows: &[(&'static str, u64, String)]) -> Markup {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1) as f64;
    let length = |cost: u64| format!("{:.1}", (WIDTH - LABEL - NUMBER) * cost as f64 / most);
    let end =
        |cost: u64| format!("{:.1}", LABEL + 8.0 + (WIDTH - LABEL - NUMBER) * cost as f64 / most);
    html! {
        figure.chart {
            figcaption { (title) }
            svg viewBox={ "0 0 " (WIDTH) " " (ROW * rows.len() as f64) } role="img" aria-label=(title) {
                @for (at, (name, cost, text)) in rows.iter().enumerate() {
                    @let y = ROW * at as f64;
                    text.tick x=(LABEL - 8.0) y=(y + 19.0) text-anchor="end" { (name) }
                    rect class={ "bar s" (at % 4) } x=(LABEL) y=(y + 6.0) width=(length(*cost)) height=(ROW - 12.0) rx="3" {}
                    text.tick x=(end(*cost)) y=(y + 19.0) { (text) }
                }
            }
        }
    }
}
