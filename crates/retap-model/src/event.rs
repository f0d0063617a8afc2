//! Events: what retap does to a device.

mod haste;
mod sentence;

pub use haste::HastyEvents;

use crate::geometry::Point;
use crate::selector::Selector;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// Several events in one go: the app comes to rest only after the last of them.
    Hasty(HastyEvents),
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

/// An Android intent.
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

/// The value of an intent's extra.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Extra {
    Bool(bool),
    Int(i64),
    Text(String),
}

/// An event that the system and not the user causes.
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
    /// Returns the events that are done one by one: itself, or those of a hasty event.
    pub fn parts(&self) -> &[Event] {
        match self {
            Event::Hasty(hasty) => hasty.events(),
            event => std::slice::from_ref(event),
        }
    }

    /// Returns the target, if this kind of event has one. The target of a hasty event is that of its first part.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Event::Tap(target) | Event::LongPress(target) => Some(target),
            Event::Drag { from, .. } => Some(from),
            Event::Pinch { on, .. } | Event::Text { on, .. } => Some(on),
            Event::Hasty(hasty) => hasty.events().first()?.target(),
            _ => None,
        }
    }

    /// Returns the targets of all parts, to change them.
    pub fn targets_mut(&mut self) -> Vec<&mut Target> {
        match self {
            Event::Hasty(hasty) => hasty.events_mut().filter_map(Event::target_mut).collect(),
            event => event.target_mut().into_iter().collect(),
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

#[cfg(test)]
mod tests;
