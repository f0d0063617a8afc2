//! The coverage of the app's code by package, class, method and line, and the libraries that do not count.
//!
//! The table of packages is in the page itself. The page's script unfolds each of them from the page's data.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::{CoverageCounts, RunData};
use crate::text::{capitalize, format_count, group_digits};
use maud::{Markup, html};
use retap_model::format::run::Summary;
use retap_model::{CoverageCount, UnitKind};
use std::collections::BTreeMap;

/// The number of packages that are shown at most without the page's script.
const MAX_PACKAGES: usize = 50;

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    let reason_for_none = run.summary.as_ref().and_then(Summary::no_coverage);
    let packages = &run.history.packages;
    if packages.is_empty() && reason_for_none.is_none() {
        return None;
    }
    let libraries = run.summary.as_ref().map(|summary| &summary.libraries);
    let body = html! {
        @if let Some(reason) = reason_for_none { p.alarm { b { "No code was covered: " } (reason) "." } }
        @if !packages.is_empty() {
            div.tools #coverage-tools hidden role="search" aria-label="Classes" {
                label { "Search " input #coverage-search type="search" autocomplete="off" placeholder="class or package"; }
                label { "Show "
                    select #coverage-filter {
                        option value="all" { "all classes" }
                        option value="partly" { "partly covered" }
                        option value="none" { "not covered" }
                    }
                }
                label { "Sort by "
                    select #coverage-sort {
                        option value="name" { "name" }
                        option value="missing" { "most instructions missing" }
                        option value="percent" { "lowest coverage" }
                        option value="first" { "first event" }
                    }
                }
            }
            div #coverage-tree { (package_table(run)) }
        }
        @if let Some(libraries) = libraries.filter(|libraries| !libraries.is_empty()) {
            (library_list(libraries))
        }
    };
    Some(PageSection::new("coverage", "Coverage", body))
}

fn package_table(run: &RunData) -> Markup {
    let mut packages: Vec<(&String, &CoverageCounts)> = run.history.packages.iter().collect();
    // The largest package comes first.
    packages.sort_by_key(|(name, counts)| (std::cmp::Reverse(package_size(counts)), *name));
    let kinds: Vec<UnitKind> = run.history.counts.keys().copied().collect();
    let omitted = packages.len().saturating_sub(MAX_PACKAGES);
    html! {
        table {
            tr {
                th scope="col" { "Package" }
                @for kind in &kinds { th.figure scope="col" { (capitalize(&format!("{kind} coverage"))) } }
            }
            @for (name, counts) in packages.iter().take(MAX_PACKAGES) {
                tr {
                    th scope="row" { bdi { (name) } }
                    @for kind in &kinds { td { (covered_share(counts.get(kind))) } }
                }
            }
        }
        @if omitted > 0 {
            p.quiet { "The table omits " (format_count(omitted as u64, "smaller package")) "." }
        }
    }
}

fn library_list(libraries: &BTreeMap<String, u64>) -> Markup {
    html! {
        p.quiet {
            "Libraries inside the app do not count: "
            @for (index, (name, classes)) in libraries.iter().enumerate() {
                @if index > 0 { ", " }
                bdi { (name) }
                " (" (group_digits(*classes)) @if *classes == 1 { " class)" } @else { " classes)" }
            }
            "."
        }
    }
}

fn package_size(counts: &CoverageCounts) -> u64 {
    counts.values().map(|count| count.total).max().unwrap_or_default()
}

fn covered_share(count: Option<&CoverageCount>) -> Markup {
    html! {
        @match count {
            Some(count) => {
                (format!("{:.1}%", count.percent()))
                " " small { (group_digits(count.covered)) " of " (group_digits(count.total)) }
            }
            None => "–",
        }
    }
}
