//! Every trace, loop and part that was removed, with the steps that cover its requirements now.

use super::step_link;
use super::traces::format_numbers;
use crate::page::PageSection;
use crate::suite::SuiteData;
use crate::text::{format_count, group_digits};
use maud::{Markup, html};
use retap_model::format::reduction::{RemovedStepsKind, RemovedStepsRecord};

/// The number of rows of all removed pieces together, so that a browser can open the page.
const MAX_ROWS: usize = 20_000;

pub fn section(suite: &SuiteData) -> Option<PageSection> {
    let removed = &suite.reduction.removed;
    let pieces = render_pieces(suite);
    let omitted = removed.len() - pieces.len();
    let body = html! {
        @if removed.is_empty() {
            p.quiet { "Nothing was removed." }
        } @else {
            p.quiet { "Open a row to see the steps that cover its requirements now, by their numbers in the list below." }
        }
        @if !pieces.is_empty() {
            div.scroll role="group" tabindex="0" aria-label="Removed traces, loops and parts" {
                @for piece in &pieces { (piece) }
            }
        }
        @if omitted > 0 { p.quiet { (group_digits(omitted as u64)) " more are in reduction.json." } }
    };
    Some(PageSection::new("removed", "Removed", body).counted(removed.len()))
}

fn render_pieces(suite: &SuiteData) -> Vec<Markup> {
    let mut rows = 0;
    let mut pieces: Vec<Markup> = Vec::new();
    for removed in &suite.reduction.removed {
        let steps = suite.group_by_covering_step(&removed.covered);
        rows += steps.len() + 1;
        if rows > MAX_ROWS {
            break;
        }
        pieces.push(html! {
            details {
                summary { (describe(suite, removed)) }
                @if steps.is_empty() {
                    p.quiet { "It covered nothing." }
                } @else {
                    table {
                        @for (step, covered) in &steps {
                            tr { th scope="row" { (step_link(*step)) } td.wrapped { (format_numbers(covered)) } }
                        }
                    }
                }
            }
        });
    }
    pieces
}

fn describe(suite: &SuiteData, removed: &RemovedStepsRecord) -> Markup {
    let (steps, trace) = (removed.steps, suite.short_source(&removed.trace));
    html! {
        @match removed.kind {
            RemovedStepsKind::Trace => { "Trace " bdi { (trace) } " of " (format_count(steps.last, "step")) },
            RemovedStepsKind::Loop => { "Loop, steps " (steps.first) "–" (steps.last) " of " bdi { (trace) } },
            RemovedStepsKind::Part => { "Steps " (steps.first) "–" (steps.last) " of " bdi { (trace) } },
        }
        " " span.quiet { "covered " (format_count(removed.covered.len(), "requirement")) }
    }
}
