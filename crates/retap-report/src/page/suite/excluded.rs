//! Everything that the suite does not contain, with the reason: steps that do not replay, requirements that no replay
//! covered, and traces that were not examined.

use super::more_rows_note;
use crate::charts::render_rate_bar;
use crate::page::PageSection;
use crate::suite::SuiteData;
use crate::text::format_count;
use maud::{Markup, html};
use retap_model::format::reduction::{LostRequirement, QuarantineRecord, ReductionSummary};

/// The number of rows that one table shows at most.
const MAX_ROWS: usize = 500;

pub fn section(suite: &SuiteData) -> Option<PageSection> {
    let ReductionSummary { quarantined, unstable, unexamined, .. } = &suite.reduction.summary;
    if quarantined.is_empty() && unstable.is_empty() && unexamined.is_empty() {
        return None;
    }
    let body = html! {
        @if !quarantined.is_empty() { (quarantine_table(quarantined)) }
        @if !unstable.is_empty() { (lost_table(unstable)) }
        @if !unexamined.is_empty() { (unexamined_list(unexamined)) }
    };
    Some(PageSection::new("excluded", "Not in the suite", body))
}

fn quarantine_table(quarantined: &[QuarantineRecord]) -> Markup {
    html! {
        p.quiet { "Quarantine: these recordings did not replay from the given step on in every run." }
        table {
            @for one in quarantined.iter().take(MAX_ROWS) {
                tr {
                    th scope="row" { bdi { (one.trace) } ", from step " (one.step) " of " (one.steps) }
                    td { (render_rate_bar("replays", &one.rate)) }
                }
            }
        }
        (more_rows_note(quarantined.len(), MAX_ROWS))
    }
}

fn lost_table(lost: &[LostRequirement]) -> Markup {
    html! {
        p.quiet { "The recordings covered these, but no replay did:" }
        table {
            @for one in lost.iter().take(MAX_ROWS) {
                tr {
                    th scope="row" { code { bdi { (one.requirement) } } }
                    td { bdi { (one.trace) } ", step " (one.step) }
                }
            }
        }
        (more_rows_note(lost.len(), MAX_ROWS))
    }
}

fn unexamined_list(traces: &[String]) -> Markup {
    html! {
        p {
            "The reduction was interrupted before it examined " (format_count(traces.len() as u64, "trace"))
            " that may add coverage:"
        }
        ul { @for trace in traces.iter().take(MAX_ROWS) { li { bdi { (trace) } } } }
        (more_rows_note(traces.len(), MAX_ROWS))
    }
}
