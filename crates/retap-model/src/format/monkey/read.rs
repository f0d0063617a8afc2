//! Reads a script: its header, its commands one by one, and the events that they make up.

use super::command::{self, Command, Motion, MotionAction, Stroke};
use super::finger::{Finger, tap_or_long_press};
use super::{
    ActivityName, LAUNCHER_CATEGORY, MAIN_ACTION, MonkeyScript, Remark, STEP_MS, ScriptEvent,
};
use crate::event::{Event, Intent, Key, PinchDirection, SystemEvent, Target};
use crate::format::FormatError;
use crate::format::lines::Lines;
use crate::geometry::Point;
use std::io::BufRead;

/// The most events of a script. Longer ones are hardly scripts.
pub const MAX_EVENTS: usize = 1_000_000;

/// The most remarks. A file with more of them is not a Monkey script.
pub const MAX_REMARKS: usize = 10_000;

/// The defaults of Monkey's command line for `ProfileWait` and for the sleep of `DeviceWakeUp`.
const PROFILE_WAIT_MS: u32 = 5_000;
const DEVICE_SLEEP_MS: u32 = 30_000;

/// Reads a script. `file` is a name for errors.
pub fn read(reader: impl BufRead, file: &str) -> Result<MonkeyScript, FormatError> {
    let mut commands = CommandReader::open(reader, file)?;
    let mut builder = ScriptBuilder::default();
    while let Some(NumberedCommand { line, command }) = commands.next_command()? {
        builder.add(line, command);
        builder.check_bounds(file, line)?;
    }
    Ok(builder.finish())
}

/// Reads the commands of a script, in order, with their lines.
pub struct CommandReader<R> {
    lines: Lines<R>,
}

/// A command and the number of its line. The error of a wrong command says what was expected.
pub struct NumberedCommand {
    pub line: usize,
    pub command: Result<Command, String>,
}

impl<R: BufRead> CommandReader<R> {
    /// Reads the header.
    pub fn open(reader: R, file: &str) -> Result<Self, FormatError> {
        let mut lines = Lines::new(reader, file);
        loop {
            let Some(line) = lines.next_line()? else {
                return Err(lines.error(
                    "a Monkey script with a line `start data >>` after its header",
                    "the end of the file",
                ));
            };
            let text = line.text.trim();
            if text.contains("start data >>") {
                return Ok(Self { lines });
            }
            let numeric = [("count=", "a number of events"), ("speed=", "a speed")];
            for (name, what) in numeric {
                let Some(value) = text.strip_prefix(name) else { continue };
                if !value.trim().parse::<f64>().is_ok_and(f64::is_finite) {
                    let expected = format!("{what} after `{name}`");
                    return Err(FormatError::malformed(file, line.number, expected, value.trim()));
                }
            }
        }
    }

    /// Returns the next line that is neither blank nor a comment. A command that makes no sense
    /// does not end the reading.
    pub fn next_command(&mut self) -> Result<Option<NumberedCommand>, FormatError> {
        while let Some(line) = self.lines.next_line()? {
            let text = line.text.trim();
            if text.starts_with('#') && text.contains('(') {
                let why = "this comment is skipped, though Monkey itself might run it";
                return Ok(Some(NumberedCommand { line: line.number, command: Err(why.into()) }));
            }
            if !text.is_empty() && !text.starts_with('#') {
                let command = command::parse(text);
                return Ok(Some(NumberedCommand { line: line.number, command }));
            }
        }
        Ok(None)
    }
}

/// Combines commands into events.
#[derive(Debug, Default)]
pub struct ScriptBuilder {
    script: MonkeyScript,
    finger: Option<Finger>,
    /// The key that is down and the line where it went down.
    held: Option<(usize, Key)>,
    /// The activity that counts as the app's entry: the first launched one.
    entry: Option<ActivityName>,
}

impl ScriptBuilder {
    pub fn add(&mut self, line: usize, command: Result<Command, String>) {
        let command = match command {
            Ok(command) => command,
            Err(why) => return self.remark(line, why),
        };
        if !matches!(command, Command::Pointer(_) | Command::Wait(_)) {
            self.drop_finger(line);
        }
        if !matches!(command, Command::Key(_)) {
            self.drop_key(line);
        }
        match command {
            Command::Pointer(motion) => self.add_motion(line, motion),
            Command::Key(stroke) => self.add_key_stroke(line, stroke),
            Command::Wait(ms) => match &mut self.finger {
                Some(finger) => finger.waited(ms),
                None => self.push(line, Event::Wait(ms)),
            },
            Command::Tap { at, ms } | Command::PressAndHold { at, ms } => {
                self.push(line, tap_or_long_press(Target::point(at), ms));
            }
            Command::Drag { steps: 0, .. } | Command::Pinch { steps: 0, .. } => {
                self.remark(line, "a gesture of no steps does nothing");
            }
            Command::Drag { from, to, steps } => {
                let from = Target::point(from);
                self.push(line, Event::Drag { from, to, ms: steps.saturating_mul(STEP_MS) });
            }
            Command::Pinch { start, end, .. } => self.pinch(line, start, end),
            Command::Press(key) => self.push(line, Event::Key(key)),
            Command::Rotate(orientation) => self.push(line, Event::Rotate(orientation)),
            Command::Text(text) => self.text(line, text),
            Command::Launch { component, alarm } => self.launch(line, component, alarm),
            Command::ProfileWait => {
                self.remark(line, "ProfileWait is taken as Monkey's default of 5 s");
                self.push(line, Event::Wait(PROFILE_WAIT_MS));
            }
            Command::WakeUp => {
                self.push(line, Event::System(SystemEvent::ScreenOn(false)));
                self.push(line, Event::Wait(DEVICE_SLEEP_MS));
                self.push(line, Event::System(SystemEvent::ScreenOn(true)));
            }
            Command::Run(command) => {
                let shown: String = command.chars().take(80).collect();
                self.remark(line, format!("the command `{shown}` is not run"));
            }
            Command::Trackball => self.remark(line, "there is no trackball event"),
            Command::Flip => self.remark(line, "there is no event for flipping the keyboard open"),
            Command::Instrumentation => self.remark(line, "instrumentation is not started"),
            Command::LongPress => self.remark(line, "there is no event for holding a key"),
            Command::Power => self.remark(line, "power logging does nothing to the app"),
            Command::FrameRate | Command::AppFrameRate => {
                self.remark(line, "measuring frame rates does nothing to the app");
            }
        }
    }

    /// Fails if there are too many events or remarks, because the file may be anything.
    pub fn check_bounds(&self, file: &str, line: usize) -> Result<(), FormatError> {
        let bounds = [
            (self.script.events.len(), MAX_EVENTS, "events"),
            (self.script.remarks.len(), MAX_REMARKS, "lines that are no event"),
        ];
        for (count, limit, what) in bounds {
            if count > limit {
                let expected = format!("a Monkey script with at most {limit} {what}");
                return Err(FormatError::malformed(file, line, expected, "more"));
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> MonkeyScript {
        let end = usize::MAX;
        self.drop_finger(end);
        self.drop_key(end);
        self.script
    }

    fn push(&mut self, line: usize, event: Event) {
        self.script.events.push(ScriptEvent { line, event });
    }

    fn remark(&mut self, line: usize, text: impl Into<String>) {
        self.script.remarks.push(Remark { number: line, text: text.into() });
    }

    fn add_motion(&mut self, line: usize, motion: Motion) {
        match (motion.action, self.finger.as_mut()) {
            (MotionAction::Down, _) => {
                self.drop_finger(line);
                self.finger = Some(Finger::down(line, motion.at, motion.time_ms));
            }
            (MotionAction::Move, Some(finger)) => finger.moved(motion.at),
            (MotionAction::Up, Some(finger)) => {
                let (down, event) = (finger.line, finger.up(motion.at, motion.time_ms));
                self.finger = None;
                self.push(down, event);
            }
            (MotionAction::Cancel, Some(finger)) => {
                let text = format!("the touch of line {} is cancelled", finger.line);
                self.finger = None;
                self.remark(line, text);
            }
            (MotionAction::Other, _) => {
                self.remark(
                    line,
                    "only one finger that goes down, moves and comes up is understood",
                );
            }
            (_, None) => self.remark(line, "no finger is down here"),
        }
    }

    fn add_key_stroke(&mut self, line: usize, stroke: Stroke) {
        if stroke.modified {
            self.remark(line, "shift, alt and other modifiers are left out");
        }
        match (stroke.down, self.held.take()) {
            (true, Some((down, key))) if stroke.repeated && key == stroke.key => {
                self.held = Some((down, key));
                self.remark(line, "the repetition of a held key is left out");
            }
            (true, held) => {
                self.held = held;
                self.drop_key(line);
                self.held = Some((line, stroke.key));
            }
            (false, Some((down, key))) if key == stroke.key => self.push(down, Event::Key(key)),
            (false, held) => {
                self.held = held;
                self.remark(line, format!("the key {} is not down here", stroke.key.name()));
            }
        }
    }

    fn drop_finger(&mut self, line: usize) {
        if let Some(finger) = self.finger.take() {
            self.remark(finger.line, format!("this touch is not ended {}", before(line)));
        }
    }

    fn drop_key(&mut self, line: usize) {
        if let Some((down, _)) = self.held.take() {
            self.remark(down, format!("this key does not come up {}", before(line)));
        }
    }

    /// Adds a pinch: fingers that move apart open, fingers that move together close. Anything else
    /// is two drags at once.
    fn pinch(&mut self, line: usize, start: [Point; 2], end: [Point; 2]) {
        let middle = |a: i32, b: i32| ((i64::from(a) + i64::from(b)).div_euclid(2)) as i32;
        let on = Point::new(middle(start[0].x, start[1].x), middle(start[0].y, start[1].y));
        let direction = match distance(start).total_cmp(&distance(end)) {
            std::cmp::Ordering::Less => PinchDirection::Open,
            std::cmp::Ordering::Greater => PinchDirection::Close,
            std::cmp::Ordering::Equal => {
                return self.remark(line, "two fingers that keep their distance are no pinch");
            }
        };
        self.push(line, Event::Pinch { on: Target::point(on), direction });
    }

    /// Adds a text, typed into the field that a tap on the line before has focused, or else into
    /// the focused one.
    fn text(&mut self, line: usize, text: String) {
        if text.is_empty() {
            return self.remark(line, "there is nothing to type");
        }
        let tapped = self
            .script
            .events
            .pop_if(|last| last.line + 1 == line && matches!(last.event, Event::Tap(_)));
        match tapped {
            Some(ScriptEvent { line, event: Event::Tap(on) }) => {
                self.push(line, Event::Text { on, text });
            }
            _ => self.push(line, Event::Text { on: Target::default(), text }),
        }
    }

    fn launch(&mut self, line: usize, component: ActivityName, alarm: bool) {
        if alarm {
            self.remark(line, "the alarm time is left out");
        }
        if self.entry.is_none() {
            self.entry = Some(component.clone());
            if self.script.events.is_empty() {
                self.script.launch = Some(component);
                return;
            }
        }
        if self.entry.as_ref() == Some(&component) {
            self.push(line, Event::Launch);
        } else {
            self.push(line, Event::Intent(launcher_intent(&component)));
        }
    }
}

pub fn launcher_intent(component: &ActivityName) -> Intent {
    Intent {
        action: MAIN_ACTION.into(),
        categories: vec![LAUNCHER_CATEGORY.into()],
        component: component.to_string(),
        ..Intent::default()
    }
}

fn before(line: usize) -> String {
    if line == usize::MAX { "before the end".into() } else { format!("before line {line}") }
}

fn distance([a, b]: [Point; 2]) -> f64 {
    (f64::from(a.x) - f64::from(b.x)).hypot(f64::from(a.y) - f64::from(b.y))
}
