//! The answer of a tool: a text that fits into a conversation, and a picture if one was asked for.

use retap_drive::{ExploredPart, KnownState, MoveAnswer, ReplayedRuns, SessionCrash};
use retap_model::printable::printable;
use std::fmt::Write;

/// The longest text of an answer.
const MAX_LETTERS: usize = 12_000;
/// The frames of a stack that are shown.
const MAX_FRAMES: usize = 25;

/// The answer of a tool.
#[derive(Debug, Clone, Default)]
pub struct ToolAnswer {
    pub text: String,
    /// A PNG.
    pub picture: Option<Vec<u8>>,
}

impl ToolAnswer {
    /// Returns an answer in words. Apps choose parts of most texts, so that it is made printable, and cut if it is long.
    pub fn text(text: &str) -> Self {
        let text = printable(text.trim_end());
        let end = text.char_indices().nth(MAX_LETTERS).map(|(end, _)| end);
        let text = match end {
            Some(end) => format!("{}\n… cut: the rest is in the run directory", &text[..end]),
            None => text.into_owned(),
        };
        Self { text, picture: None }
    }

    pub fn with_picture(mut self, picture: Option<Vec<u8>>) -> Self {
        self.picture = picture;
        self
    }
}

/// Describes where the app is.
pub fn describe(answer: &MoveAnswer) -> String {
    let mut text = String::new();
    let activity = answer.screen.activity.as_str();
    let activity = if activity.is_empty() { "no activity of the app" } else { activity };
    let new = if answer.new_state { ", not seen before" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}: {activity}, {}, state {}{new}",
        answer.outcome, answer.screen.orientation, answer.state
    );
    if let Some(crash) = answer.crash {
        let _ = writeln!(
            text,
            "CRASH {crash}. Next: `crash` with this id shows the stack and the fewest steps; `restart` or `go` goes on."
        );
    } else if answer.gone {
        let _ = writeln!(text, "The app is gone. Next: `restart`, or `go` to a state.");
    }
    if answer.outcome == "missed" {
        let _ = writeln!(text, "The widget was not there, so nothing was done. Next: `screen`.");
    }
    for limitation in &answer.host_limitations {
        let _ = writeln!(text, "The device lacks something that a phone has: {limitation}");
    }
    if !answer.gone {
        text.push_str(&answer.screen.to_text());
    }
    text
}

pub fn describe_states(states: &[KnownState]) -> String {
    let mut text = String::new();
    for state in states {
        let name = if state.names.is_empty() {
            String::new()
        } else {
            format!(" \"{}\"", state.names.join("\", \""))
        };
        let away = state
            .events_away
            .map_or("no way known".into(), |events| format!("{events} events away"));
        let here = if state.is_here { ", here" } else { "" };
        let activity = state.activity.rsplit('.').next().unwrap_or_default();
        let _ = writeln!(
            text,
            "{}{name} {activity} {} ({away}, {} visits{here})",
            state.number, state.state, state.visits
        );
    }
    text
}

pub fn describe_explored(part: &ExploredPart) -> String {
    let covered = part
        .covered
        .map_or_else(String::new, |percent| format!(", {percent:.1}% of branches covered"));
    let cut = if part.interrupted { " (interrupted)" } else { "" };
    let mut text = format!(
        "{} events{cut}, {} new states of {}{covered}\n",
        part.events, part.new_states, part.states
    );
    match part.new_crashes.as_slice() {
        [] => text.push_str("No new crash.\n"),
        ids => {
            for id in ids {
                let _ = writeln!(text, "New crash {id}. Next: `crash` with this id.");
            }
        }
    }
    text
}

/// Describes a crash on a few lines.
pub fn describe_crash(crash: &SessionCrash) -> String {
    let mut text = format!("{} {}: {}\n", crash.id, crash.exception, crash.message);
    if !crash.place.is_empty() {
        let _ = writeln!(text, "  at {}", crash.place);
    }
    let rate = crash.success.map_or_else(String::new, |rate| {
        format!(", reproduces in {} of {} runs", rate.successes, rate.runs)
    });
    let _ = writeln!(
        text,
        "  seen {} times, {} events, confidence {}{rate}",
        crash.seen, crash.events, crash.confidence
    );
    for doubt in &crash.doubts {
        let _ = writeln!(text, "  doubt: {doubt}");
    }
    for (step, number) in crash.steps.iter().zip(1..) {
        let _ = writeln!(text, "  {number}. {step}");
    }
    if !crash.minimized {
        text.push_str("  not minimised yet: `crash` with minimize set to true\n");
    }
    text
}

/// Describes a crash with the beginning of its stack.
pub fn describe_crash_whole(crash: &SessionCrash) -> String {
    let mut text = describe_crash(crash);
    text.push_str("Stack:\n");
    for line in crash.stack.lines().take(MAX_FRAMES) {
        let _ = writeln!(text, "{line}");
    }
    let more = crash.stack.lines().count().saturating_sub(MAX_FRAMES);
    if more > 0 {
        let _ = writeln!(text, "… {more} more lines");
    }
    let _ = writeln!(text, "Folder: {}", crash.folder);
    text
}

pub fn describe_replay(replayed: &ReplayedRuns) -> String {
    let mut text = String::new();
    if let Some(rate) = replayed.reproduced {
        let _ = writeln!(text, "Reproduces its crash in {} of {} runs", rate.successes, rate.runs);
    }
    let _ = writeln!(
        text,
        "{} events, faithful in {} of {} runs",
        replayed.events, replayed.faithful.successes, replayed.faithful.runs
    );
    for (outcome, count) in &replayed.outcomes {
        let _ = writeln!(text, "  ended {count} times: {outcome}");
    }
    for divergence in replayed.divergences.iter().take(3) {
        let _ = writeln!(
            text,
            "  run {} diverged {}, after: {}",
            divergence.run, divergence.difference, divergence.event
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_short_and_shows_what_an_app_hides() {
        let long = ToolAnswer::text(&"x".repeat(50_000)).text;
        assert!(long.len() < 13_000 && long.contains("cut"), "{}", long.len());
        assert_eq!(ToolAnswer::text("a\u{1b}[2J\u{202e}b\n").text, "a\\u{1b}[2J\\u{202e}b");
    }
}
