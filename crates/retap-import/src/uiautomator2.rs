//! Scripts for openatx's uiautomator2 of the plain kind: one call on a line, `d(text="Add").click()`. Nothing is run, so
//! that loops, conditions and computed values are told and left out.

use crate::places::Places;
use crate::python::{Argument, Link, Literal, parse_assignment, parse_chain};
use crate::{ImportError, Recording, shorten};
use retap_model::{Display, Event, Key, Orientation, Point, Selector, SystemEvent, Target};
use std::collections::BTreeMap;

/// Calls that change nothing in the app.
const PASSIVE: [&str; 14] = [
    "connect",
    "connect_usb",
    "connect_wifi",
    "implicitly_wait",
    "screenshot",
    "dump_hierarchy",
    "wait",
    "wait_gone",
    "wait_activity",
    "exists",
    "get_text",
    "info",
    "healthcheck",
    "app_wait",
];
/// The longest wait that is taken over.
const MAX_WAIT_MS: f64 = 600_000.0;

/// Reads a script for a display of this size, because some places are shares of the screen.
pub fn read(text: &str, display: Display) -> Result<Recording, ImportError> {
    let mut reader = ScriptReader {
        recording: Recording::default(),
        places: Places::new(display),
        names: BTreeMap::new(),
        device: "d".into(),
    };
    for (line, number) in text.lines().zip(1..) {
        reader.read_line(line.trim(), number)?;
    }
    Ok(reader.recording)
}

struct ScriptReader {
    recording: Recording,
    places: Places,
    /// Names that stand for plain values.
    names: BTreeMap<String, Literal>,
    /// The name of the device: what `connect` was assigned to.
    device: String,
}

/// What a line does: to a widget, to the device, or nothing.
enum Meaning {
    Events(Vec<Event>),
    Nothing,
    Unknown,
}

impl ScriptReader {
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), ImportError> {
        let is_plumbing = line.is_empty()
            || line.starts_with('#')
            || ["import ", "from ", "def ", "if __name__", "return", "assert ", "print("]
                .iter()
                .any(|word| line.starts_with(word));
        if is_plumbing {
            return Ok(());
        }
        if let Some((name, value)) = parse_assignment(line) {
            self.names.insert(name, value);
            return Ok(());
        }
        if let Some((name, call)) = line.split_once('=')
            && call.contains("connect")
            && parse_chain(call.trim()).is_some()
        {
            self.device = name.trim().to_string();
            return Ok(());
        }
        let meaning = parse_chain(line).map_or(Meaning::Unknown, |links| self.meaning(&links));
        match meaning {
            Meaning::Events(events) => {
                events.into_iter().try_for_each(|event| self.recording.push(event))
            }
            Meaning::Nothing => Ok(()),
            Meaning::Unknown => {
                self.recording.remark(number, format!("{} has no counterpart", shorten(line)));
                Ok(())
            }
        }
    }

    fn meaning(&mut self, links: &[Link]) -> Meaning {
        match links {
            [Link::Name(time), Link::Name(sleep), Link::Call(arguments)]
                if time == "time" && sleep == "sleep" =>
            {
                self.sleep(arguments)
            }
            [Link::Name(device), Link::Call(query), Link::Name(method), Link::Call(arguments)]
                if *device == self.device =>
            {
                self.on_widget(query, method, arguments)
            }
            [Link::Name(device), Link::Name(method), Link::Call(arguments)]
                if *device == self.device =>
            {
                self.on_device(method, arguments)
            }
            _ => Meaning::Unknown,
        }
    }

    fn sleep(&self, arguments: &[Argument]) -> Meaning {
        let seconds = arguments.first().and_then(|argument| self.number(argument));
        seconds.map_or(Meaning::Unknown, |seconds| {
            let ms = (seconds * 1000.0).clamp(0.0, MAX_WAIT_MS) as u32;
            Meaning::Events(vec![Event::Wait(ms)])
        })
    }

    fn on_widget(&self, query: &[Argument], method: &str, arguments: &[Argument]) -> Meaning {
        if PASSIVE.contains(&method) {
            return Meaning::Nothing;
        }
        let Some(target) = self.target(query) else { return Meaning::Unknown };
        let event = match method {
            "click" | "click_exists" => Event::Tap(target),
            "long_click" => Event::LongPress(target),
            "set_text" | "send_keys" => {
                let text = arguments.first().and_then(|argument| self.text(argument));
                Event::Text { on: target, text: text.unwrap_or_default() }
            }
            "clear_text" => Event::Text { on: target, text: String::new() },
            _ => return Meaning::Unknown,
        };
        Meaning::Events(vec![event])
    }

    fn on_device(&mut self, method: &str, arguments: &[Argument]) -> Meaning {
        let text = |at: usize| arguments.get(at).and_then(|argument| self.text(argument));
        let points: Vec<Point> = arguments
            .chunks(2)
            .take(2)
            .filter_map(|pair| {
                Some(self.point(self.number(pair.first()?)?, self.number(pair.get(1)?)?))
            })
            .collect();
        let event = match (method, points.as_slice()) {
            ("click" | "tap", [at, ..]) => Event::Tap(Target::point(*at)),
            ("double_click", [at, ..]) => {
                let tap = Event::Tap(Target::point(*at));
                return Meaning::Events(vec![tap.clone(), tap]);
            }
            ("long_click", [at, ..]) => Event::LongPress(Target::point(*at)),
            ("swipe" | "drag", [from, to]) => {
                let seconds = arguments.get(4).and_then(|argument| self.number(argument));
                let ms = (seconds.unwrap_or(0.2) * 1000.0).clamp(1.0, 60_000.0) as u32;
                Event::Drag { from: Target::point(*from), to: *to, ms }
            }
            ("press", _) => match text(0).and_then(|key| Key::new(&key).ok()) {
                Some(key) => Event::Key(key),
                None => return Meaning::Unknown,
            },
            ("send_keys", _) => {
                Event::Text { on: Target::default(), text: text(0).unwrap_or_default() }
            }
            ("clear_text", _) => Event::Text { on: Target::default(), text: String::new() },
            ("set_orientation", _) => return self.rotate(text(0).as_deref().unwrap_or_default()),
            ("app_start", _) => return self.start(text(0)),
            ("app_stop", _) if self.recording.events.is_empty() => return Meaning::Nothing,
            ("app_stop", _) => Event::Close,
            ("app_clear", _) => {
                self.recording.package = text(0).or(self.recording.package.take());
                return Meaning::Nothing;
            }
            ("screen_on", _) => Event::System(SystemEvent::ScreenOn(true)),
            ("screen_off", _) => Event::System(SystemEvent::ScreenOn(false)),
            (method, _) if PASSIVE.contains(&method) => return Meaning::Nothing,
            _ => return Meaning::Unknown,
        };
        Meaning::Events(vec![event])
    }

    fn rotate(&mut self, name: &str) -> Meaning {
        let orientation = match name {
            "natural" | "n" => Orientation::Portrait,
            "left" | "l" => Orientation::Landscape,
            "right" | "r" => Orientation::ReverseLandscape,
            "upsidedown" | "u" => Orientation::ReversePortrait,
            _ => return Meaning::Unknown,
        };
        self.places.landscape =
            matches!(orientation, Orientation::Landscape | Orientation::ReverseLandscape);
        // A phone is upright when the app is launched.
        if self.recording.events.is_empty() && orientation == Orientation::Portrait {
            return Meaning::Nothing;
        }
        Meaning::Events(vec![Event::Rotate(orientation)])
    }

    fn start(&mut self, package: Option<String>) -> Meaning {
        self.recording.package = package.or(self.recording.package.take());
        match self.recording.events.is_empty() {
            true => Meaning::Nothing,
            false => Meaning::Events(vec![Event::Launch]),
        }
    }

    /// Returns the target of `d(text="Add", className="…")`.
    fn target(&self, query: &[Argument]) -> Option<Target> {
        let mut selector = Selector::default();
        for argument in query {
            let text = self.text(argument);
            match argument.name.as_str() {
                "text" | "textContains" | "textStartsWith" => selector.text = text?,
                "description" | "descriptionContains" => selector.description = text?,
                "resourceId" => selector.id = short_id(&text?),
                "resourceIdMatches" => selector.id = short_id(text?.trim_end_matches('$')),
                "className" => selector.class = text?,
                // An empty target means what has the focus.
                "focused" => return Some(Target::default()),
                "instance" | "index" | "clickable" | "enabled" | "scrollable" | "packageName" => {}
                _ => return None,
            }
        }
        (selector != Selector::default()).then_some(Target { on: Some(selector), at: None })
    }

    /// Places below one are shares of the screen.
    fn point(&self, x: f64, y: f64) -> Point {
        let is_share = (0.0..1.0).contains(&x) && (0.0..1.0).contains(&y) && (x > 0.0 || y > 0.0);
        if is_share {
            self.places.share(x * 100.0, y * 100.0)
        } else {
            Point::new(x as i32, y as i32)
        }
    }

    fn value<'a>(&'a self, argument: &'a Argument) -> &'a Literal {
        match &argument.value {
            Literal::Name(name) => self.names.get(name).unwrap_or(&argument.value),
            value => value,
        }
    }

    fn text(&self, argument: &Argument) -> Option<String> {
        match self.value(argument) {
            Literal::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn number(&self, argument: &Argument) -> Option<f64> {
        match self.value(argument) {
            Literal::Number(number) => Some(*number),
            _ => None,
        }
    }
}

fn short_id(id: &str) -> String {
    id.rsplit(['/', ':']).next().unwrap_or(id).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_fuzz::fuzz;

    const SCRIPT: &str = r#"
import time
import uiautomator2 as u2

PACKAGE = "com.app"
phone = u2.connect()
phone.app_clear(PACKAGE)
phone.app_start(PACKAGE, wait=True)
phone(text="New note").click()
phone(resourceId="com.app:id/title").set_text("hello")
phone(description="More options").long_click()
phone.click(0.5, 0.25)
phone.swipe(100, 900, 100, 200, 0.5)
phone.press("back")
phone.set_orientation("left")
time.sleep(1.5)
if phone(text="OK").exists:
    phone(text="OK").click()
phone.shell("pm clear com.app")
for i in range(3):
phone.xpath("//a").click()
"#;

    #[test]
    fn a_plain_script_becomes_events_and_the_rest_is_told() {
        let recording = read(SCRIPT, Display::default()).unwrap();
        assert_eq!(recording.package.as_deref(), Some("com.app"));
        let sentences: Vec<String> = recording.events.iter().map(ToString::to_string).collect();
        assert_eq!(
            sentences,
            [
                "tap \"New note\"",
                "type \"hello\" into title",
                "long-press \"More options\"",
                "tap (540, 480)",
                "drag (100, 900) to (100, 200)",
                "press back",
                "rotate to landscape",
                "wait 1500 ms",
                "tap \"OK\"",
            ]
        );
        let lines: Vec<usize> = recording.remarks.iter().map(|remark| remark.number).collect();
        assert_eq!(lines, [17, 19, 20, 21], "{:?}", recording.remarks);
    }

    #[test]
    fn damaged_scripts() {
        let words =
            ["phone(text=", "\\u", "\"", "phone.click(", "1e308", "phone.swipe(", ").click()"];
        fuzz("uiautomator2", &[SCRIPT.as_bytes()], &words, |bytes| {
            std::str::from_utf8(bytes).is_ok_and(|text| read(text, Display::default()).is_ok())
        });
    }
}
