//! The timeline: every step and the state it led to, with returns, restarts and crashes, and the list of all steps. The
//! page's script draws both from the page's data.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::RunData;
use crate::text::{format_count, group_digits};
use maud::html;

/// The filters of the list and the marks that each shows.
const FILTERS: [(&str, &str); 7] = [
    ("all", "all steps"),
    ("state", "new states"),
    ("code", "new code"),
    ("return", "returns and restarts"),
    ("crash", "crashes"),
    ("outside", "the app left or ended"),
    ("limitation", "host limitations"),
];

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    let log = &run.history.log;
    if log.entries.is_empty() || run.history.events == 0 {
        return None;
    }
    let returns = run.summary.as_ref().map_or(0, |summary| summary.returns);
    let label = format!(
        "Each event of the run and the state that it led to: {}, {}, {}",
        format_count(run.history.events, "event"),
        format_count(run.history.restarts, "clean install"),
        format_count(returns, "return"),
    );
    let body = html! {
        p.quiet {
            "From left to right: events. From bottom to top: states in the order of their first visits, so that the upper edge "
            "is what the run discovered. A line down is a return to an earlier state; the list says why."
        }
        noscript { p { "The timeline and the list of steps need the page's script." } }
        figure.timeline {
            canvas #timeline-picture role="img" aria-label=(label) width="1120" height="260" {}
            ul.legend {
                li.s0 { "new state" } li.s1 { "return" } li.s2 { "clean install" } li { "crash" }
            }
            p.quiet #timeline-note { "Point at the picture to see a step; press to find it in the list." }
        }
        div.tools role="search" aria-label="Steps" {
            label { "Search " input #step-search type="search" autocomplete="off" placeholder="words of a step"; }
            label { "Show " select #step-filter { @for (value, words) in FILTERS { option value=(value) { (words) } } } }
            span.quiet #step-count {}
        }
        div.step-list #step-list tabindex="0" role="group" aria-label="All steps of the run" {}
        @if log.left_out > 0 {
            p.quiet { "The list omits the last " (group_digits(log.left_out)) " steps; trace.jsonl has them." }
        }
    };
    Some(PageSection::new("timeline", "Timeline", body))
}
