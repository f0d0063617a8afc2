//! `execute.log`: the injected low-level events, the activity in front, and the crash.

use crate::crash::Crash;
use crate::format::FormatError;
use crate::format::lines::Lines;
use crate::format::monkey::ActivityName;
use crate::observation::Outcome;
use std::io::BufRead;
use std::sync::Arc;

/// A million commands of a script inject fewer low-level events than this, drags included.
pub const MAX_EXECUTIONS: usize = 4_000_000;

/// The content of `execute.log`.
#[derive(Debug)]
pub struct ExecutionLog {
    /// The events up to the crash.
    pub executions: Vec<InjectedEvent>,
    pub outcome: Outcome,
}

/// One low-level event.
#[derive(Debug)]
pub struct InjectedEvent {
    pub line: usize,
    pub kind: InjectedKind,
    /// The activity in front, shared by the many lines that name the same one.
    pub front: Arc<ActivityName>,
    pub accepted: bool,
}

macro_rules! kinds {
    ($($kind:ident = $class:literal),* $(,)?) => {
        /// The classes of Monkey's low-level events.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum InjectedKind {
            $($kind),*
        }

        impl InjectedKind {
            pub fn class(self) -> &'static str {
                match self {
                    $(InjectedKind::$kind => $class),*
                }
            }

            fn of_class(class: &str) -> Option<Self> {
                match class {
                    $($class => Some(InjectedKind::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    Touch = "MonkeyTouchEvent",
    Throttle = "MonkeyThrottleEvent",
    Key = "MonkeyKeyEvent",
    Activity = "MonkeyActivityEvent",
    Wait = "MonkeyWaitEvent",
    Rotation = "MonkeyRotationEvent",
    Flip = "MonkeyFlipEvent",
    Trackball = "MonkeyTrackballEvent",
    Command = "MonkeyCommandEvent",
    Instrumentation = "MonkeyInstrumentationEvent",
    Power = "MonkeyPowerEvent",
    FrameRate = "MonkeyGetFrameRateEvent",
    AppFrameRate = "MonkeyGetAppFrameRateEvent",
}

/// Reads `execute.log` up to the crash.
pub fn read(reader: impl BufRead, file: &str) -> Result<ExecutionLog, FormatError> {
    let mut lines = Lines::new(reader, file);
    let mut log = ExecutionLog { executions: Vec::new(), outcome: Outcome::Running };
    while let Some(line) = lines.next_line()? {
        let text = line.text.trim();
        if let Some(outcome) = ending(text) {
            log.outcome = outcome;
            return Ok(log);
        }
        if text.is_empty() || text.starts_with("//") {
            continue;
        }
        let last = log.executions.last().map(|execution| &execution.front);
        let Some(execution) = parse(line.number, text, last) else {
            let expected = "INDEX;MonkeyTouchEvent;PACKAGE;ACTIVITY;0 or 1, or // CRASH:";
            return Err(FormatError::malformed(file, line.number, expected, text));
        };
        if log.executions.len() == MAX_EXECUTIONS {
            let expected = format!("at most {MAX_EXECUTIONS} low-level events");
            return Err(FormatError::malformed(file, line.number, expected, "more"));
        }
        log.executions.push(execution);
    }
    Ok(log)
}

/// Parses `index;class;package;activity;result`.
fn parse(line: usize, text: &str, last: Option<&Arc<ActivityName>>) -> Option<InjectedEvent> {
    let fields: Vec<&str> = text.splitn(6, ';').map(str::trim).collect();
    let [index, class, package, activity, result] = fields[..] else { return None };
    index.parse::<u64>().ok()?;
    let kind = InjectedKind::of_class(class)?;
    let result: i32 = result.parse().ok()?;
    let front = match last {
        Some(last) if last.package == package && last.class == activity => Arc::clone(last),
        _ => Arc::new(ActivityName { package: package.into(), class: activity.into() }),
    };
    Some(InjectedEvent { line, kind, front, accepted: result == 1 })
}

/// Parses the line by which Monkey reports that the app is gone.
fn ending(text: &str) -> Option<Outcome> {
    let text = text.strip_prefix("//")?.trim_start();
    if let Some(stack) = text.strip_prefix("CRASH:") {
        // The log does not name the thread.
        let crash = Crash::new("unknown", unfold(stack));
        return Some(Outcome::Crashed(Arc::new(crash)));
    }
    let hang = text.strip_prefix("NOT RESPONDING:").or(text.strip_prefix("WATCHDOG:"))?;
    Some(Outcome::NotResponding { stack: unfold(hang) })
}

/// Restores the line ends that were written as `$$`.
///
/// A nested class has a single dollar, so `$$` is a line end, except in names that compilers
/// generate (`Main$$Lambda`): a line end is followed by a space, a tab or nothing.
fn unfold(text: &str) -> String {
    let mut stack = String::new();
    let mut rest = text;
    while let Some(line) = cut_line(&mut rest) {
        let line = line.trim();
        let line = line.strip_prefix("//").unwrap_or(line).trim_start();
        if line.is_empty() {
            continue;
        }
        if !stack.is_empty() {
            stack.push('\n');
        }
        if line.starts_with("at ") || line.starts_with("...") {
            stack.push('\t');
        }
        stack.push_str(line);
    }
    stack
}

fn cut_line<'a>(rest: &mut &'a str) -> Option<&'a str> {
    if rest.is_empty() {
        return None;
    }
    let is_end = |at: &usize| {
        let after = &rest[at + 2..];
        after.is_empty() || after.starts_with([' ', '\t'])
    };
    let end = rest.match_indices("$$").map(|(at, _)| at).find(is_end);
    let (line, after) = match end {
        Some(at) => (&rest[..at], &rest[at + 2..]),
        None => (*rest, ""),
    };
    *rest = after;
    Some(line)
}
