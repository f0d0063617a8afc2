//! What has changed since earlier runs: crashes that are new, gone and still there, and the figures of both.

use crate::page::PageSection;
use crate::page::images::ImageStore;
use crate::run::{CrashChange, EarlierRuns, ReportedCrash, RunData};
use crate::text::{capitalize, format_count, group_digits, simple_class_name};
use maud::{Markup, html};

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    let earlier = run.earlier.as_ref()?;
    let (new, still): (Vec<&ReportedCrash>, Vec<&ReportedCrash>) =
        run.crashes.iter().partition(|crash| earlier.change(crash.id) == CrashChange::New);
    let gone: Vec<&ReportedCrash> = earlier.gone.iter().collect();
    let body = html! {
        p.quiet {
            "Compared with "
            @for (index, name) in earlier.names.iter().enumerate() { @if index > 0 { ", " } code { bdi { (name) } } }
            ". A crash that is gone was not met again; that alone does not prove that it was mended."
        }
        (list("New", "bad", &new, true))
        (list("Gone", "good", &gone, false))
        (list("Still there", "fair", &still, true))
        (figures(run, earlier))
    };
    Some(PageSection::new("comparison", "Since the earlier run", body).counted(new.len()))
}

fn list(title: &str, class: &str, crashes: &[&ReportedCrash], linked: bool) -> Markup {
    html! {
        h3.plain { (title) " " span.badge.(class) { (format_count(crashes.len() as u64, "crash").replace("crashs", "crashes")) } }
        @if !crashes.is_empty() {
            ul { @for crash in crashes { li {
                @let name = simple_class_name(&crash.exception);
                @if linked { a href={ "#crash-" (crash.id) } { bdi { (name) } } } @else { bdi { (name) } }
                @if !crash.frame.is_empty() { " at " code { bdi { (crash.frame) } } }
            } } }
        }
    }
}

fn figures(run: &RunData, earlier: &EarlierRuns) -> Markup {
    let counts = &run.history.counts;
    html! {
        table.compare {
            thead { tr {
                th scope="col" { "Count" }
                th.figure scope="col" { "Earlier" }
                th.figure scope="col" { "Now" }
            } }
            tbody {
                tr { th scope="row" { "Events" } td { (group_digits(earlier.events)) } td { (group_digits(run.history.events)) } }
                tr { th scope="row" { "States" } td { (group_digits(earlier.states)) } td { (group_digits(run.history.visits.len() as u64)) } }
                @for (kind, before) in &earlier.coverage {
                    tr {
                        th scope="row" { (capitalize(&format!("{kind} coverage"))) }
                        td { (format!("{:.1}%", before.percent())) }
                        td { @match counts.get(kind) { Some(now) => (format!("{:.1}%", now.percent())), None => "–" } }
                    }
                }
            }
        }
    }
}
