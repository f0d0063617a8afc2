//! The page of a run.

mod activities;
mod comparison;
mod cost;
mod coverage;
mod crashes;
mod data;
mod findings;
mod gallery;
mod header;
mod limitations;
mod minimization;
mod progress;
mod remarks;
mod runs;
mod state_graph;
mod timeline;
mod update;
mod windows;

pub use header::figure_columns;

use super::images::ImageStore;
use super::{PageParts, PageSection, render_page};
use crate::run::RunData;
use crate::text::format_count;
use maud::html;

/// The sections from top to bottom. A section that has nothing to show returns none.
const SECTIONS: [fn(&RunData, &mut ImageStore) -> Option<PageSection>; 17] = [
    runs::section,
    comparison::section,
    update::section,
    crashes::section,
    findings::section,
    minimization::section,
    minimization::search_section,
    limitations::section,
    progress::section,
    activities::section,
    coverage::section,
    state_graph::section,
    timeline::section,
    windows::section,
    gallery::section,
    cost::section,
    remarks::section,
];

/// Renders the page.
pub fn render(run: &RunData) -> String {
    let mut images = ImageStore::default();
    let sections = SECTIONS.iter().filter_map(|section| section(run, &mut images)).collect();
    let data = data::render(run, &mut images);
    let omitted = images.omitted as u64;
    let parts = PageParts {
        title: format!("{} · retap {}", run.info.app.package, run.info.verb),
        header: header::render(run),
        sections,
        footer: html! {
            "Written by retap " (run.info.retap_version) " from "
            @for (index, one) in run.runs.iter().enumerate() {
                @if index > 0 { ", " }
                code { (one.dir.display()) }
            }
            "."
            @if omitted > 0 {
                " To keep the page small, it omits " (format_count(omitted, "screenshot")) "."
            }
        },
        data,
    };
    render_page(&parts, &images)
}
