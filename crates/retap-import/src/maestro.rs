//! Flows of Maestro, as far as they map: taps, texts, keys, swipes, rotations and launches. What asserts, branches or
//! computes is told and left out.

use crate::places::Places;
use crate::yaml::{self, Node, Yaml};
use crate::{ImportError, Recording, shorten};
use retap_model::event::{Connectivity, Intent};
use retap_model::{Display, Event, Key, Orientation, Point, Selector, SystemEvent, Target};

/// Maestro's names of keys that are not Android's.
const KEYS: [(&str, &str); 7] = [
    ("backspace", "del"),
    ("remote dpad up", "dpad_up"),
    ("remote dpad down", "dpad_down"),
    ("remote dpad left", "dpad_left"),
    ("remote dpad right", "dpad_right"),
    ("remote dpad center", "dpad_center"),
    ("lock", "power"),
];

/// Commands that change nothing in the app.
const PASSIVE: [&str; 9] = [
    "assertVisible",
    "assertNotVisible",
    "assertTrue",
    "waitForAnimationToEnd",
    "takeScreenshot",
    "startRecording",
    "stopRecording",
    "extendedWaitUntil",
    "copyTextFrom",
];

/// Reads a flow for a display of this size, because Maestro names places by shares of the screen.
pub fn read(text: &str, display: Display) -> Result<Recording, ImportError> {
    let documents = yaml::parse(text)?;
    let mut reader = FlowReader { recording: Recording::default(), places: Places::new(display) };
    for document in &documents {
        match &document.value {
            Yaml::Map(_) => {
                let package = document.get("appId").and_then(Node::text).map(str::to_string);
                reader.recording.package = package.or(reader.recording.package);
            }
            Yaml::List(commands) => reader.read_all(commands)?,
            Yaml::Text(text) if text.is_empty() => {}
            Yaml::Text(text) => {
                let (line, expected, found) = (document.line, "a list of commands", shorten(text));
                return Err(ImportError::Malformed { line, expected, found });
            }
        }
    }
    Ok(reader.recording)
}

struct FlowReader {
    recording: Recording,
    places: Places,
}

impl FlowReader {
    fn read_all(&mut self, commands: &[Node]) -> Result<(), ImportError> {
        for command in commands {
            match &command.value {
                Yaml::Text(name) => self.read_one(name, None, command.line)?,
                Yaml::Map(pairs) => {
                    for (name, value) in pairs.iter().take(1) {
                        self.read_one(name, Some(value), command.line)?;
                    }
                }
                Yaml::List(_) => self.recording.remark(command.line, "a list is no command"),
            }
        }
        Ok(())
    }

    fn read_one(
        &mut self,
        name: &str,
        value: Option<&Node>,
        line: usize,
    ) -> Result<(), ImportError> {
        let text = value.and_then(Node::text).unwrap_or_default();
        let events: Option<Vec<Event>> = match name {
            "launchApp" => return self.launch(value, line),
            "tapOn" => self.target(value).map(|target| vec![Event::Tap(target)]),
            "doubleTapOn" => self
                .target(value)
                .map(|target| vec![Event::Tap(target.clone()), Event::Tap(target)]),
            "longPressOn" => self.target(value).map(|target| vec![Event::LongPress(target)]),
            "inputText" => {
                let text =
                    value.and_then(|node| node.get("text").and_then(Node::text).or(node.text()));
                text.map(|text| {
                    vec![Event::Text { on: Target::default(), text: text.replace("\\${", "${") }]
                })
            }
            "eraseText" => Some(vec![Event::Text { on: Target::default(), text: String::new() }]),
            "back" => Some(vec![Event::Key(Key::back())]),
            "pressKey" => key(text).map(|key| vec![Event::Key(key)]),
            "hideKeyboard" => Some(Vec::new()),
            "scroll" => Some(vec![self.swipe_by("UP")]),
            "swipe" => self.swipe(value).map(|event| vec![event]),
            "setOrientation" => orientation(text).map(|orientation| {
                self.places.landscape =
                    matches!(orientation, Orientation::Landscape | Orientation::ReverseLandscape);
                vec![Event::Rotate(orientation)]
            }),
            "stopApp" => Some(vec![Event::Close]),
            "killApp" => Some(vec![Event::System(SystemEvent::ProcessDeath)]),
            "openLink" => {
                let link =
                    value.and_then(|node| node.get("link").and_then(Node::text).or(node.text()));
                link.map(|link| vec![Event::Intent(view(link))])
            }
            "setAirplaneMode" => match text {
                "enabled" => Some(Connectivity::Off),
                "disabled" => Some(Connectivity::Wifi),
                _ => None,
            }
            .map(|to| vec![Event::System(SystemEvent::Connectivity(to))]),
            name if PASSIVE.contains(&name) => {
                self.recording.remark(line, format!("{name} does nothing to the app"));
                return Ok(());
            }
            _ => None,
        };
        let Some(events) = events else {
            self.recording.remark(line, format!("{} has no counterpart", shorten(name)));
            return Ok(());
        };
        self.join_text(&events);
        events.into_iter().try_for_each(|event| self.recording.push(event))
    }

    /// An erased field that is filled next, and a tap before, are one text event on a widget.
    fn join_text(&mut self, events: &[Event]) {
        let [Event::Text { text, .. }] = events else { return };
        if !text.is_empty()
            && matches!(self.recording.events.last(), Some(Event::Text { text, .. }) if text.is_empty())
        {
            self.recording.events.pop();
        }
    }

    fn launch(&mut self, value: Option<&Node>, line: usize) -> Result<(), ImportError> {
        let clears =
            value.and_then(|node| node.get("clearState")).and_then(Node::text) == Some("true");
        let package = value.and_then(|node| node.get("appId").and_then(Node::text).or(node.text()));
        if let Some(package) = package {
            self.recording.package = Some(package.to_string());
        }
        if self.recording.events.is_empty() {
            return Ok(());
        }
        if clears {
            self.recording.remark(
                line,
                "a trace is cleared at its beginning only; the app is launched again",
            );
        }
        self.recording.push(Event::Launch)
    }

    /// Reads `"text"`, or a map with `text`, `id` or `point`.
    fn target(&self, value: Option<&Node>) -> Option<Target> {
        let value = value?;
        if let Some(text) = value.text() {
            return Some(of_selector(Selector { text: unescape(text), ..Selector::default() }));
        }
        if let Some(point) = value.get("point").and_then(Node::text) {
            return Some(Target::point(self.point(point)?));
        }
        let word =
            |key: &str| value.get(key).and_then(Node::text).map(unescape).unwrap_or_default();
        let id = word("id");
        let id = id.rsplit(['/', ':']).next().unwrap_or_default().to_string();
        let selector = Selector { id, text: word("text"), ..Selector::default() };
        (selector != Selector::default()).then(|| of_selector(selector))
    }

    /// Reads `50%,25%` or `100,200`.
    fn point(&self, text: &str) -> Option<Point> {
        let (x, y) = text.split_once(',')?;
        let number = |text: &str| text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
        let (at_x, at_y) = (number(x)?, number(y)?);
        let is_share = x.trim().ends_with('%');
        Some(if is_share {
            self.places.share(at_x, at_y)
        } else {
            Point::new(at_x as i32, at_y as i32)
        })
    }

    fn swipe(&self, value: Option<&Node>) -> Option<Event> {
        let value = value?;
        if let Some(direction) = value.get("direction").and_then(Node::text) {
            return Some(self.swipe_by(direction));
        }
        let place =
            |key: &str| value.get(key).and_then(Node::text).and_then(|text| self.point(text));
        let ms = value.get("duration").and_then(Node::text).and_then(|text| text.parse().ok());
        let from = Target::point(place("start")?);
        Some(Event::Drag { from, to: place("end")?, ms: ms.unwrap_or(400) })
    }

    /// A finger that goes in a direction over most of the screen.
    fn swipe_by(&self, direction: &str) -> Event {
        let ((from_x, from_y), (to_x, to_y)) = match direction.to_ascii_uppercase().as_str() {
            "DOWN" => ((50.0, 20.0), (50.0, 90.0)),
            "LEFT" => ((90.0, 50.0), (10.0, 50.0)),
            "RIGHT" => ((10.0, 50.0), (90.0, 50.0)),
            _ => ((50.0, 50.0), (50.0, 10.0)),
        };
        let from = Target::point(self.places.share(from_x, from_y));
        Event::Drag { from, to: self.places.share(to_x, to_y), ms: 400 }
    }
}

fn of_selector(on: Selector) -> Target {
    Target { on: Some(on), at: None }
}

/// Maestro's texts are regular expressions. Most are plain words; escaped signs are meant as they are.
fn unescape(text: &str) -> String {
    let text = text.strip_prefix(".*").unwrap_or(text);
    let text = text.strip_suffix(".*").unwrap_or(text);
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(if letter == '\\' { letters.next().unwrap_or('\\') } else { letter });
    }
    plain
}

fn key(name: &str) -> Option<Key> {
    let lower = name.to_ascii_lowercase();
    let known = KEYS.iter().find(|(maestro, _)| *maestro == lower);
    Key::new(known.map_or(&lower.replace(' ', "_"), |(_, android)| android)).ok()
}

fn orientation(name: &str) -> Option<Orientation> {
    Some(match name.to_ascii_uppercase().as_str() {
        "PORTRAIT" => Orientation::Portrait,
        "LANDSCAPE_LEFT" | "LANDSCAPE" => Orientation::Landscape,
        "LANDSCAPE_RIGHT" => Orientation::ReverseLandscape,
        "UPSIDE_DOWN" => Orientation::ReversePortrait,
        _ => return None,
    })
}

fn view(link: &str) -> Intent {
    Intent { action: "android.intent.action.VIEW".into(), data: link.into(), ..Intent::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_fuzz::fuzz;

    const FLOW: &str = "\
appId: com.app
---
- launchApp:
    clearState: true
- tapOn: \"New note\"
- tapOn:
    id: \"com\\\\.app:id/title\"
- eraseText: 60
- inputText: \"hello\"
- assertVisible: \"hello\"
- longPressOn:
    point: \"50%,25%\"
- swipe:
    direction: LEFT
- back
- pressKey: Enter
- setOrientation: LANDSCAPE_LEFT
- repeat:
    times: 3
- killApp
";

    #[test]
    fn a_flow_becomes_events_and_the_rest_is_told() {
        let recording = read(FLOW, Display::default()).unwrap();
        assert_eq!(recording.package.as_deref(), Some("com.app"));
        let sentences: Vec<String> = recording.events.iter().map(ToString::to_string).collect();
        assert_eq!(
            sentences,
            [
                "tap \"New note\"",
                "tap title",
                "type \"hello\" into what has the focus",
                "long-press (540, 480)",
                "drag (972, 960) to (108, 960)",
                "press back",
                "press enter",
                "rotate to landscape",
                "let the system end the process",
            ]
        );
        let lines: Vec<usize> = recording.remarks.iter().map(|remark| remark.number).collect();
        assert_eq!(lines, [10, 18], "{:?}", recording.remarks);
    }

    #[test]
    fn damaged_flows() {
        let words = ["- tapOn:", "point: \"", "%,", "*a", "&a", "[", "{", "\n---\n"];
        fuzz("maestro", &[FLOW.as_bytes()], &words, |bytes| {
            std::str::from_utf8(bytes).is_ok_and(|text| read(text, Display::default()).is_ok())
        });
    }
}
