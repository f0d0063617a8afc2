//! The numbered list of all covered requirements, each with the step that covers it.

use super::{more_rows_note, step_link};
use crate::page::PageSection;
use crate::suite::{SuiteData, SuiteStep};
use crate::text::group_digits;
use maud::html;

/// The number of rows that the page shows at most.
const MAX_ROWS: usize = 20_000;
/// A list of up to so many rows is shown open.
const MAX_OPEN_ROWS: usize = 200;

pub fn section(suite: &SuiteData) -> Option<PageSection> {
    let covered = &suite.reduction.covered;
    let body = html! {
        details open[covered.len() <= MAX_OPEN_ROWS] {
            summary { (group_digits(covered.len() as u64)) " units, states and crashes" }
            table {
                @for (index, one) in covered.iter().enumerate().take(MAX_ROWS) {
                    tr {
                        td.index { (index + 1) }
                        th scope="row" { code { bdi { (one.requirement) } } }
                        td.wrapped { (step_link(SuiteStep { trace: &one.trace, step: one.step })) }
                    }
                }
            }
            (more_rows_note(covered.len(), MAX_ROWS))
        }
    };
    Some(PageSection::new("covered", "Covered requirements", body).counted(covered.len()))
}
