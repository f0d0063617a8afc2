//! `getprop`, `setprop`, `settings`, `content`, `wm`, `svc` and `ime`: what the phone is set to.

use crate::phone::PhoneState;
use crate::shell::Invocation;
use retap_model::Event;
use retap_model::event::{Connectivity, SystemEvent};
use std::io;

const SPACES: [&str; 3] = ["system", "secure", "global"];
/// The most values that clients may store.
const MAX_VALUES: usize = 10_000;

fn print(invocation: &mut Invocation<'_, '_>, text: &str) -> io::Result<u8> {
    invocation.print(text)?;
    Ok(0)
}

pub fn getprop(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let properties = invocation.phone.state().all_properties();
    let text = match invocation.words().as_slice() {
        [] => properties.iter().map(|(name, value)| format!("[{name}]: [{value}]\n")).collect(),
        [name, rest @ ..] => {
            let otherwise = rest.first().copied().unwrap_or_default().to_string();
            format!("{}\n", properties.get(*name).unwrap_or(&otherwise))
        }
    };
    print(invocation, &text)
}

pub fn setprop(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let [name, value] = words.as_slice() else {
        return invocation.complain("setprop: needs a name and a value");
    };
    let (name, value) = (name.to_string(), value.to_string());
    if name.starts_with("ro.") {
        return invocation
            .complain(&format!("setprop: failed to set property '{name}' to '{value}'"));
    }
    let mut state = invocation.phone.state();
    if state.properties.len() < MAX_VALUES {
        state.properties.insert(name, value);
    }
    Ok(0)
}

pub fn settings(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words: Vec<String> =
        invocation.arguments.iter().filter(|word| !word.starts_with("--")).cloned().collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["get", space, name] if SPACES.contains(space) => {
            let key = (space.to_string(), name.to_string());
            let value = invocation.phone.state().stored.get(&key).cloned();
            print(invocation, &format!("{}\n", value.unwrap_or_else(|| "null".into())))
        }
        ["put", space, name, value, ..] if SPACES.contains(space) => {
            put(&mut invocation.phone.state(), space, name, value);
            Ok(0)
        }
        ["delete", space, name] if SPACES.contains(space) => {
            let key = (space.to_string(), name.to_string());
            let gone = invocation.phone.state().stored.remove(&key).is_some();
            print(invocation, &format!("Deleted {} rows\n", u8::from(gone)))
        }
        ["list", space] if SPACES.contains(space) => {
            let state = invocation.phone.state();
            let of = state.stored.iter().filter(|((its, _), _)| its == space);
            let text: String = of.map(|((_, name), value)| format!("{name}={value}\n")).collect();
            drop(state);
            print(invocation, &text)
        }
        _ => invocation
            .complain("settings: expected get, put, delete or list, then system, secure or global"),
    }
}

/// Stores a value. Those that change what the app sees are events.
fn put(state: &mut PhoneState, space: &str, name: &str, value: &str) {
    if state.stored.len() >= MAX_VALUES {
        return;
    }
    state.stored.insert((space.to_string(), name.to_string()), value.to_string());
    if name == "user_rotation" {
        state.apply_rotation();
    }
}

/// `content read --uri URI` of an app's provider, and
/// `content insert --uri content://settings/SPACE --bind name:s:NAME --bind value:T:VALUE`.
pub fn content(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    if let ["read", rest @ ..] = words.as_slice() {
        let uri = rest.windows(2).find(|pair| pair[0] == "--uri").map(|pair| pair[1].to_string());
        return read_content(invocation, &uri.unwrap_or_default());
    }
    let after = |option: &str| words.windows(2).find(|pair| pair[0] == option).map(|pair| pair[1]);
    let bound = |name: &str| {
        let binds = words.windows(2).filter(|pair| pair[0] == "--bind").map(|pair| pair[1]);
        let mut values =
            binds.filter_map(|bind| bind.strip_prefix(name)?.strip_prefix(':')?.split_once(':'));
        values.next().map(|(_, value)| value.to_string())
    };
    let space = after("--uri").and_then(|uri| uri.strip_prefix("content://settings/"));
    match (words.first(), space, bound("name"), bound("value")) {
        (Some(&("insert" | "update")), Some(space), Some(name), Some(value))
            if SPACES.contains(&space) =>
        {
            put(&mut invocation.phone.state(), space, &name, &value);
            Ok(0)
        }
        _ => invocation.complain(
            "[ERROR] this phone inserts into content://settings, and reads from providers of apps that run",
        ),
    }
}

fn read_content(invocation: &mut Invocation<'_, '_>, uri: &str) -> io::Result<u8> {
    let read = invocation.phone.state().read_content(uri);
    match read {
        Ok(bytes) => {
            invocation.streams.output.write_all(&bytes)?;
            Ok(0)
        }
        Err(error) => {
            let message = format!("Error while accessing provider: {error}");
            invocation.complain(&message)
        }
    }
}

pub fn wm(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let display = invocation.phone.state().display();
    match invocation.words().as_slice() {
        ["size"] => {
            print(invocation, &format!("Physical size: {}x{}\n", display.width, display.height))
        }
        ["density"] => print(invocation, &format!("Physical density: {}\n", display.dpi)),
        ["size" | "density", "reset"] => Ok(0),
        ["size" | "density", ..] => invocation.complain(
            "wm: the screen of this phone is fixed: choose it with --screen when it is started",
        ),
        ["user-rotation" | "set-user-rotation", "lock", rest @ ..] => {
            let turns = rest.last().copied().unwrap_or("0").to_string();
            put(&mut invocation.phone.state(), "system", "user_rotation", &turns);
            Ok(0)
        }
        ["user-rotation" | "set-user-rotation", ..] | ["dismiss-keyguard"] => Ok(0),
        words => {
            let message = format!("wm: this phone has no `wm {}`", words.join(" "));
            invocation.complain(&message)
        }
    }
}

/// `svc wifi|data enable|disable`, and from `cmd`: `connectivity airplane-mode enable`, `uimode night yes`.
pub fn svc(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let key = |name: &str| ("svc".to_string(), name.to_string());
    let words = invocation.arguments.to_vec();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut state = invocation.phone.state();
    match words.as_slice() {
        [what @ ("wifi" | "data"), on @ ("enable" | "disable")] => {
            state.stored.insert(key(what), on.to_string());
        }
        ["connectivity", "airplane-mode", on @ ("enable" | "disable")] => {
            let other = if *on == "enable" { "disable" } else { "enable" };
            state.stored.insert(key("wifi"), other.into());
            state.stored.insert(key("data"), other.into());
        }
        ["uimode", "night", night] => {
            state.perform(&Event::System(SystemEvent::Night(*night == "yes")));
            drop(state);
            return print(invocation, &format!("Night mode: {}\n", words[2]));
        }
        ["power", ..] => return Ok(0),
        words => {
            let message = format!("this phone does not know `{}`", words.join(" "));
            drop(state);
            return invocation.complain(&message);
        }
    }
    let is_on = |name: &str| state.stored.get(&key(name)).is_none_or(|value| value == "enable");
    let connectivity = match (is_on("wifi"), is_on("data")) {
        (true, _) => Connectivity::Wifi,
        (false, true) => Connectivity::Mobile,
        (false, false) => Connectivity::Off,
    };
    state.perform(&Event::System(SystemEvent::Connectivity(connectivity)));
    Ok(0)
}

pub fn ime(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    match invocation.words().as_slice() {
        ["list", "-s", ..] => print(invocation, "com.android.inputmethod.latin/.LatinIME\n"),
        _ => invocation
            .complain("ime: this phone has one keyboard, and nothing about it can be changed"),
    }
}
