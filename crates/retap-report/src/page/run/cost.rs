//! The cost of the run, in counts that are exact on every machine.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::RunData;
use crate::text::group_digits;
use maud::html;

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    let summary = run.summary.as_ref().map(|summary| summary.cost);
    let cost = summary.or(run.minimization.as_ref().map(|summary| summary.cost))?;
    let rows = [
        ("Events executed", cost.events),
        ("Events saved by shared prefixes and snapshots", cost.events_saved),
        ("Restarts", cost.restarts),
        ("Snapshots saved", cost.saves),
        ("Snapshots restored", cost.restores),
        ("Screenshots", cost.screenshots),
        ("Oracle calls", cost.oracle_calls),
        ("Rounds of parallel oracle calls", cost.rounds),
        ("Devices lost and replaced", cost.devices_lost),
    ];
    let body = html! {
        table {
            @for (name, count) in rows.iter().filter(|(_, count)| *count > 0) {
                tr { th scope="row" { (name) } td { (group_digits(*count)) } }
            }
            @if let Some(summary) = &run.summary {
                tr { th scope="row" { "Digest of all observations" } td { code { (summary.digest) } } }
            }
        }
    };
    Some(PageSection::new("cost", "Cost", body))
}
