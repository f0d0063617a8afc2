//! What Monkey prints with `-v -v`: one line for each part of a touch, key or rotation.

use crate::{ImportError, Recording, shorten};
use retap_model::format::monkey::{ActivityName, keycode};
use retap_model::{Event, Key, Orientation, Point, Target};

/// A touch that moves further than this is a drag.
const SLOP: i32 = 48;

/// Returns true if a text looks like such a log.
pub fn is_log(text: &str) -> bool {
    let mut lines = text.lines().take(200);
    lines.any(|line| {
        line.trim_start().starts_with(":Monkey:") || line.trim_start().starts_with(":Sending ")
    })
}

/// Reads a log.
pub fn read(text: &str) -> Result<Recording, ImportError> {
    let mut recording = Recording::default();
    let mut finger: Option<Point> = None;
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if let Some(rest) = line.strip_prefix(":Sending Touch (") {
            add_touch(&mut recording, rest, &mut finger, number)?;
        } else if let Some(rest) = line.strip_prefix(":Sending Key (ACTION_DOWN): ") {
            match key(rest) {
                Some(key) => recording.push(Event::Key(key))?,
                None => recording.remark(number, format!("no key is known as {:?}", shorten(rest))),
            }
        } else if let Some(rest) = line
            .strip_prefix(":Sending rotation degree=")
            .or_else(|| line.strip_prefix(":Sending Rotation degree="))
        {
            recording.push(Event::Rotate(orientation(rest)))?;
        } else if let Some(rest) = line.strip_prefix(":Switch: ") {
            add_switch(&mut recording, rest, number)?;
        } else if line.starts_with(":Sending Trackball") {
            recording.remark(number, "a trackball has no counterpart");
        } else if line.starts_with(":Sending Flip") {
            recording.remark(number, "a hardware keyboard that is flipped has no counterpart");
        }
    }
    Ok(recording)
}

/// Adds a touch when its finger goes up.
fn add_touch(
    recording: &mut Recording,
    rest: &str,
    finger: &mut Option<Point>,
    number: usize,
) -> Result<(), ImportError> {
    let (action, places) = rest.split_once("):").unwrap_or((rest, ""));
    if places.matches(":(").count() > 1 {
        if action == "ACTION_UP" || action.starts_with("ACTION_POINTER") {
            recording.remark(number, "a touch of several fingers has no counterpart");
        }
        *finger = None;
        return Ok(());
    }
    let Some(at) = place(places) else {
        recording.remark(number, format!("no place is {:?}", shorten(places)));
        return Ok(());
    };
    match (action, *finger) {
        ("ACTION_DOWN", _) => *finger = Some(at),
        ("ACTION_UP", Some(from)) => {
            *finger = None;
            let far = |a: i32, b: i32| a.abs_diff(b) > SLOP as u32;
            recording.push(match far(from.x, at.x) || far(from.y, at.y) {
                true => Event::Drag { from: Target::point(from), to: at, ms: 200 },
                false => Event::Tap(Target::point(from)),
            })?;
        }
        _ => {}
    }
    Ok(())
}

/// Reads ` 0:(461.0,414.5)`.
fn place(text: &str) -> Option<Point> {
    let inside = text.split_once('(')?.1.split_once(')')?.0;
    let (x, y) = inside.split_once(',')?;
    let pixel = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    Some(Point::new(pixel(x)? as i32, pixel(y)? as i32))
}

/// Reads `4    // KEYCODE_BACK`. The name is there in most versions.
fn key(text: &str) -> Option<Key> {
    if let Some((_, name)) = text.split_once("// ") {
        return Key::new(name.trim()).ok();
    }
    keycode::key(text.trim().parse().ok()?)
}

fn orientation(text: &str) -> Orientation {
    match text.trim_start().chars().next() {
        Some('1') => Orientation::Landscape,
        Some('2') => Orientation::ReversePortrait,
        Some('3') => Orientation::ReverseLandscape,
        _ => Orientation::Portrait,
    }
}

/// Reads `#Intent;…;component=com.app/.Main;end`. The first one launches the app.
fn add_switch(recording: &mut Recording, text: &str, number: usize) -> Result<(), ImportError> {
    let component = text.split(';').find_map(|part| part.trim().strip_prefix("component="));
    let Some((package, class)) = component.and_then(|component| component.split_once('/')) else {
        recording.remark(number, "the intent names no activity");
        return Ok(());
    };
    let class =
        if class.starts_with('.') { format!("{package}{class}") } else { class.to_string() };
    if recording.launch.is_some() || !recording.events.is_empty() {
        return recording.push(Event::Launch);
    }
    recording.package = Some(package.to_string());
    recording.launch = Some(ActivityName { package: package.to_string(), class });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_fuzz::fuzz;

    const LOG: &str = "\
:Monkey: seed=7 count=5
:Switch: #Intent;action=android.intent.action.MAIN;category=android.intent.category.LAUNCHER;launchFlags=0x10200000;component=com.app/.Main;end
    // Allowing start of Intent { cmp=com.app/.Main } in package com.app
Sleeping for 0 milliseconds
:Sending Touch (ACTION_DOWN): 0:(461.0,414.0)
:Sending Touch (ACTION_UP): 0:(463.19458,413.57645)
:Sending Touch (ACTION_DOWN): 0:(443.0,1154.0)
:Sending Touch (ACTION_MOVE): 0:(400.0,1160.0)
:Sending Touch (ACTION_UP): 0:(337.0955,1190.089)
:Sending Key (ACTION_DOWN): 4    // KEYCODE_BACK
:Sending Key (ACTION_UP): 4    // KEYCODE_BACK
:Sending rotation degree=1, persist=false
:Sending Trackball (ACTION_MOVE): 0:(3.0,0.0)
// CRASH: com.app (pid 7)
";

    #[test]
    fn a_log_becomes_taps_drags_keys_and_rotations() {
        assert!(is_log(LOG));
        let recording = read(LOG).unwrap();
        assert_eq!(recording.launch.unwrap().class, "com.app.Main");
        let sentences: Vec<String> = recording.events.iter().map(ToString::to_string).collect();
        assert_eq!(
            sentences,
            [
                "tap (461, 414)",
                "drag (443, 1154) to (337, 1190)",
                "press back",
                "rotate to landscape"
            ]
        );
        assert_eq!(recording.remarks.len(), 1, "{:?}", recording.remarks);
    }

    #[test]
    fn damaged_logs() {
        let words = [":Sending Touch (", "ACTION_UP): 0:(", "1e99", ":Switch: ", "component=/"];
        fuzz("monkey-log", &[LOG.as_bytes()], &words, |bytes| {
            std::str::from_utf8(bytes).is_ok_and(|text| read(text).is_ok())
        });
    }
}
