//! The page of a run.

mod cost;
mod coverage;
mod crashes;
mod findings;
mod gallery;
mod header;
mod minimization;
mod progress;
mod remarks;
mod state_map;
mod update;
mod windows;

use super::images::ImageStore;
use super::{PageParts, render_page};
use crate::run::RunData;
use crate::text::format_count;
use maud::{Markup, html};

/// The sections from top to bottom. A section that has nothing to show returns none.
const SECTIONS: [fn(&RunData, &mut ImageStore) -> Option<Markup>; 11] = [
    update::section,
    crashes::section,
    findings::section,
    minimization::section,
    progress::section,
    coverage::section,
    state_map::section,
    windows::section,
    gallery::section,
    cost::section,
    remarks::section,
];

/// Renders the page.
pub fn render(run: &RunData) -> String {
    let mut images = ImageStore::default();
    let sections: Vec<Markup> =
        SECTIONS.iter().filter_map(|section| section(run, &mut images)).collect();
    let omitted = images.omitted as u64;
    let parts = PageParts {
        title: format!("{} · retap {}", run.info.app.package, run.info.verb),
        header: header::render(run),
        main: html! { @for section in &sections { (section) } },
        footer: html! {
            "Written by retap " (run.info.retap_version) " from " code { (run.dir.display()) } "."
            @if omitted > 0 {
                " To keep the page small, it omits " (format_count(omitted, "screenshot")) "."
            }
        },
    };
    render_page(&parts, &images)
}
