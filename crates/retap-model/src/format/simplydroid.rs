//! The pair of logs that SimplyDroid's instrumented Monkey writes. `script.log` is a Monkey script.
//! `execute.log` has one line for every injected low-level event, with the activity in front, and
//! the crash.
//!
//! ```text
//! 3;MonkeyTouchEvent;com.app;com.app.Main;1
//! 4;MonkeyTouchEvent;com.app;com.app.Main;1
//! // CRASH: // java.lang.NullPointerException: boo$$ \tat com.app.Main.onClick(Main.java:7)$$
//! ```
//! One command of the script is several lines of the other log: a tap is two touches and a
//! throttle. Neither log names the other's lines, so the reader aligns them by the events that each
//! command injects.

mod align;
mod execution_log;

use super::FormatError;
use super::monkey::{
    ActivityName, CommandReader, NumberedCommand, Remark, ScriptBuilder, ScriptEvent,
};
use crate::event::Event;
use crate::observation::Outcome;
use align::{Alignment, ExecutedCommand};
use std::io::BufRead;

pub use execution_log::MAX_EXECUTIONS;

/// A recording as events, and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct MonkeyRecording {
    /// The activity that the recording starts with.
    pub launch: Option<ActivityName>,
    pub steps: Vec<RecordedStep>,
    /// The end of the recording: a crash, not responding, or still running.
    pub outcome: Outcome,
    pub remarks: Vec<Remark>,
}

/// An event of a recording and the activity it acted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedStep {
    /// The line in the script.
    pub line: usize,
    pub event: Event,
    /// The activity in front when the event began, which is not the app's if the app had been left.
    pub before: ActivityName,
    /// False if the device refused the event, such as a touch outside the screen.
    pub accepted: bool,
}

/// Reads `script.log` and `execute.log`, each with its name for errors.
pub fn read(
    (script, script_file): (impl BufRead, &str),
    (execution, execution_file): (impl BufRead, &str),
) -> Result<MonkeyRecording, FormatError> {
    let log = execution_log::read(execution, execution_file)?;
    let mut alignment = Alignment::new(&log, execution_file, script_file);
    let mut commands = CommandReader::open(script, script_file)?;
    let mut builder = ScriptBuilder::default();
    let mut unexecuted = None;
    while let Some(NumberedCommand { line, command }) = commands.next_command()? {
        if let Ok(command) = &command
            && !alignment.take(line, command)?
        {
            unexecuted = Some(line);
            break;
        }
        builder.add(line, command);
        builder.check_bounds(script_file, line)?;
    }
    if unexecuted.is_none() {
        alignment.expect_end()?;
    }
    let mut script = builder.finish();
    if let Some(number) = unexecuted {
        let text = format!("from here on nothing was executed: {execution_file} ends before it");
        script.remarks.push(Remark { number, text });
    }
    let executed = alignment.into_executed();
    let steps = script.events.into_iter().map(|event| recorded(event, &executed)).collect();
    Ok(MonkeyRecording {
        launch: script.launch,
        steps,
        outcome: log.outcome,
        remarks: script.remarks,
    })
}

fn recorded(
    ScriptEvent { line, event }: ScriptEvent,
    executed: &[ExecutedCommand],
) -> RecordedStep {
    let Ok(index) = executed.binary_search_by_key(&line, |command| command.line) else {
        panic!("the event of line {line} belongs to no executed command");
    };
    let ExecutedCommand { before, accepted, .. } = executed[index].clone();
    RecordedStep { line, event, before, accepted }
}

#[cfg(test)]
mod tests;
