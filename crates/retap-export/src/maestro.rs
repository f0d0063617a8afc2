//! A flow of Maestro. Its selectors are regular expressions, its places are shares of the screen, and it evaluates
//! `${…}` in texts.

use crate::language::Language;
use crate::query::Query;
use crate::quoting::json;
use crate::trace::ExportedTrace;
use retap_model::event::{Connectivity, Intent};
use retap_model::{Display, Event, Key, Orientation, Point, SystemEvent, Target};

/// Maestro's names of keys.
const KEYS: [(&str, &str); 11] = [
    ("home", "Home"),
    ("enter", "Enter"),
    ("del", "Backspace"),
    ("tab", "Tab"),
    ("power", "Power"),
    ("volume_up", "Volume Up"),
    ("volume_down", "Volume Down"),
    ("dpad_up", "Remote Dpad Up"),
    ("dpad_down", "Remote Dpad Down"),
    ("dpad_left", "Remote Dpad Left"),
    ("dpad_right", "Remote Dpad Right"),
];

pub struct Maestro {
    display: Display,
    orientation: Orientation,
}

impl Maestro {
    pub fn new(display: Display) -> Self {
        Self { display, orientation: Orientation::Portrait }
    }

    /// Returns a point as shares of the screen, so that it means the same on another one.
    fn share(&self, at: Point) -> String {
        let Display { width, height, .. } = self.display;
        let is_upright =
            matches!(self.orientation, Orientation::Portrait | Orientation::ReversePortrait);
        let (width, height) = if is_upright { (width, height) } else { (height, width) };
        let percent = |at: i32, of: u32| (i64::from(at) * 100 / i64::from(of.max(1))).clamp(0, 100);
        format!("{}%,{}%", percent(at.x, width), percent(at.y, height))
    }

    /// Returns the lines of a command on a widget or a point.
    fn touch(&self, command: &str, target: &Target) -> Result<Vec<String>, String> {
        let mut lines = vec![format!("- {command}:")];
        match (Query::of(target), target.at) {
            (Some(query), _) => {
                if let Some(pattern) = query.id_pattern() {
                    lines.push(format!("    id: {}", json(&pattern)));
                }
                let text = query.text.map(|text| text.pattern());
                let description = query.description.map(regex::escape);
                if let Some(pattern) = text.or(description) {
                    lines.push(format!("    text: {}", json(&pattern)));
                }
            }
            (None, Some(at)) => lines.push(format!("    point: {}", json(&self.share(at)))),
            (None, None) => return Err(format!("the place of {target} is unknown")),
        }
        Ok(lines)
    }

    fn drag(&self, from: &Target, to: Point, ms: u32) -> Result<Vec<String>, String> {
        let from = from.at.ok_or_else(|| format!("the place of {from} is unknown"))?;
        Ok(vec![
            "- swipe:".into(),
            format!("    start: {}", json(&self.share(from))),
            format!("    end: {}", json(&self.share(to))),
            format!("    duration: {ms}"),
        ])
    }

    fn text(&self, on: &Target, text: &str) -> Result<Vec<String>, String> {
        if !text.is_ascii() || text.contains(|c: char| c.is_ascii_control()) {
            return Err(format!(
                "Maestro types only printable ASCII characters on Android, not {text:?}"
            ));
        }
        let mut lines = Vec::new();
        if *on != Target::default() {
            lines.extend(self.touch("tapOn", on)?);
        }
        lines.push("- eraseText: 60".into());
        if !text.is_empty() {
            lines.push(format!("- inputText: {}", json(&text.replace("${", "\\${"))));
        }
        Ok(lines)
    }
}

impl Language for Maestro {
    const COMMENT: &'static str = "#";
    const INDENT: &'static str = "";

    fn begin(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        vec![
            format!("# {}.", trace.purpose()),
            format!("appId: {}", json(trace.package())),
            "---".into(),
            "- launchApp:".into(),
            "    clearState: true".into(),
        ]
    }

    fn step(&mut self, event: &Event, _: &ExportedTrace<'_>) -> Result<Vec<String>, String> {
        let cannot = || Err(format!("Maestro cannot {event}"));
        match event {
            Event::Tap(target) => self.touch("tapOn", target),
            Event::LongPress(target) => self.touch("longPressOn", target),
            Event::Drag { from, to, ms } => self.drag(from, *to, *ms),
            Event::Text { on, text } => self.text(on, text),
            Event::Key(key) => press(key),
            Event::Rotate(orientation) => {
                self.orientation = *orientation;
                Ok(vec![format!("- setOrientation: {}", orientation_name(*orientation))])
            }
            Event::Intent(intent) => open_link(intent),
            Event::Launch => Ok(launch_again()),
            Event::Close => Ok(vec!["- stopApp".into()]),
            Event::System(SystemEvent::ProcessDeath) => {
                let mut lines = vec!["- pressKey: Home".into(), "- killApp".into()];
                lines.extend(launch_again());
                Ok(lines)
            }
            Event::System(SystemEvent::Connectivity(Connectivity::Off)) => {
                Ok(vec!["- setAirplaneMode: enabled".into()])
            }
            Event::System(SystemEvent::Connectivity(Connectivity::Wifi)) => {
                Ok(vec!["- setAirplaneMode: disabled".into()])
            }
            Event::Pinch { .. } | Event::System(_) | Event::Wait(_) | Event::Hasty(_) => cannot(),
        }
    }

    fn end(&mut self, trace: &ExportedTrace<'_>) -> Vec<String> {
        if trace.exception().is_none() {
            return Vec::new();
        }
        vec![
            "# The flow fails here while the app crashes.".into(),
            "- assertNotVisible: \".*(keeps stopping|has stopped).*\"".into(),
        ]
    }
}

fn launch_again() -> Vec<String> {
    vec!["- launchApp:".into(), "    stopApp: false".into()]
}

fn press(key: &Key) -> Result<Vec<String>, String> {
    if *key == Key::back() {
        return Ok(vec!["- back".into()]);
    }
    let found = KEYS.iter().find(|(name, _)| *name == key.name());
    let (_, name) = found.ok_or_else(|| format!("Maestro knows no key {}", key.name()))?;
    Ok(vec![format!("- pressKey: {name}")])
}

fn orientation_name(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Portrait => "PORTRAIT",
        Orientation::Landscape => "LANDSCAPE_LEFT",
        Orientation::ReversePortrait => "UPSIDE_DOWN",
        Orientation::ReverseLandscape => "LANDSCAPE_RIGHT",
    }
}

/// Maestro opens links and sends no other intents.
fn open_link(intent: &Intent) -> Result<Vec<String>, String> {
    let is_link = intent.action == "android.intent.action.VIEW"
        && !intent.data.is_empty()
        && intent.component.is_empty()
        && intent.extras.is_empty();
    if !is_link {
        return Err(format!("Maestro cannot send the intent {intent}"));
    }
    Ok(vec![format!("- openLink: {}", json(&intent.data.replace("${", "\\${")))])
}
