//! The page of a suite folder: the sizes before and after, and the proof that nothing was lost.

mod excluded;
mod removed;
mod requirements;
mod stages;
mod traces;

use super::images::ImageStore;
use super::run::figure_columns;
use super::{PageParts, PageSection, render_page};
use crate::suite::{SuiteData, SuiteStep};
use crate::text::{format_percent, group_digits};
use maud::{Markup, html};
use retap_model::format::reduction::ReduceEnded;
use std::path::Path;

/// The sections from top to bottom. A section that has nothing to show returns none.
const SECTIONS: [fn(&SuiteData) -> Option<PageSection>; 5] =
    [stages::section, excluded::section, traces::section, removed::section, requirements::section];

/// Renders the page.
pub fn render(dir: &Path, suite: &SuiteData) -> String {
    let parts = PageParts {
        title: format!("{} · retap reduce", suite.reduction.app.package),
        header: header(suite),
        sections: SECTIONS.iter().filter_map(|section| section(suite)).collect(),
        footer: html! { "Written by retap from " code { (dir.display()) } "." },
        data: None,
    };
    render_page(&parts, &ImageStore::default())
}

fn header(suite: &SuiteData) -> Markup {
    let (app, summary) = (&suite.reduction.app, &suite.reduction.summary);
    let (class, ended) = match summary.ended {
        ReduceEnded::Complete => ("good", "complete"),
        ReduceEnded::Interrupted => ("fair", "interrupted"),
    };
    let (recorded, reduced) = (summary.stages.recorded, summary.stages.reduced());
    let factor = recorded.steps as f64 / reduced.steps.max(1) as f64;
    html! {
        header {
            p.verb { "retap reduce " span.badge.(class) { (ended) } }
            h1 {
                bdi { (app.package) }
                @if !app.version.is_empty() { " " small { bdi { (app.version) } } }
            }
            @let figures = 5 + usize::from(summary.gap.is_some() && summary.lower_bound.is_some());
            dl.figures style=(figure_columns(figures)) {
                div { dt { "Recorded" } dd { (group_digits(recorded.steps)) small { "steps in " (group_digits(recorded.restarts)) " traces" } } }
                div { dt { "Reduced" } dd { (group_digits(reduced.steps)) small { "steps in " (group_digits(reduced.restarts)) " traces" } } }
                div { dt { "Reduction factor" } dd { (format!("{factor:.1}×")) } }
                @if let (Some(gap), Some(bound)) = (summary.gap, summary.lower_bound) {
                    div { dt { "Above the lower bound" } dd { (format_percent(gap)) small { "cost " (group_digits(reduced.cost)) ", bound " (group_digits(bound.cost)) } } }
                }
                div { dt { "Covered" } dd { (group_digits(suite.reduction.covered.len() as u64)) small { "units, states, crashes" } } }
                div { dt { "Quarantined" } dd { (group_digits(summary.quarantined.len() as u64)) small { "traces" } } }
            }
        }
    }
}

/// Returns the id of the element that shows a step.
fn step_anchor(SuiteStep { trace, step }: SuiteStep<'_>) -> String {
    format!("{trace}-{step}")
}

/// Renders a link to the element that shows a step.
fn step_link(target: SuiteStep<'_>) -> Markup {
    html! {
        a href={ "#" (step_anchor(target)) } {
            bdi { (target.trace) } @if target.step == 0 { ", launch" } @else { ", step " (target.step) }
        }
    }
}

/// Renders a note that a list was cut after `limit` rows, if it was.
fn more_rows_note(rows: usize, limit: usize) -> Markup {
    html! {
        @if rows > limit {
            p.quiet { (group_digits((rows - limit) as u64)) " more are in reduction.json." }
        }
    }
}
