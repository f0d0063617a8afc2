//! What the suite does not hold, and why: steps that did not replay, what was never seen again, traces
//! that nobody came to.

use super::super::crashes::rate_bar;
use crate::reduction::Reduction;
use maud::{Markup, html};

/// Rows of one table; the rest is in `reduction.json`.
const MOST: usize = 500;

pub fn section(reduction: &Reduction) -> Option<Markup> {
    let Reduction { quarantined, unstable, unexamined, .. } = reduction;
    if quarantined.is_empty() && unstable.is_empty() && unexamined.is_empty() {
        return None;
    }
    Some(html! {
        section #doubts {
            h2 { "Not in the suite" }
            @if !quarantined.is_empty() {
                p.quiet { "Quarantined: from this step on a recording was not followed in every run." }
                table {
                    @for one in quarantined.iter().take(MOST) {
                        tr {
                            th scope="row" { bdi { (one.trace) } ", from step " (one.step) " of " (one.steps) }
                            td { (rate_bar(&one.rate)) }
                        }
                    }
                }
                (more(quarantined.len()))
            }
            @if !unstable.is_empty() {
                p.quiet { "Recorded, and not seen in any replay:" }
                table {
                    @for one in unstable.iter().take(MOST) {
                        tr {
                            th scope="row" { code { bdi { (one.need) } } }
                            td { bdi { (one.trace) } ", step " (one.step) }
                        }
                    }
                }
                (more(unstable.len()))
            }
            @if !unexamined.is_empty() {
                p { "It was interrupted before it came to " (unexamined.len()) " traces that may add something:" }
                ul { @for trace in unexamined.iter().take(MOST) { li { bdi { (trace) } } } }
                (more(unexamined.len()))
            }
        }
    })
}

fn more(count: usize) -> Markup {
    html! { @if count > MOST { p.quiet { "… and " (count - MOST) " more, in reduction.json." } } }
}
