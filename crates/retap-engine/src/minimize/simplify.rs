//! Makes the remaining events as simple as possible. A change is kept only if the trace still passes.

use super::confirmed_events::{ConfirmedEvents, EventsVersion};
use super::{MinimizeRequest, passes};
use crate::Failure;
use retap_device::Lab;
use retap_model::Event;
use std::collections::BTreeSet;

/// Simplifies each event in turn.
pub fn simplify(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    answer: &mut ConfirmedEvents,
) -> Result<(), Failure> {
    for at in 0..answer.latest().events.len() {
        let simplified_before = answer.latest().simplified;
        // Ends, because each alternative is smaller than the event it replaces.
        while let Some(event) = first_that_passes(lab, request, &answer.latest().events, at)? {
            let mut version = answer.latest().clone();
            version.events[at] = event;
            answer.push(EventsVersion { simplified: simplified_before + 1, ..version });
        }
    }
    Ok(())
}

fn first_that_passes(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    events: &[Event],
    at: usize,
) -> Result<Option<Event>, Failure> {
    for alternative in alternatives(&events[at]) {
        let mut candidate = events.to_vec();
        candidate[at] = alternative.clone();
        if passes(lab, request, &candidate)? {
            return Ok(Some(alternative));
        }
    }
    Ok(None)
}

/// Returns simpler events that may have the same effect, the simplest first.
fn alternatives(event: &Event) -> Vec<Event> {
    match event {
        Event::Drag { from, .. } | Event::LongPress(from) => vec![Event::Tap(from.clone())],
        Event::Pinch { on, .. } => vec![Event::Tap(on.clone())],
        Event::Wait(ms) if *ms > 1 => vec![Event::Wait(ms / 2)],
        Event::Text { on, text } => {
            shorter(text).into_iter().map(|text| Event::Text { on: on.clone(), text }).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns shorter texts: none, one letter, either half, all but the last letter.
fn shorter(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let length = letters.len();
    let mut texts: Vec<String> = Vec::new();
    if length > 0 {
        texts.push(String::new());
    }
    if length > 1 {
        texts.push("a".into());
        texts.push(letters[..length / 2].iter().collect());
        texts.push(letters[length / 2..].iter().collect());
        texts.push(letters[..length - 1].iter().collect());
    }
    let mut seen = BTreeSet::new();
    texts.retain(|shorter| shorter.chars().count() < length && seen.insert(shorter.clone()));
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alternative_is_smaller_so_that_simplifying_ends() {
        for text in ["", "a", "ab", "hello world", "日本語"] {
            let length = text.chars().count();
            assert!(shorter(text).iter().all(|shorter| shorter.chars().count() < length));
        }
        assert_eq!(shorter("ab"), ["", "a", "b"]);
    }
}
