//! Beyond leaving events out: the events that remain, made as plain as they can be. Each change is kept
//! only if the trace passes as before.

use super::{Request, passes};
use crate::failure::Failure;
use retap_device::Lab;
use retap_model::Event;
use std::collections::BTreeSet;

/// How many events became simpler.
pub fn simplify(
    lab: &mut Lab<'_>,
    request: &Request<'_>,
    events: &mut [Event],
) -> Result<usize, Failure> {
    let mut changed = 0;
    for at in 0..events.len() {
        let mut simpler = false;
        // Until none of the alternatives works; each is smaller than what it replaces, so this ends.
        while let Some(event) = first_that_passes(lab, request, events, at)? {
            events[at] = event;
            simpler = true;
        }
        changed += usize::from(simpler);
    }
    Ok(changed)
}

fn first_that_passes(
    lab: &mut Lab<'_>,
    request: &Request<'_>,
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

/// Plainer events that may do the same, plainest first.
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

/// Nothing, one letter, either half, all but the last letter.
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
