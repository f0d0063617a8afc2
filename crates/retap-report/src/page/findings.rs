//! A card for everything that is wrong and no crash.

use super::crashes::{command, rate_bar};
use super::steps;
use crate::album::Album;
use crate::finding::Found;
use crate::run::Run;
use maud::{Markup, html};

pub fn section(run: &Run, album: &mut Album) -> Option<Markup> {
    if run.findings.is_empty() {
        return None;
    }
    let cards: Vec<Markup> = run.findings.iter().map(|found| card(run, found, album)).collect();
    Some(html! {
        section #findings {
            h2 { "Other findings" }
            p.quiet { "Each was shown a second time before it was believed." }
            @for card in &cards { (card) }
        }
    })
}

fn card(run: &Run, found: &Found, album: &mut Album) -> Markup {
    let caption = "The screen before the last event";
    let picture = album.show(&found.picture, caption);
    let trace = run.dir.join(&found.trace).display().to_string();
    html! {
        article.crash.finding id={ "finding-" (found.id) } {
            div.story {
                h3 { (found.finding.kind) }
                p.message { bdi { (found.finding.message) } }
                @if !found.finding.activity.is_empty() {
                    p.place { "in " code { bdi { (found.finding.activity) } } }
                }
                (steps::list(&found.steps, found.events_minimized.or(Some(found.events_found))))
                ul.facts {
                    @match found.events_minimized {
                        Some(minimized) => li { b { (found.events_found) " → " (minimized) } " events" },
                        None => li { b { (found.events_found) } " events, not minimised" },
                    }
                    li { "id " code { (found.id) } }
                }
                @if let Some(rate) = &found.success { (rate_bar(rate)) }
                details { summary { "Commands" } pre {
                    "# see it happen again\n"
                    (command(run, "replay", &trace))
                } }
            }
            @if let Some(picture) = picture {
                figure.last { (picture) figcaption { (caption) } }
            }
        }
    }
}
