//! Everything that the recordings covered, numbered, and who covers it now.

use super::link;
use crate::reduction::Reduction;
use maud::{Markup, html};

/// More rows than this are left to `reduction.json`.
const MOST: usize = 20_000;

pub fn section(reduction: &Reduction) -> Option<Markup> {
    let hidden = reduction.covered.len().saturating_sub(MOST);
    Some(html! {
        section #covered {
            h2 { "Who covers what" }
            details open[reduction.covered.len() <= 200] {
                summary { (reduction.covered.len()) " code units, states and crashes" }
                table {
                    @for (place, one) in reduction.covered.iter().enumerate().take(MOST) {
                        tr {
                            td.place { (place + 1) }
                            th scope="row" { code { bdi { (one.need) } } }
                            td.places { (link(&one.by, one.step)) }
                        }
                    }
                }
                @if hidden > 0 { p.quiet { "… and " (hidden) " more, in reduction.json." } }
            }
        }
    })
}
