//! Events as commands of the phone's shell.

use super::text::{HIDE_KEYBOARD, type_text};
use crate::apk::PhoneApp;
use retap_device::aim::{MissingTarget, aim};
use retap_model::event::HastyEvents;
use retap_model::format::rotation;
use retap_model::format::shell::{self, LONG_PRESS_MS, intent_arguments, key_name, quote, seconds};
use retap_model::{Event, Flags, Point, Screen, SystemEvent};

/// What commands depend on.
#[derive(Debug, Clone, Copy)]
pub struct EventPhone<'a> {
    pub app: &'a PhoneApp,
    pub screen: &'a Screen,
    pub api: u32,
    /// `input text` takes all characters, and not only those of an English keyboard.
    pub types_everything: bool,
    pub has_console: bool,
}

/// The commands of one event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventCommands {
    /// For the emulator's console, before everything else.
    pub console: Vec<String>,
    /// What does the event. It ends with exit code 0 if it was done.
    pub line: String,
    /// What follows, done or not.
    pub after: String,
    /// The time that the event asks to wait.
    pub takes_ms: u32,
}

/// Why an event is not performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventRefusal {
    /// Its widget is not there.
    Missed,
    /// adb has no way to do it.
    Cannot(String),
}

impl From<MissingTarget> for EventRefusal {
    fn from(_: MissingTarget) -> Self {
        EventRefusal::Missed
    }
}

pub fn commands(event: &Event, phone: &EventPhone<'_>) -> Result<EventCommands, EventRefusal> {
    let mut commands = EventCommands::default();
    commands.line = match event {
        Event::System(SystemEvent::Call { number }) if phone.has_console => {
            let number: String =
                number.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
            commands.console = vec![format!("gsm call {number}"), format!("gsm cancel {number}")];
            "true".into()
        }
        Event::System(SystemEvent::Sms { from, text }) if phone.has_console => {
            let from: String = from.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
            commands.console = vec![format!("sms send {from} {}", text.replace(['\n', '\r'], " "))];
            "true".into()
        }
        Event::Hasty(hasty) => hurry(hasty, phone)?,
        event => one(event, phone)?,
    };
    match event {
        Event::Wait(ms) => commands.takes_ms = *ms,
        Event::Text { .. } => commands.after = HIDE_KEYBOARD.into(),
        _ => {}
    }
    Ok(commands)
}

fn one(event: &Event, phone: &EventPhone<'_>) -> Result<String, EventRefusal> {
    let aimed = aim(event, phone.screen)?;
    let place = || aimed.as_ref().map(|aim| aim.point).ok_or(EventRefusal::Missed);
    let package = phone.app.package();
    Ok(match event {
        Event::Tap(_) => tap(place()?),
        Event::LongPress(_) => {
            let Point { x, y } = place()?;
            format!("input swipe {x} {y} {x} {y} {LONG_PRESS_MS}")
        }
        Event::Drag { to, ms, .. } => {
            let Point { x, y } = place()?;
            format!("input swipe {x} {y} {} {} {ms}", to.x, to.y)
        }
        Event::Pinch { .. } => return Err(cannot("the shell has no second finger")),
        Event::Text { text, .. } => {
            let field = aimed.as_ref().and_then(|aim| aim.widget).map(|found| found.widget());
            let held =
                field.filter(|it| it.has(Flags::EDITABLE)).map_or(0, |it| it.text.chars().count());
            type_text(&tap(place()?), text, held, phone.types_everything)
                .map_err(EventRefusal::Cannot)?
        }
        Event::Key(key) => {
            let name = key_name(key).map_err(EventRefusal::Cannot)?;
            format!("input keyevent {name}")
        }
        Event::Rotate(orientation) => format!(
            "settings put system accelerometer_rotation 0 && settings put system user_rotation {}",
            rotation::number(*orientation)
        ),
        Event::Intent(intent) => format!("am start -W{}", intent_arguments(intent)),
        Event::System(event) => shell::system(event, package, &launch(phone.app))
            .map_err(EventRefusal::Cannot)?
            .join(" && "),
        Event::Wait(ms) => sleep(*ms, phone.api),
        Event::Launch => launch(phone.app),
        Event::Close => format!("am force-stop {}", quote(package)),
        Event::Hasty(hasty) => hurry(hasty, phone)?,
    })
}

/// Starts the parts side by side, because each `input` takes the phone a few hundred milliseconds to start.
fn hurry(hasty: &HastyEvents, phone: &EventPhone<'_>) -> Result<String, EventRefusal> {
    let parts: Result<Vec<String>, EventRefusal> =
        hasty.events().iter().map(|part| one(part, phone)).collect();
    let between = match hasty.gap_ms() {
        0 => " & ".to_string(),
        ms => format!(" & {}; ", sleep(ms, phone.api)),
    };
    Ok(format!("{} & wait", parts?.join(&between)))
}

fn cannot(reason: &str) -> EventRefusal {
    EventRefusal::Cannot(reason.into())
}

fn tap(at: Point) -> String {
    format!("input tap {} {}", at.x, at.y)
}

/// Before Android 6 `sleep` knows whole seconds alone.
fn sleep(ms: u32, api: u32) -> String {
    match api < 23 {
        true => format!("sleep {}", ms.div_ceil(1_000)),
        false => format!("sleep {}", seconds(ms)),
    }
}

/// Brings the app to the front, as its icon does: with the flags that a launcher sets.
pub fn launch(app: &PhoneApp) -> String {
    format!("{} -f 0x10200000", shell::launch(app.package(), Some(&app.launcher)))
}

#[cfg(test)]
mod tests;
