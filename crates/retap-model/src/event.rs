//! Events: what retap does to a device.

use crate::geometry::Point;
use crate::selector::Selector;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// One thing done to the device.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    Tap(Target),
    LongPress(Target),
    /// A finger goes down on the target and comes up elsewhere. A swipe is a fast drag.
    Drag {
        from: Target,
        to: Point,
        #[serde(default = "default_drag_ms")]
        ms: u32,
    },
    Pinch {
        on: Target,
        #[serde(rename = "way")]
        direction: PinchDirection,
    },
    /// Focuses the field and replaces its text.
    Text {
        on: Target,
        text: String,
    },
    Key(Key),
    Rotate(Orientation),
    /// Sends an intent to the app from outside.
    Intent(Intent),
    System(SystemEvent),
    /// Lets the app's clock run.
    Wait(u32),
    /// Brings the app to the front again, as its launcher icon does. The app keeps its data.
    Launch,
    /// Ends the app, as swiping it away from the recent apps does. The app keeps its data.
    Close,
}

fn default_drag_ms() -> u32 {
    200
}

/// The object of an event: a widget by its selector, a point, or both, as recorded. An empty target
/// means the focused widget.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Selector>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Point>,
}

impl Target {
    /// Returns a target that is a point alone.
    pub fn point(at: Point) -> Self {
        Self { on: None, at: Some(at) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PinchDirection {
    Open,
    Close,
}

/// A hardware or navigation key by Android's name without `KEYCODE_`, in lower case: `back`, `dpad_up`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(String);

impl Key {
    /// Normalises a key name and checks its form. The key need not exist.
    pub fn new(name: &str) -> Result<Self, String> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_prefix("keycode_").unwrap_or(&name);
        let well_formed = !name.is_empty()
            && name.len() <= 40
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if well_formed {
            Ok(Self(name.to_string()))
        } else {
            Err(format!("expected a key name such as back or dpad_up, found {name:?}"))
        }
    }

    pub fn back() -> Self {
        Self("back".into())
    }

    pub fn home() -> Self {
        Self("home".into())
    }

    pub fn menu() -> Self {
        Self("menu".into())
    }

    pub fn name(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::new(&name)
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0
    }
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    #[default]
    Portrait,
    Landscape,
    ReversePortrait,
    ReverseLandscape,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Intent {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub action: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub data: String,
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub mime_type: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// `package/class`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub component: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extras: BTreeMap<String, Extra>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Extra {
    Bool(bool),
    Int(i64),
    Text(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SystemEvent {
    Broadcast(Intent),
    Connectivity(Connectivity),
    Battery {
        level: u8,
        charging: bool,
    },
    /// An incoming call that rings and ends.
    Call {
        number: String,
    },
    Sms {
        from: String,
        text: String,
    },
    /// Opens the n-th notification of the app or swipes it away; 0 is the newest.
    Notification {
        n: u8,
        #[serde(rename = "way")]
        action: NotificationAction,
    },
    /// A language tag such as `de-DE`.
    Locale(String),
    Night(bool),
    ScreenOn(bool),
    /// Ends the process in the background and brings the app back with its saved state.
    ProcessDeath,
    LowMemory,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Connectivity {
    Off,
    Wifi,
    Mobile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotificationAction {
    Open,
    Dismiss,
}

impl Event {
    /// Returns the target, if this kind of event has one.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Event::Tap(target) | Event::LongPress(target) => Some(target),
            Event::Drag { from, .. } => Some(from),
            Event::Pinch { on, .. } | Event::Text { on, .. } => Some(on),
            _ => None,
        }
    }

    pub fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Event::Tap(target) | Event::LongPress(target) => Some(target),
            Event::Drag { from, .. } => Some(from),
            Event::Pinch { on, .. } | Event::Text { on, .. } => Some(on),
            _ => None,
        }
    }
}

/// The two ways to write a target.
#[derive(Clone, Copy)]
enum TargetStyle {
    /// For people: a widget without label and id has its point beside it.
    Friendly,
    /// For names that must not change: a widget without label and id has its path beside it.
    Stable,
}

/// An event in one of the two styles.
struct Sentence<'a>(&'a Event, TargetStyle);

impl Event {
    /// Returns a sentence that file names are made from. Unlike the `Display` form it never changes
    /// between releases, and it does not depend on coordinates if the target has a selector.
    pub fn stable_name(&self) -> String {
        Sentence(self, TargetStyle::Stable).to_string()
    }
}

/// A sentence fragment for people: `tap "Add"`, `press back`.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sentence(self, TargetStyle::Friendly).fmt(f)
    }
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(event, style) = *self;
        let write_target = |target: &Target| target.describe(style);
        match event {
            Event::Tap(target) => write!(f, "tap {}", write_target(target)),
            Event::LongPress(target) => write!(f, "long-press {}", write_target(target)),
            Event::Drag { from, to, .. } => {
                write!(f, "drag {} to ({}, {})", write_target(from), to.x, to.y)
            }
            Event::Pinch { on, direction: PinchDirection::Open } => {
                write!(f, "pinch open on {}", write_target(on))
            }
            Event::Pinch { on, direction: PinchDirection::Close } => {
                write!(f, "pinch close on {}", write_target(on))
            }
            Event::Text { on, text } => write!(f, "type {text:?} into {}", write_target(on)),
            Event::Key(key) => write!(f, "press {}", key.name()),
            Event::Rotate(orientation) => write!(f, "rotate to {orientation}"),
            Event::Intent(intent) => write!(f, "send intent {intent}"),
            Event::System(event) => write!(f, "{event}"),
            Event::Wait(ms) => write!(f, "wait {ms} ms"),
            Event::Launch => f.write_str("launch the app"),
            Event::Close => f.write_str("close the app"),
        }
    }
}

impl Target {
    fn describe(&self, style: TargetStyle) -> String {
        match (&self.on, self.at, style) {
            (Some(selector), _, TargetStyle::Stable) => selector.stable_name(),
            (Some(selector), Some(point), TargetStyle::Friendly) if !selector.has_name() => {
                format!("the {} at ({}, {})", selector.short_class(), point.x, point.y)
            }
            (Some(selector), ..) => selector.to_string(),
            (None, Some(point), _) => format!("({}, {})", point.x, point.y),
            (None, None, _) => "what has the focus".into(),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(TargetStyle::Friendly))
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Orientation::Portrait => "portrait",
            Orientation::Landscape => "landscape",
            Orientation::ReversePortrait => "reverse portrait",
            Orientation::ReverseLandscape => "reverse landscape",
        })
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [&self.action, &self.component, &self.data, &self.mime_type];
        let given: Vec<&str> = parts.iter().map(|p| p.as_str()).filter(|p| !p.is_empty()).collect();
        f.write_str(&given.join(" "))
    }
}

impl fmt::Display for SystemEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SystemEvent::Broadcast(intent) => write!(f, "broadcast {intent}"),
            SystemEvent::Connectivity(Connectivity::Off) => f.write_str("go offline"),
            SystemEvent::Connectivity(Connectivity::Wifi) => f.write_str("connect to Wi-Fi"),
            SystemEvent::Connectivity(Connectivity::Mobile) => {
                f.write_str("connect to mobile data")
            }
            SystemEvent::Battery { level, charging: true } => {
                write!(f, "battery at {level}%, charging")
            }
            SystemEvent::Battery { level, charging: false } => write!(f, "battery at {level}%"),
            SystemEvent::Call { number } => write!(f, "receive a call from {number}"),
            SystemEvent::Sms { from, text } => {
                write!(f, "receive the message {text:?} from {from}")
            }
            SystemEvent::Notification { n, action: NotificationAction::Open } => {
                write!(f, "open notification {n}")
            }
            SystemEvent::Notification { n, action: NotificationAction::Dismiss } => {
                write!(f, "dismiss notification {n}")
            }
            SystemEvent::Locale(tag) => write!(f, "change the language to {tag}"),
            SystemEvent::Night(true) => f.write_str("turn dark mode on"),
            SystemEvent::Night(false) => f.write_str("turn dark mode off"),
            SystemEvent::ScreenOn(true) => f.write_str("turn the screen on"),
            SystemEvent::ScreenOn(false) => f.write_str("turn the screen off"),
            SystemEvent::ProcessDeath => f.write_str("let the system end the process"),
            SystemEvent::LowMemory => f.write_str("run low on memory"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(event: &Event, json: &str, sentence: &str) {
        assert_eq!(serde_json::to_string(event).unwrap(), json);
        assert_eq!(&serde_json::from_str::<Event>(json).unwrap(), event);
        assert_eq!(event.to_string(), sentence);
    }

    #[test]
    fn events_have_this_form_on_disk_and_for_people() {
        let at = Target::point(Point::new(3, 4));
        check(&Event::Tap(at.clone()), r#"{"tap":{"at":[3,4]}}"#, "tap (3, 4)");
        check(&Event::Key(Key::back()), r#"{"key":"back"}"#, "press back");
        check(&Event::Launch, r#""launch""#, "launch the app");
        check(&Event::Wait(500), r#"{"wait":500}"#, "wait 500 ms");
        check(
            &Event::Text { on: at, text: "hi".into() },
            r#"{"text":{"on":{"at":[3,4]},"text":"hi"}}"#,
            r#"type "hi" into (3, 4)"#,
        );
        check(
            &Event::System(SystemEvent::Battery { level: 5, charging: false }),
            r#"{"system":{"battery":{"level":5,"charging":false}}}"#,
            "battery at 5%",
        );
        check(
            &Event::System(SystemEvent::Notification { n: 0, action: NotificationAction::Open }),
            r#"{"system":{"notification":{"n":0,"way":"open"}}}"#,
            "open notification 0",
        );
    }

    #[test]
    fn a_widget_without_a_name_is_described_by_its_class_and_point() {
        let selector = |text: &str| Selector {
            class: "android.widget.ListView".into(),
            text: text.into(),
            path: Some("0/0".into()),
            ..Selector::default()
        };
        let tap = |selector, at| Event::Tap(Target { on: Some(selector), at });
        let point = Some(Point::new(540, 960));
        assert_eq!(tap(selector(""), point).to_string(), "tap the ListView at (540, 960)");
        assert_eq!(tap(selector(""), None).to_string(), "tap the ListView without a label");
        assert_eq!(tap(selector("Songs"), point).to_string(), "tap \"Songs\"");
        let nothing = Selector::default();
        assert_eq!(tap(nothing, point).to_string(), "tap the widget at (540, 960)");
    }

    #[test]
    fn the_stable_name_of_an_event_stays_as_it_is() {
        // File names of suites that people keep are made from it.
        let selector = Selector {
            class: "android.widget.ListView".into(),
            path: Some("0/0".into()),
            ..Selector::default()
        };
        let event = Event::Tap(Target { on: Some(selector), at: Some(Point::new(540, 960)) });
        assert_eq!(event.stable_name(), "tap ListView at 0/0");
        assert_eq!(Event::Key(Key::back()).stable_name(), "press back");
    }

    #[test]
    fn key_names_are_normalised_and_malformed_ones_refused() {
        assert_eq!(Key::new("KEYCODE_DPAD_UP").unwrap().name(), "dpad_up");
        assert!(Key::new("rm -rf").is_err());
        assert!(Key::new("").is_err());
    }

    #[test]
    fn a_misspelt_field_is_an_error_not_a_default() {
        assert!(serde_json::from_str::<Event>(r#"{"tap":{"att":[3,4]}}"#).is_err());
    }
}
