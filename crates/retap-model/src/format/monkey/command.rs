//! One line of a Monkey script: a keyword and its arguments, checked.

use super::{ActivityName, keycode};
use crate::event::{Key, Orientation};
use crate::format::rotation;
use crate::geometry::Point;

/// A line on which Monkey would act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Pointer(Motion),
    Trackball,
    Rotate(Orientation),
    Key(Stroke),
    Flip,
    Press(Key),
    Launch { component: ActivityName, alarm: bool },
    Instrumentation,
    Wait(u32),
    LongPress,
    Power,
    Run(String),
    Tap { at: Point, ms: u64 },
    PressAndHold { at: Point, ms: u64 },
    ProfileWait,
    WakeUp,
    Text(String),
    Drag { from: Point, to: Point, steps: u32 },
    Pinch { start: [Point; 2], end: [Point; 2], steps: u32 },
    FrameRate,
    AppFrameRate,
}

/// One low-level touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Motion {
    pub action: MotionAction,
    pub at: Point,
    pub time_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionAction {
    Down,
    Up,
    Move,
    Cancel,
    /// A second finger, a hover, a mouse button.
    Other,
}

/// One low-level key event, down or up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stroke {
    pub down: bool,
    pub key: Key,
    pub repeated: bool,
    pub modified: bool,
}

/// Parses a line. The error says what was expected.
pub fn parse(text: &str) -> Result<Command, String> {
    let call = Call::split(text).ok_or("expected KEYWORD(ARGUMENTS)")?;
    match call.keyword {
        "DispatchPointer" => call.motion().map(Command::Pointer),
        "DispatchTrackball" => call.exactly(12).map(|_| Command::Trackball),
        "RotateScreen" => call.rotation().map(Command::Rotate),
        "DispatchKey" => call.stroke().map(Command::Key),
        "DispatchFlip" => call.exactly(1).map(|_| Command::Flip),
        "DispatchPress" => call.exactly(1).and_then(|a| parse_key(a[0])).map(Command::Press),
        "LaunchActivity" => call.launch(),
        "LaunchInstrumentation" => call.exactly(2).map(|_| Command::Instrumentation),
        "UserWait" => call.exactly(1).and_then(|a| number(a[0])).map(Command::Wait),
        "LongPress" => Ok(Command::LongPress),
        "PowerLog" | "WriteLog" => Ok(Command::Power),
        "RunCmd" => call.exactly(1).map(|a| Command::Run(a[0].to_string())),
        "Tap" => call.tap(),
        "PressAndHold" => {
            let a = call.exactly(3)?;
            Ok(Command::PressAndHold { at: point(a[0], a[1])?, ms: number(a[2])? })
        }
        "ProfileWait" => Ok(Command::ProfileWait),
        "DeviceWakeUp" => Ok(Command::WakeUp),
        "DispatchString" => call.exactly(1).map(|a| Command::Text(a[0].replace("%s", " "))),
        "Drag" => {
            let a = call.exactly(5)?;
            let (from, to) = (point(a[0], a[1])?, point(a[2], a[3])?);
            Ok(Command::Drag { from, to, steps: number(a[4])? })
        }
        "PinchZoom" => call.pinch(),
        "StartCaptureFramerate" | "EndCaptureFramerate" => Ok(Command::FrameRate),
        "StartCaptureAppFramerate" | "EndCaptureAppFramerate" => Ok(Command::AppFrameRate),
        unknown => Err(format!("{unknown} is no keyword of Monkey's")),
    }
}

struct Call<'a> {
    keyword: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> Call<'a> {
    /// No command has more arguments. The limit keeps a line full of commas from costing memory.
    const MAX_ARGUMENTS: usize = 16;

    /// Splits a line as Monkey does: the arguments end at the first closing parenthesis, whatever
    /// follows.
    fn split(text: &'a str) -> Option<Self> {
        let (keyword, rest) = text.split_once('(')?;
        let (arguments, _) = rest.split_once(')')?;
        let keyword = keyword.trim();
        Some(Self {
            // Recorded logs write `captureDispatchKey`.
            keyword: keyword.strip_prefix("capture").unwrap_or(keyword),
            arguments: arguments.split(',').map(str::trim).take(Self::MAX_ARGUMENTS).collect(),
        })
    }

    fn exactly(&self, count: usize) -> Result<&[&'a str], String> {
        let found = self.arguments.len();
        if found == count {
            Ok(&self.arguments)
        } else {
            Err(format!("{} takes {count} arguments, found {found}", self.keyword))
        }
    }

    /// Parses downTime, eventTime, action, x, y, pressure, size, metaState, two precisions, device,
    /// edge flags.
    fn motion(&self) -> Result<Motion, String> {
        let a = self.exactly(12)?;
        let action = match number::<u32>(a[2])? {
            0 => MotionAction::Down,
            1 => MotionAction::Up,
            2 => MotionAction::Move,
            3 => MotionAction::Cancel,
            _ => MotionAction::Other,
        };
        Ok(Motion { action, at: point(a[3], a[4])?, time_ms: number(a[1])? })
    }

    /// Parses downTime, eventTime, action, code, repeat, metaState, device, scancode.
    fn stroke(&self) -> Result<Stroke, String> {
        let a = self.exactly(8)?;
        let down = match a[2] {
            "0" => true,
            "1" => false,
            other => return Err(format!("expected 0 (down) or 1 (up), found {other:?}")),
        };
        let code: usize = number(a[3])?;
        let key = keycode::key(code).ok_or_else(|| format!("there is no key {code}"))?;
        Ok(Stroke {
            down,
            key,
            repeated: number::<u32>(a[4])? > 0,
            modified: number::<i64>(a[5])? != 0,
        })
    }

    /// Parses a rotation. The second argument, which says whether it outlives the script, is
    /// ignored.
    fn rotation(&self) -> Result<Orientation, String> {
        let turns = self.exactly(2)?[0];
        rotation::parse(turns)
            .ok_or_else(|| format!("expected a rotation from 0 to 3, found {turns:?}"))
    }

    fn launch(&self) -> Result<Command, String> {
        match self.arguments.as_slice() {
            [package, class] | [package, class, _] if !package.is_empty() && !class.is_empty() => {
                let component = ActivityName { package: (*package).into(), class: (*class).into() };
                Ok(Command::Launch { component, alarm: self.arguments.len() == 3 })
            }
            _ => Err("LaunchActivity takes a package and a class".into()),
        }
    }

    fn tap(&self) -> Result<Command, String> {
        match self.arguments.as_slice() {
            [x, y] => Ok(Command::Tap { at: point(x, y)?, ms: 0 }),
            [x, y, ms] => Ok(Command::Tap { at: point(x, y)?, ms: number(ms)? }),
            more => Err(format!("Tap takes 2 or 3 arguments, found {}", more.len())),
        }
    }

    fn pinch(&self) -> Result<Command, String> {
        let a = self.exactly(9)?;
        Ok(Command::Pinch {
            start: [point(a[0], a[1])?, point(a[4], a[5])?],
            end: [point(a[2], a[3])?, point(a[6], a[7])?],
            steps: number(a[8])?,
        })
    }
}

/// Parses a key: its number, or its name with or without `KEYCODE_`.
fn parse_key(text: &str) -> Result<Key, String> {
    let key = match text.parse::<usize>() {
        Ok(code) => keycode::key(code),
        Err(_) => Key::new(text).ok().filter(|key| keycode::code(key).is_some()),
    };
    key.filter(|key| key.name() != "unknown").ok_or_else(|| format!("there is no key {text:?}"))
}

/// Returns the pixel that contains the point. Coordinates are fractions, and 479.9 still lies
/// inside 480.
fn point(x: &str, y: &str) -> Result<Point, String> {
    let pixel = |text: &str| match text.parse::<f64>() {
        Ok(value) if value.abs() <= f64::from(i32::MAX) => Ok(value.floor() as i32),
        _ => Err(format!("expected a coordinate, found {text:?}")),
    };
    Ok(Point::new(pixel(x)?, pixel(y)?))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("expected a whole number, found {text:?}"))
}
