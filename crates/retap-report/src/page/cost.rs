//! What the run cost, in counts that are exact on every machine.

use super::number::grouped;
use crate::album::Album;
use crate::run::Run;
use maud::{Markup, html};

pub fn section(run: &Run, _: &mut Album) -> Option<Markup> {
    let summary = run.summary.as_ref().map(|summary| summary.cost);
    let cost = summary.or(run.minimization.as_ref().map(|found| found.cost))?;
    let rows = [
        ("Events executed", cost.events),
        ("Events saved by shared prefixes", cost.events_saved),
        ("Clean restarts", cost.restarts),
        ("Snapshots saved", cost.saves),
        ("Snapshots restored", cost.restores),
        ("Oracle calls", cost.oracle_calls),
        ("Rounds of parallel oracle calls", cost.rounds),
        ("Devices lost", cost.devices_lost),
    ];
    Some(html! {
        section #cost {
            h2 { "Cost" }
            table {
                @for (name, count) in rows.iter().filter(|(_, count)| *count > 0) {
                    tr { th scope="row" { (name) } td { (grouped(*count)) } }
                }
                @if let Some(summary) = &run.summary {
                    tr { th scope="row" { "Digest of all observations" } td { code { (summary.digest) } } }
                }
            }
        }
    })
}
