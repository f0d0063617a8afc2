//! A card for every crash: the exception, the steps that lead to it as sentences and as pictures, the success rate of
//! those steps, the stack, and what one wants to copy.

use crate::charts::render_rate_bar;
use crate::page::PageSection;
use crate::page::commands::{command, copy_button, export_button};
use crate::page::film::film_strip;
use crate::page::images::ImageStore;
use crate::page::stack::stack;
use crate::page::steps::list_steps;
use crate::run::{CrashChange, ReportedCrash, RunData};
use crate::text::{format_count, simple_class_name};
use maud::{Markup, html};

/// The caption of the screenshot on a card.
pub const SCREENSHOT_CAPTION: &str = "The screen before the last event";
/// With fewer crashes there is nothing to search or sort.
const MIN_FOR_TOOLS: usize = 3;

pub fn section(run: &RunData, images: &mut ImageStore) -> Option<PageSection> {
    if run.is_minimization() && run.crashes.is_empty() {
        return None;
    }
    let cards: Vec<Markup> = run.crashes.iter().map(|crash| card(run, crash, images)).collect();
    let body = html! {
        @if cards.is_empty() { p.quiet { "The run found no crash." } }
        @if cards.len() >= MIN_FOR_TOOLS { (tools()) }
        div #crash-cards { @for card in &cards { (card) } }
        p.quiet #no-match hidden { "No crash matches." }
    };
    Some(PageSection::new("crashes", "Crashes", body).counted(run.crashes.len()))
}

fn tools() -> Markup {
    html! {
        div.tools role="search" aria-label="Crashes" {
            label { "Search " input #crash-search type="search" autocomplete="off"; }
            label { "Sort by "
                select #crash-sort {
                    option value="events" { "fewest events" }
                    option value="first" { "first occurrence" }
                    option value="seen" { "most occurrences" }
                    option value="rate" { "highest success rate" }
                    option value="name" { "exception" }
                }
            }
            label { "Show "
                select #crash-filter {
                    option value="all" { "all" }
                    option value="own" { "with code of the app" }
                    option value="high" { "high confidence" }
                    option value="low" { "low confidence" }
                    option value="flaky" { "flaky" }
                }
            }
        }
    }
}

fn card(run: &RunData, crash: &ReportedCrash, images: &mut ImageStore) -> Markup {
    let film = film_strip(run, &crash.steps, images);
    let last =
        if film.is_none() { images.show(&crash.screenshot, SCREENSHOT_CAPTION) } else { None };
    let rate = crash.success.as_ref().map(|rate| rate.value());
    let flaky = rate.is_some_and(|rate| rate < 1.0);
    let first = run.history.first_crashes.get(&crash.id);
    html! {
        article.crash id={ "crash-" (crash.id) }
            data-events=(crash.events_minimized.or(crash.events_recorded).unwrap_or(u64::MAX))
            data-first=(first.copied().unwrap_or(u64::MAX)) data-seen=(crash.occurrences.unwrap_or(0))
            data-rate=(rate.unwrap_or(-1.0)) data-name=(simple_class_name(&crash.exception))
            data-confidence=(crash.confidence()) data-own=(crash.has_own_code) data-flaky=(flaky) {
            div.card-top {
                div.details {
                    h3 { bdi { (simple_class_name(&crash.exception)) } (badges(run, crash, flaky)) }
                    @if !crash.has_own_code { p.quiet { "The stack has no frame of the app or its libraries." } }
                    @if !crash.message.is_empty() { p.message { bdi { (crash.message) } } }
                    @if !crash.frame.is_empty() { p.location { "at " code { bdi { (crash.frame) } } } }
                    (list_steps(&crash.steps, crash.events_minimized.or(crash.events_recorded)))
                    (facts(run, crash))
                }
                @if let Some(last) = last { figure.last { (last) figcaption { (SCREENSHOT_CAPTION) } } }
            }
            @if let Some(film) = film { (film) }
            (stack(crash))
            (actions(run, crash))
        }
    }
}

fn badges(run: &RunData, crash: &ReportedCrash, flaky: bool) -> Markup {
    html! {
        @match run.earlier.as_ref().map(|earlier| earlier.change(crash.id)) {
            Some(CrashChange::New) => { " " span.badge.bad { "new" } },
            Some(CrashChange::StillThere) => { " " span.badge.fair { "still there" } },
            None => {},
        }
        @if flaky { " " span.badge.fair { "flaky" } }
    }
}

fn facts(run: &RunData, crash: &ReportedCrash) -> Markup {
    html! {
        @if let Some(rate) = &crash.success { (render_rate_bar("reproduces", rate)) }
        ul.facts {
            (events_fact(crash.events_recorded, crash.events_minimized))
            @if let Some(count) = crash.occurrences {
                li { "occurred " b { (format_count(count, "time")) } }
            }
            @if let Some(calls) = crash.oracle_calls {
                li { b { (format_count(calls, "oracle call")) } }
            }
            @if run.is_joined() { li { "met by run " b { (run_numbers(&crash.runs)) } } }
            li { "confidence " b { (crash.confidence()) } }
            li { "id " code { (crash.id) } }
        }
        @if !crash.doubts.is_empty() {
            ul.doubts { @for doubt in &crash.doubts { li { bdi { (doubt) } } } }
        }
    }
}

/// Formats the places of runs as the numbers of the list of runs: `1, 3`.
fn run_numbers(runs: &[usize]) -> String {
    runs.iter().map(|run| (run + 1).to_string()).collect::<Vec<_>>().join(", ")
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

fn actions(run: &RunData, crash: &ReportedCrash) -> Markup {
    let best = crash.trace.display().to_string();
    let folder = &crash.folder;
    let recorded = folder.join("trace.jsonl").display().to_string();
    let measure = format!("{} --runs 20 --vary-world", command(run, "replay", &best));
    html! {
        div.actions {
            (copy_button("Copy the replay command", &command(run, "replay", &best)))
            (export_button(&folder.display().to_string()))
            @if !crash.markdown.is_empty() { (copy_button("Copy the bug report", &crash.markdown)) }
        }
        details {
            summary { "More commands" }
            pre tabindex="0" {
                "# Measure the success rate in 20 runs, each with another world seed\n" (measure) "\n\n"
                "# Search longer for a shorter trace\n" (command(run, "minimize", &recorded))
            }
        }
    }
}
