//! The size of the suite after each stage, the lower bound, and the work that the reduction took.

use crate::charts::{Bar, render_bar_chart};
use crate::page::PageSection;
use crate::suite::SuiteData;
use crate::text::{format_count, group_digits};
use maud::{Markup, html};
use retap_model::format::reduction::{ReductionCounts, SuiteSize};

pub fn section(suite: &SuiteData) -> Option<PageSection> {
    let summary = &suite.reduction.summary;
    let stages = &summary.stages;
    let mut bars = vec![
        size_bar("Recorded", stages.recorded),
        size_bar("Selected", stages.selected),
        size_bar("Without loops", stages.phase_1),
        size_bar("Spliced", stages.phase_2),
        size_bar("Minimised", stages.reduced()),
    ];
    bars.extend(summary.lower_bound.map(|bound| Bar {
        label: "Lower bound",
        value: bound.cost,
        text: format!("cost {}", group_digits(bound.cost)),
    }));
    let body = html! {
        p.quiet { "Each bar shows the cost of the suite after a stage. Selected recordings replay and add coverage." }
        div.charts {
            (render_bar_chart("From the recordings on", &bars))
            (render_bar_chart("From the selected recordings on", &bars[1..]))
        }
        details { summary { "Work" } (work_table(&summary.counts)) }
    };
    Some(PageSection::new("stages", "Stages", body))
}

fn size_bar(label: &'static str, size: SuiteSize) -> Bar {
    let (steps, restarts) =
        (format_count(size.steps, "step"), format_count(size.restarts, "restart"));
    Bar { label, value: size.cost, text: format!("{steps}, {restarts}") }
}

fn work_table(counts: &ReductionCounts) -> Markup {
    let rows = [
        ("Candidates", counts.candidates),
        ("Candidates run", counts.replayed),
        ("Candidates that replayed", counts.faithful),
        ("Candidates that replayed with less coverage", counts.short),
        ("Candidates known to replay without a run", counts.known),
        ("Search branches cut", counts.cut),
        ("Search nodes expanded", counts.expanded),
        ("Searches that ended at a limit", counts.limits_hit),
        ("Recorded traces that need no run", counts.traces_saved),
        ("Rounds of parallel replays", counts.rounds),
        ("Runs to minimise traces", counts.attempts),
        ("Runs to minimise traces that covered all requirements", counts.sufficient),
        ("Events of all replays, a restart counted as fifteen", counts.effort),
    ];
    html! {
        table {
            @for (name, count) in rows {
                tr { th scope="row" { (name) } td { (group_digits(count)) } }
            }
        }
    }
}
