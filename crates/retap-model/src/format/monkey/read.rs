//! Reading a script: its header, its commands one by one, and the events that they add up to.

use super::command::{self, Command, Motion, MotionAction, Stroke};
use super::finger::{Finger, rest};
use super::{
    ActivityName, LAUNCHER_CATEGORY, MAIN_ACTION, MonkeyScript, Remark, STEP_MS, ScriptEvent,
};
use crate::event::{Event, Intent, Key, PinchDirection, SystemEvent, Target};
use crate::format::FormatError;
use crate::format::lines::Lines;
use crate::geometry::Point;
use std::io::BufRead;

/// Longer scripts are split by whoever wrote them, or are none.
pub const MAX_EVENTS: usize = 1_000_000;

/// A file with more to remark on is no Monkey script.
pub const MAX_REMARKS: usize = 10_000;

/// What `ProfileWait` waits, and `DeviceWakeUp` sleeps, unless Monkey's command line says otherwise.
const PROFILE_WAIT_MS: u32 = 5_000;
const DEVICE_SLEEP_MS: u32 = 30_000;

pub fn read(reader: impl BufRead, file: &str) -> Result<MonkeyScript, FormatError> {
    let mut commands = CommandReader::open(reader, file)?;
    let mut builder = ScriptBuilder::default();
    while let Some((line, command)) = commands.next_command()? {
        builder.add(line, command);
        builder.check_bounds(file, line)?;
    }
    Ok(builder.finish())
}

/// The commands of a script, in order, with their lines.
pub struct CommandReader<R> {
    lines: Lines<R>,
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

    /// The next line that is neither blank nor a comment. A command that cannot be understood is an
    /// `Err` with what was expected; only what cannot be read at all ends the reading.
    #[allow(clippy::type_complexity)] // a line, and what is on it or why not
    pub fn next_command(
        &mut self,
    ) -> Result<Option<(usize, Result<Command, String>)>, FormatError> {
        while let Some(line) = self.lines.next_line()? {
            let text = line.text.trim();
            if text.starts_with('#') && text.contains('(') {
                let why = "this comment is skipped, though Monkey itself might run it";
                return Ok(Some((line.number, Err(why.into()))));
            }
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some((line.number, command::parse(text))));
            }
        }
        Ok(None)
    }
}

/// Adds commands up to events.
#[derive(Debug, Default)]
pub struct ScriptBuilder {
    script: MonkeyScript,
    finger: Option<Finger>,
    /// A key that is down, and since which line.
    held: Option<(usize, Key)>,
    /// The activity that counts as the app's entry: the first one launched.
    entry: Option<ActivityName>,
}

impl ScriptBuilder {
    pub fn add(&mut self, line: usize, command: Result<Command, String>) {
        let command = match command {
            Ok(command) => command,
            Err(why) => return self.remark(line, why),
        };
        if !matches!(command, Command::Pointer(_) | Command::Wait(_)) {
            self.lose_finger(line);
        }
        if !matches!(command, Command::Key(_)) {
            self.lose_key(line);
        }
        match command {
            Command::Pointer(motion) => self.touch(line, motion),
            Command::Key(stroke) => self.strike(line, stroke),
            Command::Wait(ms) => match &mut self.finger {
                Some(finger) => finger.waited(ms),
                None => self.push(line, Event::Wait(ms)),
            },
            Command::Tap { at, ms } | Command::PressAndHold { at, ms } => {
                self.push(line, rest(Target::point(at), ms));
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

    /// Whether there is still room, for readers of files that may be anything.
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
        self.lose_finger(end);
        self.lose_key(end);
        self.script
    }

    fn push(&mut self, line: usize, event: Event) {
        self.script.events.push(ScriptEvent { line, event });
    }

    fn remark(&mut self, line: usize, text: impl Into<String>) {
        self.script.remarks.push(Remark { number: line, text: text.into() });
    }

    fn touch(&mut self, line: usize, motion: Motion) {
        match (motion.action, self.finger.as_mut()) {
            (MotionAction::Down, _) => {
                self.lose_finger(line);
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

    fn strike(&mut self, line: usize, stroke: Stroke) {
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
                self.lose_key(line);
                self.held = Some((line, stroke.key));
            }
            (false, Some((down, key))) if key == stroke.key => self.push(down, Event::Key(key)),
            (false, held) => {
                self.held = held;
                self.remark(line, format!("the key {} is not down here", stroke.key.name()));
            }
        }
    }

    fn lose_finger(&mut self, line: usize) {
        if let Some(finger) = self.finger.take() {
            self.remark(finger.line, format!("this touch is not ended {}", before(line)));
        }
    }

    fn lose_key(&mut self, line: usize) {
        if let Some((down, _)) = self.held.take() {
            self.remark(down, format!("this key does not come up {}", before(line)));
        }
    }

    /// Spreading fingers open, closing ones close; anything else is two drags at once.
    fn pinch(&mut self, line: usize, start: [Point; 2], end: [Point; 2]) {
        let middle = |a: i32, b: i32| ((i64::from(a) + i64::from(b)).div_euclid(2)) as i32;
        let on = Point::new(middle(start[0].x, start[1].x), middle(start[0].y, start[1].y));
        let way = match distance(start).total_cmp(&distance(end)) {
            std::cmp::Ordering::Less => PinchDirection::Open,
            std::cmp::Ordering::Greater => PinchDirection::Close,
            std::cmp::Ordering::Equal => {
                return self.remark(line, "two fingers that keep their distance are no pinch");
            }
        };
        self.push(line, Event::Pinch { on: Target::point(on), way });
    }

    /// Typed where a tap on the line before put the focus, else into whatever has it.
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
