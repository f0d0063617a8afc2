//! The page of a suite folder: how small it got, and the proof that nothing was lost.

mod covered;
mod doubts;
mod removed;
mod stages;
mod traces;

use super::number::grouped;
use super::{Frame, document};
use crate::album::Album;
use crate::reduction::Reduction;
use maud::{Markup, html};
use std::path::Path;

/// The sections from top to bottom. One that has nothing to tell answers nothing.
const SECTIONS: [fn(&Reduction) -> Option<Markup>; 5] =
    [stages::section, doubts::section, traces::section, removed::section, covered::section];

pub fn render(dir: &Path, reduction: &Reduction) -> String {
    let sections: Vec<Markup> = SECTIONS.iter().filter_map(|section| section(reduction)).collect();
    let frame = Frame {
        title: format!("{} · retap reduce", reduction.app.package),
        header: header(reduction),
        main: html! { @for section in &sections { (section) } },
        footer: html! { "Made by retap from " code { (dir.display()) } "." },
    };
    document(&frame, &Album::default())
}

fn header(reduction: &Reduction) -> Markup {
    let interrupted = reduction.ended == "interrupted";
    let (class, ended) = if interrupted { ("fair", "interrupted") } else { ("good", "complete") };
    let (recorded, reduced) = (reduction.stages.recorded, reduction.stages.reduced());
    let factor = recorded.steps as f64 / reduced.steps.max(1) as f64;
    let gap = reduction.gap.map(|gap| format!("{:.0}%", gap * 100.0));
    html! {
        header {
            p.verb { "retap reduce " span.badge.(class) { (ended) } }
            h1 {
                bdi { (reduction.app.package) }
                @if !reduction.app.version.is_empty() { " " small { bdi { (reduction.app.version) } } }
            }
            dl.figures {
                div { dt { "Recorded" } dd { (grouped(recorded.steps)) small { "steps in " (grouped(recorded.restarts)) " traces" } } }
                div { dt { "Reduced" } dd { (grouped(reduced.steps)) small { "steps in " (grouped(reduced.restarts)) " traces" } } }
                div { dt { "Smaller" } dd { (format!("{factor:.1}×")) } }
                @if let (Some(gap), Some(bound)) = (gap, reduction.lower_bound) {
                    div { dt { "From the best possible" } dd { (gap) small { "cost " (grouped(reduced.cost)) ", at least " (grouped(bound.cost)) } } }
                }
                div { dt { "Covered" } dd { (grouped(reduction.covered.len() as u64)) small { "units, states, crashes" } } }
                div { dt { "Quarantined" } dd { (grouped(reduction.quarantined.len() as u64)) small { "traces" } } }
            }
        }
    }
}

/// Where a step of the suite is told on this page.
fn anchor(trace: &str, step: usize) -> String {
    format!("{trace}-{step}")
}

/// A link to a step of the suite.
fn link(trace: &str, step: usize) -> Markup {
    html! {
        a href={ "#" (anchor(trace, step)) } {
            bdi { (trace) } @if step == 0 { ", launch" } @else { ", step " (step) }
        }
    }
}
