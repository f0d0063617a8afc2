//! A card for every finding.

use super::crashes::{SCREENSHOT_CAPTION, events_fact};
use crate::charts::render_rate_bar;
use crate::page::commands::command;
use crate::page::images::ImageStore;
use crate::page::steps::list_steps;
use crate::run::{ReportedFinding, RunData};
use crate::text::capitalize;
use maud::{Markup, html};

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<Markup> {
    if run.findings.is_empty() {
        return None;
    }
    let cards: Vec<Markup> = run.findings.iter().map(|found| card(run, found, images)).collect();
    Some(html! {
        section #findings {
            h2 { "Other findings" }
            p.quiet { "retap reproduced each finding a second time before it reported it." }
            @for card in &cards { (card) }
        }
    })
}

fn card(run: &RunData, reported: &ReportedFinding, images: &mut ImageStore) -> Markup {
    let finding = &reported.finding;
    let screenshot = images.show(&reported.screenshot, SCREENSHOT_CAPTION);
    let trace = run.dir.join(&reported.trace).display().to_string();
    let events = reported.events_minimized.or(Some(reported.events_recorded));
    html! {
        article.crash.finding id={ "finding-" (reported.id) } {
            div.details {
                h3 { (capitalize(&finding.kind.to_string())) }
                p.message { bdi { (finding.message) } }
                @if !finding.activity.is_empty() {
                    p.location { "in " code { bdi { (finding.activity) } } }
                }
                (list_steps(&reported.steps, events))
                ul.facts {
                    (events_fact(Some(reported.events_recorded), reported.events_minimized))
                    li { "id " code { (reported.id) } }
                }
                @if let Some(rate) = &reported.success { (render_rate_bar("reproduces", rate)) }
                details { summary { "Commands" } pre {
                    "# Replay the finding\n"
                    (command(run, "replay", &trace))
                } }
            }
            @if let Some(screenshot) = screenshot {
                figure.last { (screenshot) figcaption { (SCREENSHOT_CAPTION) } }
            }
        }
    }
}
