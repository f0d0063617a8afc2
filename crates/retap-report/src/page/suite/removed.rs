//! Every trace, loop and part that was removed, and which remaining step covers each of its units.

use super::super::number::grouped;
use super::link;
use super::traces::places;
use crate::reduction::{Reduction, Removed};
use maud::{Markup, html};

/// Rows of all removed pieces together: a page is to be opened by a browser.
const MOST_ROWS: usize = 20_000;

pub fn section(reduction: &Reduction) -> Option<Markup> {
    let mut rows = 0;
    let mut pieces: Vec<Markup> = Vec::new();
    for removed in &reduction.removed {
        let coverers = reduction.coverers(&removed.covered);
        rows += coverers.len() + 1;
        if rows > MOST_ROWS {
            break;
        }
        pieces.push(html! {
            details {
                summary { (what(removed)) }
                @if coverers.is_empty() {
                    p.quiet { "It covered nothing." }
                } @else {
                    table {
                        @for ((trace, step), covered) in &coverers {
                            tr { th scope="row" { (link(trace, *step)) } td.places { (places(covered)) } }
                        }
                    }
                }
            }
        });
    }
    let hidden = reduction.removed.len() - pieces.len();
    Some(html! {
        section #removed {
            h2 { "Removed" }
            @if reduction.removed.is_empty() { p.quiet { "Nothing." } }
            @else { p.quiet { "Open one to see which step covers now what it covered, by numbers in the list below." } }
            @for piece in &pieces { (piece) }
            @if hidden > 0 { p.quiet { "… and " (hidden) " more, in reduction.json." } }
        }
    })
}

fn what(removed: &Removed) -> Markup {
    let (first, last) = removed.steps;
    let covered = grouped(removed.covered.len());
    html! {
        @match removed.kind.as_str() {
            "trace" => { "Trace " bdi { (removed.trace) } " of " (last) " steps" },
            "loop" => { "Loop, steps " (first) "–" (last) " of " bdi { (removed.trace) } },
            _ => { "Steps " (first) "–" (last) " of " bdi { (removed.trace) } },
        }
        " " span.quiet { "covered " (covered) }
    }
}
