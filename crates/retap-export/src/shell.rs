//! Events as commands of Android's shell. Every other language falls back on them for what is not a touch.

use crate::quoting::shell as quote;
use crate::trace::ExportedTrace;
use retap_model::event::{Connectivity, Extra, HastyEvents, Intent};
use retap_model::format::monkey::keycode;
use retap_model::format::rotation;
use retap_model::printable::printable_line;
use retap_model::{Event, Key, Point, SystemEvent, Target};

/// A press that is long on every version of Android.
pub const LONG_PRESS_MS: u32 = 1_500;

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
    match trace.entry {
        Some(class) => {
            let component = quote(&format!("{}/{class}", trace.package()));
            format!(
                "am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n {component}"
            )
        }
        None => {
            format!("monkey -p {} -c android.intent.category.LAUNCHER 1", quote(trace.package()))
        }
    }
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
        Event::System(event) => system(event, trace)?,
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

/// Returns seconds as a decimal number.
pub fn seconds(ms: u32) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

fn place(target: &Target) -> Result<Point, String> {
    target.at.ok_or_else(|| format!("the place of {target} is unknown"))
}

fn tap(target: &Target) -> Result<String, String> {
    place(target).map(|at| format!("input tap {} {}", at.x, at.y))
}

fn type_into(on: &Target, text: &str) -> Result<Vec<String>, String> {
    if !text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) || text.contains("%s") {
        return Err(format!("the shell types only ASCII letters, not {text:?}"));
    }
    let mut commands = Vec::new();
    if on.at.is_some() || on.on.is_some() {
        commands.push(tap(on)?);
    }
    // 67 is KEYCODE_DEL.
    let deletions = ["67"; FIELD_LEN].join(" ");
    commands.push(format!("input keyevent KEYCODE_MOVE_END {deletions}"));
    if !text.is_empty() {
        commands.push(format!("input text {}", quote(&text.replace(' ', "%s"))));
    }
    Ok(commands)
}

/// Returns the name of a key as Android has it.
pub fn key_name(key: &Key) -> Result<String, String> {
    match keycode::code(key) {
        None | Some(0) => Err(format!("Android knows no key {}", key.name())),
        Some(_) => Ok(format!("KEYCODE_{}", key.name().to_ascii_uppercase())),
    }
}

fn press(key: &Key) -> Result<String, String> {
    key_name(key).map(|name| format!("input keyevent {name}"))
}

fn intent_arguments(intent: &Intent) -> String {
    let Intent { action, data, mime_type, categories, component, extras } = intent;
    let mut arguments = String::new();
    let mut add = |flag: &str, value: &str| {
        if !value.is_empty() {
            arguments.push_str(&format!(" {flag} {}", quote(value)));
        }
    };
    add("-a", action);
    add("-d", data);
    add("-t", mime_type);
    categories.iter().for_each(|category| add("-c", category));
    add("-n", component);
    for (key, value) in extras {
        let (flag, value) = match value {
            Extra::Bool(value) => ("--ez", value.to_string()),
            Extra::Int(value) if i32::try_from(*value).is_ok() => ("--ei", value.to_string()),
            Extra::Int(value) => ("--el", value.to_string()),
            Extra::Text(value) => ("--es", value.clone()),
        };
        arguments.push_str(&format!(" {flag} {} {}", quote(key), quote(&value)));
    }
    arguments
}

fn system(event: &SystemEvent, trace: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
    let package = quote(trace.package());
    Ok(match event {
        SystemEvent::Broadcast(intent) => {
            vec![format!("am broadcast{} -p {package}", intent_arguments(intent))]
        }
        SystemEvent::Connectivity(Connectivity::Off) => {
            vec!["svc wifi disable".into(), "svc data disable".into()]
        }
        SystemEvent::Connectivity(Connectivity::Wifi) => {
            vec!["svc data disable".into(), "svc wifi enable".into()]
        }
        SystemEvent::Connectivity(Connectivity::Mobile) => {
            vec!["svc wifi disable".into(), "svc data enable".into()]
        }
        SystemEvent::Battery { level, charging } => vec![
            format!("dumpsys battery set level {level}"),
            format!("dumpsys battery set ac {}", u8::from(*charging)),
        ],
        SystemEvent::Locale(tag) => {
            vec![format!("cmd locale set-app-locales {package} --locales {}", quote(tag))]
        }
        SystemEvent::Night(on) => {
            vec![format!("cmd uimode night {}", if *on { "yes" } else { "no" })]
        }
        SystemEvent::ScreenOn(true) => {
            vec!["input keyevent KEYCODE_WAKEUP".into(), "wm dismiss-keyguard".into()]
        }
        SystemEvent::ScreenOn(false) => vec!["input keyevent KEYCODE_SLEEP".into()],
        SystemEvent::ProcessDeath => vec![
            "input keyevent KEYCODE_HOME".into(),
            "sleep 2".into(),
            format!("am kill {package}"),
            launch(trace),
        ],
        SystemEvent::LowMemory => vec![format!("am send-trim-memory {package} RUNNING_CRITICAL")],
        SystemEvent::Call { .. } | SystemEvent::Sms { .. } => {
            return Err(format!("only an emulator's console can {event}"));
        }
        SystemEvent::Notification { .. } => return Err(format!("the shell cannot {event}")),
    })
}
