//! A card for every crash: the exception, the steps that lead to it, and the success rate of those steps.

use crate::charts::render_rate_bar;
use crate::page::commands::command;
use crate::page::images::ImageStore;
use crate::page::steps::list_steps;
use crate::run::{ReportedCrash, RunData};
use crate::text::{format_count, simple_class_name};
use maud::{Markup, html};

/// The caption of the screenshot on a card.
pub const SCREENSHOT_CAPTION: &str = "The screen before the last event";

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<Markup> {
    if run.is_minimization() && run.crashes.is_empty() {
        return None;
    }
    let cards: Vec<Markup> = run.crashes.iter().map(|crash| card(run, crash, images)).collect();
    let first_foreign = run.crashes.iter().find(|crash| !crash.has_own_code).map(|it| it.id);
    Some(html! {
        section #crashes {
            h2 { "Crashes" }
            @if cards.is_empty() { p.quiet { "The run found no crash." } }
            @for (crash, card) in run.crashes.iter().zip(&cards) {
                @if first_foreign == Some(crash.id) {
                    h3 { "Crashes without code of the app" }
                    p.quiet { "Their stacks have no frame of the app or its libraries." }
                }
                (card)
            }
        }
    })
}

fn card(run: &RunData, crash: &ReportedCrash, images: &mut ImageStore) -> Markup {
    let screenshot = images.show(&crash.screenshot, SCREENSHOT_CAPTION);
    html! {
        article.crash id={ "crash-" (crash.id) } {
            div.details {
                h3 { bdi { (simple_class_name(&crash.exception)) } }
                @if !crash.message.is_empty() { p.message { bdi { (crash.message) } } }
                @if !crash.frame.is_empty() { p.location { "at " code { bdi { (crash.frame) } } } }
                (list_steps(&crash.steps, crash.events_minimized.or(crash.events_recorded)))
                (facts(crash))
                (stack(crash))
                (commands(run, crash))
            }
            @if let Some(screenshot) = screenshot {
                figure.last { (screenshot) figcaption { (SCREENSHOT_CAPTION) } }
            }
        }
    }
}

fn facts(crash: &ReportedCrash) -> Markup {
    html! {
        ul.facts {
            (events_fact(crash.events_recorded, crash.events_minimized))
            @if let Some(count) = crash.occurrences {
                li { "occurred " b { (format_count(count, "time")) } }
            }
            @if let Some(calls) = crash.oracle_calls {
                li { b { (format_count(calls, "oracle call")) } }
            }
            li { "confidence " b { (crash.confidence()) } }
            li { "id " code { (crash.id) } }
        }
        @if !crash.doubts.is_empty() {
            ul.doubts { @for doubt in &crash.doubts { li { bdi { (doubt) } } } }
        }
        @if let Some(rate) = &crash.success { (render_rate_bar("reproduces", rate)) }
    }
}

/// Says how long the recorded trace and the minimised trace are.
pub fn events_fact(recorded: Option<u64>, minimized: Option<u64>) -> Markup {
    html! {
        @match (recorded, minimized) {
            (Some(recorded), Some(minimized)) => li {
                b { (format_count(recorded, "event")) } " recorded, " b { (minimized) } " after minimising"
            },
            (Some(recorded), None) => li { b { (format_count(recorded, "event")) } " recorded, not minimised" },
            (None, Some(minimized)) => li { b { (format_count(minimized, "event")) } " after minimising" },
            (None, None) => li { "no trace was kept" },
        }
    }
}

fn stack(crash: &ReportedCrash) -> Markup {
    html! {
        @if !crash.stack.is_empty() {
            details { summary { "Stack trace" } pre { (crash.stack) } }
        }
    }
}

fn commands(run: &RunData, crash: &ReportedCrash) -> Markup {
    let best = run.dir.join(&crash.trace).display().to_string();
    let recorded = run.dir.join("crashes").join(crash.id.to_string()).join("trace.jsonl");
    html! {
        details {
            summary { "Commands" }
            pre {
                "# Replay the crash\n"
                (command(run, "replay", &best)) "\n\n"
                "# Measure the success rate in 20 runs, each with another world seed\n"
                (command(run, "replay", &best)) " --runs 20 --vary-world\n\n"
                "# Search longer for a shorter trace\n"
                (command(run, "minimize", &recorded.display().to_string()))
            }
        }
    }
}
