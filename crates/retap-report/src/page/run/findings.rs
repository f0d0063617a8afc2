//! A card for every finding.

use super::crashes::{SCREENSHOT_CAPTION, events_fact};
use crate::charts::render_rate_bar;
use crate::page::PageSection;
use crate::page::commands::{command, copy_button, export_button};
use crate::page::film::film_strip;
use crate::page::images::ImageStore;
use crate::page::steps::list_steps;
use crate::run::{ReportedFinding, RunData};
use crate::text::capitalize;
use maud::{Markup, html};

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<PageSection> {
    if run.findings.is_empty() {
        return None;
    }
    let cards: Vec<Markup> = run.findings.iter().map(|found| card(run, found, images)).collect();
    let body = html! {
        p.quiet { "retap reproduced each finding a second time before it reported it." }
        @for card in &cards { (card) }
    };
    Some(PageSection::new("findings", "Other findings", body).counted(run.findings.len()))
}

fn card(run: &RunData, reported: &ReportedFinding, images: &mut ImageStore) -> Markup {
    let finding = &reported.finding;
    let film = film_strip(run, &reported.steps, images);
    let last =
        if film.is_none() { images.show(&reported.screenshot, SCREENSHOT_CAPTION) } else { None };
    let trace = reported.trace.display().to_string();
    let events = reported.events_minimized.or(Some(reported.events_recorded));
    html! {
        article.crash.finding id={ "finding-" (reported.id) } {
            div.card-top {
                div.details {
                    h3 { (capitalize(&finding.kind.to_string())) }
                    p.message { bdi { (finding.message) } }
                    @if !finding.activity.is_empty() {
                        p.location { "in " code { bdi { (finding.activity) } } }
                    }
                    (list_steps(&reported.steps, events))
                    @if let Some(rate) = &reported.success { (render_rate_bar("reproduces", rate)) }
                    ul.facts {
                        (events_fact(Some(reported.events_recorded), reported.events_minimized))
                        li { "id " code { (reported.id) } }
                    }
                }
                @if let Some(last) = last { figure.last { (last) figcaption { (SCREENSHOT_CAPTION) } } }
            }
            @if let Some(film) = film { (film) }
            div.actions {
                (copy_button("Copy the replay command", &command(run, "replay", &trace)))
                (export_button(&trace))
            }
        }
    }
}
