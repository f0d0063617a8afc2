//! Drives the `checks` fixture: an app that states what a phone does, compares it with what it sees, and shows
//! the difference. The app says what to do next; this module does it and reads the results from the screen.

mod instruction;

use crate::device::{Device, DeviceError};
use instruction::parse_instruction;
use retap_model::{Event, Flags, Observation, Outcome, Screen, Selector, Target};

/// No group has as many steps; one that never ends is a failure.
const MAX_STEPS: usize = 60;

/// One check of the app and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhoneCheck {
    pub group: String,
    /// What a phone does, in one sentence.
    pub name: String,
    /// `expected …, saw …` if the device does something else.
    pub difference: Option<String>,
}

/// Runs every group, each on a fresh installation, and returns all checks in the app's order. A group that
/// does not end has a check of its own that says how it ended.
pub fn run_phone_checks(
    device: &mut dyn Device,
    world_seed: u64,
) -> Result<Vec<PhoneCheck>, DeviceError> {
    let first = device.reset(world_seed)?;
    let groups: Vec<String> = first
        .screen
        .actionable()
        .filter(|found| found.widget().has(Flags::CLICKABLE))
        .map(|found| found.label().to_string())
        .filter(|label| !label.is_empty())
        .collect();
    if groups.is_empty() {
        return Err(DeviceError::App(format!(
            "the app shows no group of checks: {:?} {:?}",
            first.outcome, first.host_limitations
        )));
    }
    let mut checks = Vec::new();
    for group in groups {
        device.reset(world_seed)?;
        checks.append(&mut run_group(device, &group)?);
    }
    Ok(checks)
}

fn run_group(device: &mut dyn Device, group: &str) -> Result<Vec<PhoneCheck>, DeviceError> {
    let mut seen = device.perform(&tap(Selector { text: group.into(), ..Selector::default() }))?;
    if ended(&seen.outcome) {
        return Ok(unfinished(group, "its beginning", &seen, &seen.screen));
    }
    for _ in 0..MAX_STEPS {
        let next = text_of(&seen.screen, "next").to_string();
        let Some(instructions) = next.strip_prefix("next: ") else { break };
        for instruction in instructions.split("; ") {
            seen = perform(device, instruction)?;
            if ended(&seen.outcome) {
                break;
            }
        }
        let outcome = seen.outcome.clone();
        let before = seen.screen.clone();
        if !ended(&outcome) {
            seen = device.perform(&tap(Selector { id: "look".into(), ..Selector::default() }))?;
        }
        if ended(&seen.outcome) || seen.outcome == Outcome::Missed {
            return Ok(unfinished(group, &next, &seen, &before));
        }
    }
    Ok(read_results(group, text_of(&seen.screen, "results")))
}

fn perform(device: &mut dyn Device, instruction: &str) -> Result<Observation, DeviceError> {
    match parse_instruction(instruction) {
        Some(event) => device.perform(&event),
        None => Err(DeviceError::App(format!(
            "the app asks for {instruction:?}, which is no instruction"
        ))),
    }
}

fn ended(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Crashed(_) | Outcome::NotResponding { .. } | Outcome::Exited)
}

fn tap(on: Selector) -> Event {
    Event::Tap(Target { on: Some(on), at: None })
}

/// The results so far, and one more that says what happened instead of the rest.
fn unfinished(group: &str, next: &str, seen: &Observation, before: &Screen) -> Vec<PhoneCheck> {
    let mut checks = read_results(group, text_of(before, "results"));
    let ending = match &seen.outcome {
        Outcome::Crashed(crash) => crash.stack.lines().take(3).collect::<Vec<_>>().join(" "),
        other => format!("{other:?} on {}", before.activity),
    };
    checks.push(PhoneCheck {
        group: group.into(),
        name: format!("{group} goes on after {:?}", next.trim_start_matches("next: ")),
        difference: Some(ending),
    });
    checks
}

/// Each line is `name: ok` or `name: expected …, saw …`.
fn read_results(group: &str, results: &str) -> Vec<PhoneCheck> {
    let check = |name: &str, difference: Option<String>| PhoneCheck {
        group: group.into(),
        name: name.into(),
        difference,
    };
    results
        .lines()
        .filter_map(|line| match line.strip_suffix(": ok") {
            Some(name) => Some(check(name, None)),
            None => line
                .split_once(": expected ")
                .map(|(name, rest)| check(name, Some(format!("expected {rest}")))),
        })
        .collect()
}

fn text_of<'s>(screen: &'s Screen, id: &str) -> &'s str {
    screen
        .windows
        .iter()
        .rev()
        .flat_map(|window| &window.widgets)
        .find(|widget| widget.id == id || widget.id.ends_with(&format!("/{id}")))
        .map_or("", |widget| widget.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_with_their_differences() {
        let read = read_results("G", "a: b c: expected 1: ok, saw 2\nplain: ok\n");
        let shown: Vec<_> =
            read.iter().map(|c| (c.name.as_str(), c.difference.as_deref())).collect();
        assert_eq!(shown, [("a: b c", Some("expected 1: ok, saw 2")), ("plain", None)]);
    }
}
