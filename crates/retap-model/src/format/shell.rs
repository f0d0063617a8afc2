//! Android's shell: words, and what its commands need to do a part of an event. Scripts and devices over adb share it.

use crate::event::{Connectivity, Extra, Intent, Key, SystemEvent};
use crate::format::monkey::keycode;

/// A press that is long on every version of Android.
pub const LONG_PRESS_MS: u32 = 1_500;

/// Returns a word of a POSIX shell. A word that needs no quotation marks has none.
pub fn quote(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns seconds as a decimal number.
pub fn seconds(ms: u32) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

/// Returns the name of a key as Android has it.
pub fn key_name(key: &Key) -> Result<String, String> {
    match keycode::code(key) {
        None | Some(0) => Err(format!("Android knows no key {}", key.name())),
        Some(_) => Ok(format!("KEYCODE_{}", key.name().to_ascii_uppercase())),
    }
}

/// Returns the command that brings an app to the front, as its icon does. `entry` is the class behind the icon.
pub fn launch(package: &str, entry: Option<&str>) -> String {
    match entry {
        Some(class) => {
            let component = quote(&format!("{package}/{class}"));
            format!(
                "am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n {component}"
            )
        }
        None => format!("monkey -p {} -c android.intent.category.LAUNCHER 1", quote(package)),
    }
}

/// Returns the arguments of `am` for an intent, each with a space before it.
pub fn intent_arguments(intent: &Intent) -> String {
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

/// Returns the commands for an event of the system, or why the shell cannot perform it. `launch` is the command that
/// brings the app back.
pub fn system(event: &SystemEvent, package: &str, launch: &str) -> Result<Vec<String>, String> {
    let package = quote(package);
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
            launch.to_string(),
        ],
        SystemEvent::LowMemory => vec![format!("am send-trim-memory {package} RUNNING_CRITICAL")],
        SystemEvent::Call { .. } | SystemEvent::Sms { .. } => {
            return Err(format!("only an emulator's console can {event}"));
        }
        SystemEvent::Notification { .. } => return Err(format!("the shell cannot {event}")),
    })
}
