//! `input`: fingers and keys.

use crate::phone::PhoneState;
use crate::shell::Invocation;
use retap_model::event::{SystemEvent, Target};
use retap_model::format::monkey::keycode;
use retap_model::{Event, Flags, Key, Point, Screen, Widget};
use std::io;

/// Sources that `input` may name first; all of them are the one screen and the one keyboard here.
const SOURCES: [&str; 9] = [
    "touchscreen",
    "keyboard",
    "mouse",
    "touchpad",
    "stylus",
    "dpad",
    "gamepad",
    "joystick",
    "trackball",
];
/// A finger that stays this long presses long.
const LONG_PRESS_MS: u32 = 500;
const SLOP: u32 = 16;
const DEFAULT_SWIPE_MS: u32 = 300;

pub fn run(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let words = invocation.words();
    let words = match words.split_first() {
        Some((source, rest)) if SOURCES.contains(source) => rest.to_vec(),
        _ => words,
    };
    let events = parse(&words, &mut invocation.phone.state());
    match events {
        Ok(events) => {
            if invocation.shell.background.is_open {
                invocation.shell.background.add(events);
                return Ok(0);
            }
            invocation.shell.background.finish(invocation.phone);
            let mut state = invocation.phone.state();
            for event in &events {
                state.perform(event);
                if matches!(event, Event::Key(key) if key.name() == "del") {
                    delete_typed(&mut state);
                }
            }
            Ok(0)
        }
        Err(error) => invocation.complain(&format!("Error: {error}")),
    }
}

fn parse(words: &[&str], state: &mut PhoneState) -> Result<Vec<Event>, String> {
    match words {
        ["tap", x, y] => Ok(vec![Event::Tap(Target::point(point(x, y)?))]),
        ["swipe" | "draganddrop", x, y, to_x, to_y, rest @ ..] => {
            let ms = match rest.first() {
                Some(ms) => ms.parse().map_err(|_| format!("no number is {ms:?}"))?,
                None => DEFAULT_SWIPE_MS,
            };
            Ok(vec![swipe(point(x, y)?, point(to_x, to_y)?, ms)])
        }
        ["text", text] => Ok(type_text(text, state)),
        ["keyevent", rest @ ..] => {
            let names = rest.iter().filter(|word| !word.starts_with("--"));
            names.map(|name| key_event(name)).collect()
        }
        [] => Err("name what to do, such as tap X Y".into()),
        words => Err(format!("this phone does not know `input {}`", words.join(" "))),
    }
}

fn point(x: &str, y: &str) -> Result<Point, String> {
    let number = |text: &str| match text.parse::<f64>() {
        Ok(number) if number.abs() < 100_000.0 => Ok(number as i32),
        _ => Err(format!("no place on the screen is {text:?}")),
    };
    Ok(Point::new(number(x)?, number(y)?))
}

fn swipe(from: Point, to: Point, ms: u32) -> Event {
    let stays = from.x.abs_diff(to.x) < SLOP && from.y.abs_diff(to.y) < SLOP;
    match stays {
        true if ms >= LONG_PRESS_MS => Event::LongPress(Target::point(from)),
        true => Event::Tap(Target::point(from)),
        false => Event::Drag { from: Target::point(from), to, ms },
    }
}

/// Typed text is added to what was typed into the same field before. What a field shows otherwise may be its hint, which
/// no screen tells from a text, so that the first typing replaces it.
fn type_text(text: &str, state: &mut PhoneState) -> Vec<Event> {
    let screen = state.screen();
    // Without a field the letters go nowhere, as on a phone.
    let Some(field) = field(&screen, state.touched) else { return Vec::new() };
    let before = match &state.typed {
        Some((bounds, typed)) if *bounds == field.bounds && *typed == field.text => typed.as_str(),
        _ => "",
    };
    let whole = format!("{before}{}", text.replace("%s", " "));
    let on = Target::point(field.bounds.center());
    state.typed = Some((field.bounds, whole.clone()));
    vec![Event::Text { on, text: whole }]
}

/// Finds the field that takes what is typed.
fn field(screen: &Screen, touched: Option<Point>) -> Option<&Widget> {
    let focused =
        screen.actionable().find(|widget| widget.widget().has(Flags::FOCUSED | Flags::EDITABLE));
    let touched = || touched.and_then(|at| screen.widget_at(at));
    let field = focused.or_else(touched).filter(|widget| widget.widget().has(Flags::EDITABLE));
    field.map(|field| field.widget())
}

/// Deletes the last letter of what was typed, on devices whose fields do not know the key.
fn delete_typed(state: &mut PhoneState) {
    let screen = state.screen();
    let Some(field) = field(&screen, state.touched) else { return };
    match &mut state.typed {
        Some((bounds, typed)) if *bounds == field.bounds && *typed == field.text => {
            typed.pop();
            let text = typed.clone();
            state.perform(&Event::Text { on: Target::point(field.bounds.center()), text });
        }
        _ => {}
    }
}

fn key_event(name: &str) -> Result<Event, String> {
    let key = match name.parse::<usize>() {
        Ok(code) => keycode::key(code).ok_or_else(|| format!("no key has the code {code}"))?,
        Err(_) => Key::new(name)?,
    };
    if keycode::code(&key).is_none() {
        return Err(format!("no key is known as {name:?}"));
    }
    Ok(match key.name() {
        "wakeup" => Event::System(SystemEvent::ScreenOn(true)),
        "sleep" => Event::System(SystemEvent::ScreenOn(false)),
        _ => Event::Key(key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swipe_that_stays_is_a_press() {
        let at = Point::new(10, 10);
        assert_eq!(swipe(at, at, 1_000), Event::LongPress(Target::point(at)));
        assert_eq!(swipe(at, Point::new(12, 10), 50), Event::Tap(Target::point(at)));
        assert!(matches!(swipe(at, Point::new(10, 400), 50), Event::Drag { ms: 50, .. }));
    }

    #[test]
    fn keys_are_known_by_name_and_code() {
        let back = Event::Key(Key::back());
        for name in ["4", "BACK", "KEYCODE_BACK"] {
            assert_eq!(key_event(name).unwrap(), back, "{name}");
        }
        assert!(key_event("99999").is_err() && key_event("KEYCODE_NONE").is_err());
    }
}
