//! A card for every crash: what it is, how to get there, and how sure that is.

use super::number::percent;
use super::steps;
use crate::album::Album;
use crate::crash::FoundCrash;
use crate::run::Run;
use crate::sentence::short;
use maud::{Markup, html};
use retap_model::Rate;

pub fn section(run: &Run, album: &mut Album) -> Option<Markup> {
    if run.info.verb == "minimize" && run.crashes.is_empty() {
        return None;
    }
    let cards: Vec<Markup> = run.crashes.iter().map(|crash| card(run, crash, album)).collect();
    Some(html! {
        section #crashes {
            h2 { "Crashes" }
            @if cards.is_empty() { p.quiet { "None was met." } }
            @for card in &cards { (card) }
        }
    })
}

fn card(run: &Run, crash: &FoundCrash, album: &mut Album) -> Markup {
    let caption = "The screen before the last event";
    let picture = album.show(&crash.picture, caption);
    html! {
        article.crash id={ "crash-" (crash.id) } {
            div.story {
                h3 { bdi { (short(&crash.exception)) } }
                @if !crash.message.is_empty() { p.message { bdi { (crash.message) } } }
                @if !crash.place.is_empty() { p.place { "at " code { bdi { (crash.place) } } } }
                (steps::list(&crash.steps, crash.events_minimized.or(crash.events_found)))
                (facts(crash))
                (stack(crash))
                (commands(run, crash))
            }
            @if let Some(picture) = picture {
                figure.last { (picture) figcaption { (caption) } }
            }
        }
    }
}

fn facts(crash: &FoundCrash) -> Markup {
    html! {
        ul.facts {
            @match (crash.events_found, crash.events_minimized) {
                (Some(found), Some(minimized)) => li { b { (found) " → " (minimized) } " events" },
                (Some(found), None) => li { b { (found) } " events, not minimised" },
                (None, Some(minimized)) => li { b { (minimized) } " events" },
                (None, None) => li { "no trace was kept" },
            }
            @if let Some(seen) = crash.seen { li { "met " b { (seen) "×" } } }
            @if let Some(calls) = crash.oracle_calls { li { b { (calls) } " oracle calls" } }
            li { "id " code { (crash.id) } }
        }
        @if let Some(rate) = &crash.success { (rate_bar(rate)) }
    }
}

/// How often it works in other worlds: the share, and the interval around it.
pub fn rate_bar(rate: &Rate) -> Markup {
    const WIDTH: f64 = 160.0;
    let (low, high) = rate.interval();
    let scaled = |share: f64| format!("{:.1}", share * WIDTH);
    html! {
        p.rate title=(rate) {
            svg viewBox="0 0 160 12" width="160" height="12" role="img" aria-label=(rate) {
                rect.ground y="3" width=(WIDTH) height="6" rx="3" {}
                rect.value y="3" width=(scaled(rate.value())) height="6" rx="3" {}
                rect.interval x=(scaled(low)) y="0" width=(scaled((high - low).max(0.01))) height="12" rx="2" {}
            }
            span {
                "works in " b { (rate.successes) " of " (rate.runs) } " worlds "
                span.quiet { "(95% interval " (percent(low)) "–" (percent(high)) ")" }
            }
        }
    }
}

fn stack(crash: &FoundCrash) -> Markup {
    html! {
        @if !crash.stack.is_empty() {
            details { summary { "Stack" } pre { (crash.stack) } }
        }
    }
}

fn commands(run: &Run, crash: &FoundCrash) -> Markup {
    let trace = run.dir.join(&crash.trace).display().to_string();
    let found = run.dir.join("crashes").join(crash.id.to_string()).join("trace.jsonl");
    html! {
        details {
            summary { "Commands" }
            pre {
                "# see it happen again\n"
                (command(run, "replay", &trace)) "\n\n"
                "# how often does it work elsewhere?\n"
                (command(run, "replay", &trace)) " --runs 20 --vary-world\n\n"
                "# look longer for something shorter\n"
                (command(run, "minimize", &found.display().to_string()))
            }
        }
    }
}

/// The command as it is typed, on the device and app of this run.
pub fn command(run: &Run, verb: &str, trace: &str) -> String {
    let apk = &run.info.apk;
    let device = match run.info.device.as_str() {
        "fake" => format!("-d {}", quoted(&format!("fake:{apk}"))),
        device => format!("{} -d {}", quoted(apk), quoted(device)),
    };
    format!("retap {verb} {} {device}", quoted(trace))
}

/// One word for a shell, whatever is in it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(quoted("out/trace.jsonl"), "out/trace.jsonl");
        assert_eq!(quoted("my app.apk"), "'my app.apk'");
        assert_eq!(quoted("a';rm -rf ~;'"), r"'a'\'';rm -rf ~;'\'''");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn a_rate_is_drawn_with_its_interval() {
        let rate = Rate { successes: 18, runs: 20 };
        insta::assert_snapshot!(rate_bar(&rate).into_string().replace("><", ">\n<"));
    }
}
