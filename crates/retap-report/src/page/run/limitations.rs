//! The host limitations that the run met, apart from what is wrong with the app.

use crate::page::PageSection;
use crate::page::commands::{command, copy_button};
use crate::page::images::ImageStore;
use crate::page::steps::list_steps;
use crate::run::{ReportedLimitation, RunData};
use crate::text::format_count;
use maud::{Markup, html};

pub fn section(run: &RunData, _: &mut ImageStore) -> Option<PageSection> {
    let limitations = match &run.summary {
        Some(summary) => &summary.host_limitations,
        None => &run.history.host_limitations,
    };
    if limitations.is_empty() {
        return None;
    }
    let body = html! {
        p.quiet { "A phone has these and this device lacks them. They are no faults of the app." }
        @for (sentence, count) in limitations {
            @let met = run.limitations.iter().find(|met| met.what == *sentence);
            article.limitation {
                p.message { bdi { (sentence) } }
                ul.facts {
                    li { b { (format_count(*count, "time")) } }
                    @if let Some(met) = met { li { (format_count(met.events, "event")) " lead there" } }
                }
                @if let Some(met) = met { (way_there(run, met)) }
            }
        }
    };
    Some(PageSection::new("limitations", "Host limitations", body).counted(limitations.len()))
}

fn way_there(run: &RunData, met: &ReportedLimitation) -> Markup {
    let trace = met.trace.display().to_string();
    html! {
        details {
            summary { "Steps" }
            (list_steps(&met.steps, Some(met.events)))
        }
        div.actions { (copy_button("Copy the replay command", &command(run, "replay", &trace))) }
    }
}
