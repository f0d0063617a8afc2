//! How much of the app's code was executed, package by package, and whose code does not count.

use super::number::grouped;
use crate::album::Album;
use crate::run::Run;
use crate::sentence::capital;
use crate::totals::CoverageCounts;
use maud::{Markup, html};
use retap_model::format::run::Summary;
use retap_model::{CoverageCount, UnitKind};

/// Packages beyond this are hardly read.
const MOST_PACKAGES: usize = 50;

pub fn section(run: &Run, _: &mut Album) -> Option<Markup> {
    let why_none = run.summary.as_ref().and_then(Summary::no_coverage);
    let packages = &run.history.packages;
    if packages.is_empty() && why_none.is_none() {
        return None;
    }
    let mut packages: Vec<(&String, &CoverageCounts)> = packages.iter().collect();
    // The most code first.
    packages.sort_by_key(|(name, counts)| (std::cmp::Reverse(size(counts)), *name));
    let kinds: Vec<UnitKind> = run.history.counts.keys().copied().collect();
    let left = packages.len().saturating_sub(MOST_PACKAGES);
    let libraries = run.summary.as_ref().map(|summary| &summary.libraries);
    Some(html! {
        section #coverage {
            h2 { "Coverage" }
            @if let Some(why) = why_none { p.alarm { b { "Nothing was covered: " } (why) "." } }
            @if !packages.is_empty() {
                table {
                    tr {
                        th scope="col" { "Package" }
                        @for kind in &kinds { th.figure scope="col" { (capital(&format!("{kind} coverage"))) } }
                    }
                    @for (name, counts) in packages.iter().take(MOST_PACKAGES) {
                        tr {
                            th scope="row" { bdi { (name) } }
                            @for kind in &kinds { td { (share(counts.get(kind))) } }
                        }
                    }
                }
                @if left > 0 { p.quiet { (grouped(left as u64)) " smaller packages are not shown." } }
            }
            @if let Some(libraries) = libraries.filter(|libraries| !libraries.is_empty()) {
                p.quiet {
                    "Libraries inside the app do not count: "
                    @for (at, (name, classes)) in libraries.iter().enumerate() {
                        @if at > 0 { ", " }
                        bdi { (name) } " (" (grouped(*classes)) @if *classes == 1 { " class)" } @else { " classes)" }
                    }
                    "."
                }
            }
        }
    })
}

fn size(counts: &CoverageCounts) -> u64 {
    counts.values().map(|count| count.total).max().unwrap_or_default()
}

fn share(count: Option<&CoverageCount>) -> Markup {
    html! {
        @match count {
            Some(count) => {
                (format!("{:.1}%", count.percent()))
                " " small { (grouped(count.covered)) " of " (grouped(count.total)) }
            }
            None => "–",
        }
    }
}
