//! Writes events as a script. Events that Monkey cannot perform are left out with a remark.

use super::read::launcher_intent;
use super::{ActivityName, LONG_PRESS_MS, Remark, STEP_MS, keycode};
use crate::event::{Event, Intent, Key, PinchDirection, Target};
use crate::format::rotation;
use crate::geometry::Point;
use std::io::{self, Write};

/// Monkey looks for its keywords anywhere in a line. These act whatever the line's own keyword is,
/// so a text that contains one would do more than type it.
const GREEDY: [&str; 9] = [
    "DispatchFlip",
    "DeviceWakeUp",
    "UserWait",
    "ProfileWait",
    "DispatchPress",
    "LongPress",
    "PowerLog",
    "WriteLog",
    "RunCmd",
];

/// A hold that is long enough on every version of Android.
const HOLD_MS: u64 = 2 * LONG_PRESS_MS;

/// The farthest distance of a pinch's fingers from the middle.
const PINCH_REACH: i32 = 200;
const PINCH_STEPS: u32 = 10;

/// Remarks on a written script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteRemarks {
    /// Events that the script does not perform.
    pub left_out: Vec<Remark>,
    /// Events that the script performs less exactly.
    pub less_exact: Vec<Remark>,
}

impl WriteRemarks {
    pub fn is_empty(&self) -> bool {
        self.left_out.is_empty() && self.less_exact.is_empty()
    }
}

/// Writes a script and returns remarks on what it left out. `launch` is the app's entry: the script
/// starts with it, and `Launch` leads to it. Monkey knows no widgets, so only coordinates of
/// targets are written.
pub fn write<'a>(
    out: &mut impl Write,
    launch: Option<&ActivityName>,
    events: impl IntoIterator<Item = &'a Event>,
) -> io::Result<WriteRemarks> {
    let mut remarks = WriteRemarks::default();
    let mut body = Vec::new();
    // A name with a parenthesis or a line end would be read as commands.
    let launch = launch.filter(|entry| is_name(&entry.package) && is_name(&entry.class));
    let mut tapped = false;
    for (index, event) in events.into_iter().enumerate() {
        match lines(event, launch) {
            Ok(lines) => {
                // The reader would otherwise take the tap for the one that focuses the field.
                if tapped && matches!(event, Event::Text { on, .. } if on.at.is_none()) {
                    body.push("# into the field that has the focus".into());
                }
                body.extend(lines);
                tapped = matches!(event, Event::Tap(_));
            }
            Err(text) => remarks.left_out.push(Remark { number: index + 1, text }),
        }
        if let Some(text) = remark_on_precision(event) {
            remarks.less_exact.push(Remark { number: index + 1, text });
        }
    }
    let start = launch.map(|c| format!("LaunchActivity({},{})", c.package, c.class));
    let count = body.len() + usize::from(start.is_some());
    write!(out, "type= user\ncount= {count}\nspeed= 1.0\nstart data >>\n")?;
    for line in start.iter().chain(&body) {
        writeln!(out, "{line}")?;
    }
    Ok(remarks)
}

fn lines(event: &Event, launch: Option<&ActivityName>) -> Result<Vec<String>, String> {
    let cannot = || Err(format!("Monkey cannot {event}"));
    let line = match event {
        Event::Tap(target) => tap(target)?,
        // `PressAndHold` does not work: Monkey never lifts that finger.
        Event::LongPress(target) => {
            let at = place(target)?;
            format!("Tap({},{},{HOLD_MS})", at.x, at.y)
        }
        Event::Drag { from, to, ms } => {
            let (at, steps) = (place(from)?, steps(*ms));
            format!("Drag({},{},{},{},{steps})", at.x, at.y, to.x, to.y)
        }
        Event::Pinch { on, direction } => pinch(place(on)?, *direction),
        Event::Text { on, text } => {
            let typed = format!("DispatchString({})", typed(text)?);
            let focused = on.on.is_none() && on.at.is_none();
            return Ok(if focused { vec![typed] } else { vec![tap(on)?, typed] });
        }
        Event::Key(key) => press(key)?,
        Event::Rotate(orientation) => format!("RotateScreen({},0)", rotation::number(*orientation)),
        Event::Wait(ms) if i32::try_from(*ms).is_ok() => format!("UserWait({ms})"),
        Event::Launch => match launch {
            Some(entry) => format!("LaunchActivity({},{})", entry.package, entry.class),
            None => return Err("it is not known which activity launches the app".into()),
        },
        Event::Intent(intent) => activity(intent, launch)?,
        Event::Wait(_) | Event::System(_) | Event::Close | Event::Hasty(_) => return cannot(),
    };
    Ok(vec![line])
}

/// Returns a remark on an event that the script describes less exactly.
fn remark_on_precision(event: &Event) -> Option<String> {
    match event {
        Event::Drag { ms, .. } if steps(*ms).checked_mul(STEP_MS) != Some(*ms) => {
            Some(format!("a drag of {ms} ms is written as {} steps of {STEP_MS} ms", steps(*ms)))
        }
        _ => None,
    }
}

fn place(target: &Target) -> Result<Point, String> {
    target.at.ok_or_else(|| format!("Monkey needs coordinates, {target} has none"))
}

fn tap(target: &Target) -> Result<String, String> {
    place(target).map(|at| format!("Tap({},{})", at.x, at.y))
}

fn steps(ms: u32) -> u32 {
    (ms / STEP_MS).max(1)
}

/// Returns a pinch of two fingers beside each other, with the target in the middle and, if there is
/// room, on the screen.
fn pinch(at: Point, direction: PinchDirection) -> String {
    let far = i64::from(at.x.clamp(2, PINCH_REACH));
    let near = far / 2;
    let (start, end) = match direction {
        PinchDirection::Open => (near, far),
        PinchDirection::Close => (far, near),
    };
    let (x, y) = (i64::from(at.x), at.y);
    let [a, b, c, d] = [x - start, x - end, x + start, x + end];
    format!("PinchZoom({a},{y},{b},{y},{c},{y},{d},{y},{PINCH_STEPS})")
}

/// Returns a text as `input text` accepts it, because Monkey passes it on: printable ASCII, spaces
/// as `%s`.
fn typed(text: &str) -> Result<String, String> {
    let plain = |c: char| c == ' ' || c.is_ascii_graphic() && c != ',' && c != ')';
    if text.is_empty() || !text.chars().all(plain) || text.contains("%s") {
        return Err(format!("Monkey cannot type {text:?}"));
    }
    if let Some(keyword) = GREEDY.iter().find(|keyword| text.contains(**keyword)) {
        return Err(format!("Monkey would take {keyword} in {text:?} for a command"));
    }
    Ok(text.replace(' ', "%s"))
}

fn press(key: &Key) -> Result<String, String> {
    match keycode::code(key) {
        None | Some(0) => Err(format!("Monkey knows no key {}", key.name())),
        Some(_) => Ok(format!("DispatchPress(KEYCODE_{})", key.name().to_ascii_uppercase())),
    }
}

/// Returns the line for an intent. Monkey sends only the launcher's intent, to an activity by name.
fn activity(intent: &Intent, launch: Option<&ActivityName>) -> Result<String, String> {
    let component = intent
        .component
        .split_once('/')
        .map(|(package, class)| ActivityName { package: package.into(), class: class.into() })
        .filter(|c| [&c.package, &c.class].into_iter().all(|name| is_name(name)))
        .filter(|c| *intent == launcher_intent(c) && launch.is_some_and(|entry| entry != c));
    match component {
        Some(c) => Ok(format!("LaunchActivity({},{})", c.package, c.class)),
        None => Err(format!("Monkey cannot send the intent {intent}")),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'))
}
