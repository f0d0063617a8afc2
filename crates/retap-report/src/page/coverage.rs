//! How much of the app's code was executed, package by package, and whose code does not count.

use super::number::grouped;
use crate::album::Album;
use crate::run::Run;
use crate::sentence::capital;
use crate::totals::Tallies;
use maud::{Markup, html};
use retap_model::format::run::Summary;
use retap_model::{Tally, UnitKind};

/// Packages beyond this are hardly read.
const MOST_PACKAGES: usize = 50;

pub fn section(run: &Run, _: &mut Album) -> Option<Markup> {
    let why_none = run.summary.as_ref().and_then(Summary::no_coverage);
    let packages = &run.history.packages;
    if packages.is_empty() && why_none.is_none() {
        return None;
    }
    let mut packages: Vec<(&String, &Tallies)> = packages.iter().collect();
    // The most code first.
    packages.sort_by_key(|(name, tallies)| (std::cmp::Reverse(size(tallies)), *name));
    let kinds: Vec<UnitKind> = run.history.tallies.keys().copied().collect();
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
                    @for (name, tallies) in packages.iter().take(MOST_PACKAGES) {
                        tr {
                            th scope="row" { bdi { (name) } }
                            @for kind in &kinds { td { (share(tallies.get(kind))) } }
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

fn size(tallies: &Tallies) -> u64 {
    tallies.values().map(|tally| tally.total).max().unwrap_or_default()
}

fn share(tally: Option<&Tally>) -> Markup {
    html! {
        @match tally {
            Some(tally) => {
                (format!("{:.1}%", tally.percent()))
                " " small { (grouped(tally.covered)) " of " (grouped(tally.total)) }
            }
            None => "–",
        }
    }
}
