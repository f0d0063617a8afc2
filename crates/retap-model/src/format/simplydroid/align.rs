//! Aligns the two logs: decides which low-level events belong to which command. Each command
//! injects a known burst of them.

use super::execution_log::{ExecutionLog, InjectedEvent, InjectedKind};
use crate::format::FormatError;
use crate::format::monkey::{ActivityName, Command};
use std::ops::RangeInclusive;

/// The events that a command injects: their kinds and number. A throttle follows.
struct Burst {
    kinds: &'static [InjectedKind],
    count: RangeInclusive<usize>,
}

/// A command that was executed.
#[derive(Debug, Clone)]
pub struct ExecutedCommand {
    /// The line in the script.
    pub line: usize,
    pub before: ActivityName,
    pub accepted: bool,
}

pub struct Alignment<'a> {
    executions: &'a [InjectedEvent],
    log_file: &'a str,
    script_file: &'a str,
    next: usize,
    executed: Vec<ExecutedCommand>,
}

impl<'a> Alignment<'a> {
    pub fn new(log: &'a ExecutionLog, log_file: &'a str, script_file: &'a str) -> Self {
        Self { executions: &log.executions, log_file, script_file, next: 0, executed: Vec::new() }
    }

    /// Takes the events that the command on this line of the script injected. Returns false if the
    /// log ends before it.
    pub fn take(&mut self, line: usize, command: &Command) -> Result<bool, FormatError> {
        let burst = burst(command);
        if *burst.count.end() == 0 {
            return Ok(true);
        }
        self.skip_throttles();
        let Some(first) = self.executions.get(self.next) else { return Ok(false) };
        let (mut count, mut accepted) = (0, true);
        while count < *burst.count.end() {
            // The app may crash in the middle of a gesture.
            let Some(execution) = self.executions.get(self.next) else { break };
            let complete = count >= *burst.count.start();
            match execution.kind {
                kind if burst.kinds.contains(&kind)
                    && !(complete && self.is_run_on(&burst, count)) =>
                {
                    count += 1;
                    accepted &= execution.accepted;
                }
                _ if complete => break,
                // Inside a gesture, only commands that wait are throttled.
                InjectedKind::Throttle if burst.kinds.len() > 1 => {}
                _ => return Err(self.misaligned(line, &burst, count, execution)),
            }
            self.next += 1;
        }
        self.executed.push(ExecutedCommand { line, before: (*first.front).clone(), accepted });
        Ok(true)
    }

    /// Checks that the log ends where the script ends.
    pub fn expect_end(&mut self) -> Result<(), FormatError> {
        self.skip_throttles();
        let Some(execution) = self.executions.get(self.next) else { return Ok(()) };
        let expected = format!("the end, as {} has no further command", self.script_file);
        let found = execution.kind.class();
        Err(FormatError::malformed(self.log_file, execution.line, expected, found))
    }

    pub fn into_executed(self) -> Vec<ExecutedCommand> {
        self.executed
    }

    fn skip_throttles(&mut self) {
        while self.executions.get(self.next).is_some_and(|e| e.kind == InjectedKind::Throttle) {
            self.next += 1;
        }
    }

    /// Returns true if events of the burst's kinds continue beyond its longest form. The surplus
    /// then belongs to the next command, because a replayed pinch ends without a throttle.
    fn is_run_on(&self, burst: &Burst, count: usize) -> bool {
        let past = self.next + (burst.count.end() - count);
        let run = self.executions.get(self.next..=past);
        run.is_some_and(|run| run.iter().all(|e| burst.kinds.contains(&e.kind)))
    }

    fn misaligned(
        &self,
        line: usize,
        burst: &Burst,
        count: usize,
        execution: &InjectedEvent,
    ) -> FormatError {
        let classes: Vec<&str> = burst.kinds.iter().map(|kind| kind.class()).collect();
        let expected = format!(
            "{} ({} of {}) for the command at {}:{line}",
            classes.join(" or "),
            count + 1,
            burst.count.start(),
            self.script_file,
        );
        FormatError::malformed(self.log_file, execution.line, expected, execution.kind.class())
    }
}

fn burst(command: &Command) -> Burst {
    let of = |kinds: &'static [InjectedKind], count: usize| Burst { kinds, count: count..=count };
    match command {
        Command::Pointer(_) => of(&[InjectedKind::Touch], 1),
        Command::Trackball => of(&[InjectedKind::Trackball], 1),
        Command::Rotate(_) => of(&[InjectedKind::Rotation], 1),
        Command::Key(_) => of(&[InjectedKind::Key], 1),
        Command::Flip => of(&[InjectedKind::Flip], 1),
        Command::Press(_) => of(&[InjectedKind::Key], 2),
        Command::Launch { .. } => of(&[InjectedKind::Activity], 1),
        Command::Instrumentation => of(&[InjectedKind::Instrumentation], 1),
        Command::Wait(_) | Command::ProfileWait => of(&[InjectedKind::Wait], 1),
        Command::LongPress => of(&[InjectedKind::Key, InjectedKind::Wait], 3),
        Command::Power => of(&[InjectedKind::Power], 1),
        Command::Run(_) | Command::Text(_) => of(&[InjectedKind::Command], 1),
        Command::Tap { ms: 0, .. } => of(&[InjectedKind::Touch], 2),
        Command::Tap { .. } | Command::PressAndHold { .. } => {
            of(&[InjectedKind::Touch, InjectedKind::Wait], 3)
        }
        Command::WakeUp => of(&[InjectedKind::Activity, InjectedKind::Key, InjectedKind::Wait], 8),
        Command::Drag { steps: 0, .. } | Command::Pinch { steps: 0, .. } => of(&[], 0),
        // Down, the steps and up. In a recording the last step is the finger coming up.
        Command::Drag { steps, .. } => span(*steps, 1..=2),
        // Two downs, the steps, and one or two ups: a replayed pinch leaves the first finger down.
        Command::Pinch { steps, .. } => span(*steps, 3..=4),
        Command::FrameRate => of(&[InjectedKind::FrameRate], 1),
        Command::AppFrameRate => of(&[InjectedKind::AppFrameRate], 1),
    }
}

fn span(steps: u32, more: RangeInclusive<usize>) -> Burst {
    let steps = steps as usize;
    Burst {
        kinds: &[InjectedKind::Touch],
        count: steps.saturating_add(*more.start())..=steps.saturating_add(*more.end()),
    }
}
