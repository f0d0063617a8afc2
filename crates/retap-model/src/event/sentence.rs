//! Events as sentence fragments for people: `tap "Add"`, `press back`.

use super::{
    Connectivity, Event, Intent, NotificationAction, Orientation, PinchDirection, SystemEvent,
    Target,
};
use std::fmt;

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
            Event::Hasty(hasty) => {
                let parts = hasty.events().iter().map(|part| Sentence(part, style).to_string());
                let parts: Vec<String> = parts.collect();
                match hasty.gap_ms() {
                    0 => f.write_str(&parts.join(" and at once ")),
                    ms => f.write_str(&parts.join(&format!(" and {ms} ms later "))),
                }
            }
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
