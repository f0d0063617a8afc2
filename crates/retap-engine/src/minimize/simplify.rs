//! Makes the remaining events as simple as possible. A change is kept only if the trace still passes.

use super::confirmed_events::{ConfirmedEvents, EventsVersion};
use super::{MinimizeRequest, passes};
use crate::Failure;
use retap_device::Lab;
use retap_model::Event;
use retap_model::event::HastyEvents;
use std::collections::BTreeSet;

/// Simplifies each event in turn.
pub fn simplify(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    answer: &mut ConfirmedEvents,
) -> Result<(), Failure> {
    let mut at = 0;
    while at < answer.latest().events.len() {
        let simplified_before = answer.latest().simplified;
        // Ends, because each alternative is smaller than the event it replaces.
        while let Some(simpler) = first_that_passes(lab, request, &answer.latest().events, at)? {
            let mut version = answer.latest().clone();
            version.events.splice(at..=at, simpler);
            answer.push(EventsVersion { simplified: simplified_before + 1, ..version });
        }
        at += 1;
    }
    Ok(())
}

fn first_that_passes(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    events: &[Event],
    at: usize,
) -> Result<Option<Vec<Event>>, Failure> {
    for alternative in alternatives(&events[at]) {
        let mut candidate = events.to_vec();
        candidate.splice(at..=at, alternative.iter().cloned());
        if passes(lab, request, &candidate)? {
            return Ok(Some(alternative));
        }
    }
    Ok(None)
}

/// Returns simpler events that may have the same effect, the simplest first.
fn alternatives(event: &Event) -> Vec<Vec<Event>> {
    if let Event::Hasty(hasty) = event {
        return less_hasty(hasty);
    }
    let simpler = match event {
        Event::Drag { from, .. } | Event::LongPress(from) => vec![Event::Tap(from.clone())],
        Event::Pinch { on, .. } => vec![Event::Tap(on.clone())],
        Event::Wait(ms) if *ms > 1 => vec![Event::Wait(ms / 2)],
        Event::Text { on, text } => {
            shorter(text).into_iter().map(|text| Event::Text { on: on.clone(), text }).collect()
        }
        _ => Vec::new(),
    };
    simpler.into_iter().map(|event| vec![event]).collect()
}

/// Returns what a hasty event may be without its haste: one part alone, all parts with rest between them, all but one of its
/// parts, no gap.
fn less_hasty(hasty: &HastyEvents) -> Vec<Vec<Event>> {
    let parts = hasty.events();
    let mut simpler: Vec<Vec<Event>> = parts.iter().map(|part| vec![part.clone()]).collect();
    simpler.push(parts.to_vec());
    let shorter = (0..parts.len()).map(|left_out| {
        let kept = parts.iter().enumerate().filter(|(at, _)| *at != left_out);
        (kept.map(|(_, part)| part.clone()).collect(), hasty.gap_ms())
    });
    let without_gap = (hasty.gap_ms() > 0).then(|| (parts.to_vec(), 0));
    let hasty = shorter.chain(without_gap).filter_map(|(events, gap_ms)| {
        HastyEvents::new(events, gap_ms).ok().map(|hasty| vec![Event::Hasty(hasty)])
    });
    simpler.extend(hasty);
    simpler.dedup();
    simpler
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
    use proptest::prelude::*;
    use retap_model::Key;

    #[test]
    fn every_alternative_is_smaller_so_that_simplifying_ends() {
        for text in ["", "a", "ab", "hello world", "日本語"] {
            let length = text.chars().count();
            assert!(shorter(text).iter().all(|shorter| shorter.chars().count() < length));
        }
        assert_eq!(shorter("ab"), ["", "a", "b"]);
    }

    proptest! {
        #[test]
        fn every_alternative_to_haste_has_less_of_it(count in 2..=HastyEvents::MAX_EVENTS, gap_ms in 0..=100u32) {
            let keys = (0..count).map(|n| if n % 2 == 0 { Key::back() } else { Key::menu() });
            let hasty = HastyEvents::new(keys.map(Event::Key).collect(), gap_ms).expect("few keys");
            let haste = |events: &[Event]| -> (usize, u32) {
                let hasty = events.iter().filter_map(|event| match event {
                    Event::Hasty(hasty) => Some((hasty.events().len(), hasty.gap_ms())),
                    _ => None,
                });
                hasty.max().unwrap_or_default()
            };
            let alternatives = alternatives(&Event::Hasty(hasty));
            prop_assert!(alternatives.iter().all(|events| haste(events) < (count, gap_ms)));
            prop_assert!(alternatives.iter().any(|events| haste(events) == (0, 0) && events.len() == count));
        }
    }
}
