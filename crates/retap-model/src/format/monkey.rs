//! Scripts of Android's Monkey, as its `-f` option takes them: from scripts to events and back.
//!
//! ```text
//! type= user
//! count= 2
//! speed= 1.0
//! start data >>
//! LaunchActivity(com.app,com.app.Main)
//! Tap(540,960)
//! DispatchPress(KEYCODE_BACK)
//! ```
//! Monkey silently skips what it does not understand. This reader makes a remark on every line that
//! becomes no event. It never executes `RunCmd`.

mod command;
mod finger;
pub mod keycode;
mod read;
mod write;

pub(super) use command::Command;
pub(super) use read::{CommandReader, NumberedCommand, ScriptBuilder};
pub use read::{MAX_EVENTS, MAX_REMARKS, read};
pub use write::{WriteRemarks, write};

use crate::event::Event;
use std::fmt;

/// A script as events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MonkeyScript {
    /// The activity that the script starts before anything else: the launch that begins a trace.
    pub launch: Option<ActivityName>,
    pub events: Vec<ScriptEvent>,
    pub remarks: Vec<Remark>,
}

/// An event and the line of the script where it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptEvent {
    pub line: usize,
    pub event: Event,
}

/// A note on something that a reader or writer left out or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The line that was read or the event that was written, counted from one.
    pub number: usize,
    pub text: String,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.number, self.text)
    }
}

/// An activity by package and class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityName {
    pub package: String,
    pub class: String,
}

/// Writes `package/class`, as in intents.
impl fmt::Display for ActivityName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.package, self.class)
    }
}

/// The duration of one step: Monkey's drags and pinches have steps, ours have a duration.
const STEP_MS: u32 = 10;

/// The shortest long press. Android's own limit is 400 or 500 ms, depending on the version.
const LONG_PRESS_MS: u64 = 500;

/// The action of the intent that `LaunchActivity` sends.
const MAIN_ACTION: &str = "android.intent.action.MAIN";
const LAUNCHER_CATEGORY: &str = "android.intent.category.LAUNCHER";

#[cfg(test)]
mod tests;
