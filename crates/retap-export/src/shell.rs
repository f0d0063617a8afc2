//! Events as commands of Android's shell. Every other language falls back on them for what is not a touch.

use crate::trace::ExportedTrace;
use retap_model::event::HastyEvents;
use retap_model::format::rotation;
pub use retap_model::format::shell::{LONG_PRESS_MS, key_name, seconds};
use retap_model::format::shell::{intent_arguments, quote, system};
use retap_model::printable::printable_line;
use retap_model::{Event, Key, Point, Target};

/// The most characters of a field that are deleted before it is typed into.
const FIELD_LEN: usize = 60;

/// Returns the commands that clear the app's data and launch it.
pub fn clean_launch(trace: &ExportedTrace<'_>) -> Vec<String> {
    let package = quote(trace.package());
    let mut commands = vec![
        format!("pm clear {package}"),
        "settings put system accelerometer_rotation 0".into(),
        "settings put system user_rotation 0".into(),
    ];
    commands.push(launch(trace));
    commands
}

/// Returns the command that brings the app to the front, as its icon does.
pub fn launch(trace: &ExportedTrace<'_>) -> String {
    retap_model::format::shell::launch(trace.package(), trace.entry)
}

/// Returns the commands for an event, or why the shell cannot perform it.
pub fn commands(event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
    let commands = unchecked_commands(event, trace)?;
    // Whoever looks at the script would not see what it does.
    if commands.iter().any(|command| printable_line(command) != *command) {
        return Err(format!("no command can show all characters of: {event}"));
    }
    Ok(commands)
}

fn unchecked_commands(event: &Event, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
    Ok(match event {
        Event::Tap(target) => vec![tap(target)?],
        Event::LongPress(target) => {
            let Point { x, y } = place(target)?;
            vec![format!("input swipe {x} {y} {x} {y} {LONG_PRESS_MS}")]
        }
        Event::Drag { from, to, ms } => {
            let Point { x, y } = place(from)?;
            vec![format!("input swipe {x} {y} {} {} {ms}", to.x, to.y)]
        }
        Event::Pinch { .. } => return Err("the shell has no second finger".into()),
        Event::Text { on, text } => type_into(on, text)?,
        Event::Key(key) => vec![press(key)?],
        Event::Rotate(orientation) => {
            vec![format!("settings put system user_rotation {}", rotation::number(*orientation))]
        }
        Event::Intent(intent) => vec![format!("am start -W{}", intent_arguments(intent))],
        Event::System(event) => system(event, trace.package(), &launch(trace))?,
        Event::Wait(ms) => vec![format!("sleep {}", seconds(*ms))],
        Event::Launch => vec![launch(trace)],
        Event::Close => vec![format!("am force-stop {}", quote(trace.package()))],
        Event::Hasty(hasty) => vec![hurry(hasty, trace)?],
    })
}

/// Returns one command that does several events. Each `input` takes the phone a few hundred milliseconds to start, so that
/// events in one go are started side by side.
fn hurry(hasty: &HastyEvents, trace: &ExportedTrace<'_>) -> Result<String, String> {
    let mut commands = Vec::new();
    for part in hasty.events() {
        commands.extend(unchecked_commands(part, trace)?);
    }
    Ok(match hasty.gap_ms() {
        0 => format!("{} & wait", commands.join(" & ")),
        ms => commands.join(&format!(" & sleep {}; ", seconds(ms))),
    })
}

fn place(target: &Target) -> Result<Point, String> {
    target.at.ok_or_else(|| format!("the place of {target} is unknown"))
}

fn tap(target: &Target) -> Result<String, String> {
    place(target).map(|at| format!("input tap {} {}", at.x, at.y))
}

fn type_into(on: &Target, text: &str) -> Result<Vec<String>, String> {
    if !text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) {
        return Err(format!("`input text` types only printable ASCII characters, not {text:?}"));
    }
    let mut commands = Vec::new();
    if on.at.is_some() || on.on.is_some() {
        commands.push(tap(on)?);
    }
    // 67 is KEYCODE_DEL.
    let deletions = ["67"; FIELD_LEN].join(" ");
    commands.push(format!("input keyevent KEYCODE_MOVE_END {deletions}"));
    commands.extend(type_text(text));
    Ok(commands)
}

/// Returns the commands that type a text. `input text` reads `%s` as a space, so that a text which has these two
/// characters is typed in parts.
fn type_text(text: &str) -> impl Iterator<Item = String> {
    let ends = text.match_indices("%s").map(|(at, _)| at + 1).chain([text.len()]);
    let starts = [0].into_iter().chain(text.match_indices("%s").map(|(at, _)| at + 1));
    let parts = starts.zip(ends).map(|(start, end)| &text[start..end]);
    parts
        .filter(|part| !part.is_empty())
        .map(|part| format!("input text {}", quote(&part.replace(' ', "%s"))))
}

fn press(key: &Key) -> Result<String, String> {
    key_name(key).map(|name| format!("input keyevent {name}"))
}
