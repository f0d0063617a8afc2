//! The kinds of events as app files name them. Each has at most one detail: `key back`, `drag up`.

use retap_model::event::{Connectivity, PinchDirection};
use retap_model::{Event, Key, Orientation, Point, SystemEvent};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gesture {
    Tap,
    Long,
    Drag,
    Pinch,
    Text,
    Key,
    Rotate,
    Intent,
    System,
    Wait,
    Launch,
    Close,
}

const GESTURES: [(&str, Gesture); Gesture::COUNT] = [
    ("tap", Gesture::Tap),
    ("long", Gesture::Long),
    ("drag", Gesture::Drag),
    ("pinch", Gesture::Pinch),
    ("text", Gesture::Text),
    ("key", Gesture::Key),
    ("rotate", Gesture::Rotate),
    ("intent", Gesture::Intent),
    ("system", Gesture::System),
    ("wait", Gesture::Wait),
    ("launch", Gesture::Launch),
    ("close", Gesture::Close),
];

/// System events that are not broadcasts.
const SYSTEM: [&str; 11] = [
    "offline",
    "wifi",
    "mobile",
    "battery",
    "call",
    "sms",
    "locale",
    "night",
    "screen",
    "process_death",
    "low_memory",
];

impl Gesture {
    pub const COUNT: usize = 12;

    pub fn named(name: &str) -> Option<Gesture> {
        GESTURES.iter().find(|(known, _)| *known == name).map(|(_, gesture)| *gesture)
    }

    pub fn names() -> String {
        GESTURES.map(|(name, _)| name).join(", ")
    }

    /// Returns true if the gesture happens at a place on the screen.
    pub fn is_placed(self) -> bool {
        matches!(
            self,
            Gesture::Tap | Gesture::Long | Gesture::Drag | Gesture::Pinch | Gesture::Text
        )
    }

    /// Checks a detail. The error says what was expected.
    pub fn check_detail(self, detail: &str) -> Result<(), String> {
        let among = |known: &[&str]| {
            let message = || format!("expected one of {}, found {detail:?}", known.join(", "));
            if known.contains(&detail) { Ok(()) } else { Err(message()) }
        };
        match self {
            Gesture::Drag => among(&["up", "down", "left", "right"]),
            Gesture::Pinch => among(&["open", "close"]),
            Gesture::Rotate => among(&["portrait", "landscape"]),
            Gesture::Key if Key::new(detail)?.name() == detail => Ok(()),
            Gesture::Key => Err(format!("expected a key in lower case, found {detail:?}")),
            Gesture::Intent => Ok(()),
            Gesture::System if detail.contains('.') => Ok(()),
            Gesture::System => among(&SYSTEM),
            _ => Err(format!("expected -> or a widget of the screen, found {detail:?}")),
        }
    }
}

/// Returns the event's gesture and detail. `from` is the start of a drag.
pub(crate) fn classify(event: &Event, from: Option<Point>) -> (Gesture, &str) {
    match event {
        Event::Tap(_) => (Gesture::Tap, ""),
        Event::LongPress(_) => (Gesture::Long, ""),
        Event::Drag { to, .. } => (Gesture::Drag, from.map_or("", |from| direction(from, *to))),
        Event::Pinch { direction: PinchDirection::Open, .. } => (Gesture::Pinch, "open"),
        Event::Pinch { direction: PinchDirection::Close, .. } => (Gesture::Pinch, "close"),
        Event::Text { .. } => (Gesture::Text, ""),
        Event::Key(key) => (Gesture::Key, key.name()),
        Event::Rotate(Orientation::Portrait | Orientation::ReversePortrait) => {
            (Gesture::Rotate, "portrait")
        }
        Event::Rotate(_) => (Gesture::Rotate, "landscape"),
        Event::Intent(intent) => (Gesture::Intent, &intent.action),
        Event::System(system) => (Gesture::System, system_name(system)),
        Event::Wait(_) => (Gesture::Wait, ""),
        Event::Launch => (Gesture::Launch, ""),
        Event::Close => (Gesture::Close, ""),
        // The world performs a hasty event part by part, so this is never asked for the whole.
        Event::Hasty(hasty) => {
            hasty.events().first().map_or((Gesture::Wait, ""), |it| classify(it, from))
        }
    }
}

/// Returns the direction of a drag, by its longer side.
fn direction(from: Point, to: Point) -> &'static str {
    let right = i64::from(to.x) - i64::from(from.x);
    let down = i64::from(to.y) - i64::from(from.y);
    match (right.abs() > down.abs(), right > 0, down > 0) {
        (true, true, _) => "right",
        (true, false, _) => "left",
        (false, _, true) => "down",
        (false, _, false) => "up",
    }
}

fn system_name(event: &SystemEvent) -> &str {
    match event {
        SystemEvent::Broadcast(intent) => &intent.action,
        SystemEvent::Connectivity(Connectivity::Off) => "offline",
        SystemEvent::Connectivity(Connectivity::Wifi) => "wifi",
        SystemEvent::Connectivity(Connectivity::Mobile) => "mobile",
        SystemEvent::Battery { .. } => "battery",
        SystemEvent::Call { .. } => "call",
        SystemEvent::Sms { .. } => "sms",
        SystemEvent::Notification { .. } => "notification",
        SystemEvent::Locale(_) => "locale",
        SystemEvent::Night(_) => "night",
        SystemEvent::ScreenOn(_) => "screen",
        SystemEvent::ProcessDeath => "process_death",
        SystemEvent::LowMemory => "low_memory",
    }
}
