//! Scripts of Android's Monkey, as its `-f` option takes them: read to events and written from them.
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
//! Monkey skips what it does not understand without a word. Here every line that becomes no event is
//! answered with a remark. `RunCmd` is never executed.

mod command;
mod finger;
pub mod keycode;
mod read;
mod write;

pub(super) use command::Command;
pub(super) use read::{CommandReader, ScriptBuilder};
pub use read::{MAX_EVENTS, MAX_REMARKS, read};
pub use write::write;

use crate::event::Event;
use std::fmt;

/// A script as events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MonkeyScript {
    /// The activity that the script starts before anything else: the launch that a trace begins with.
    pub launch: Option<ActivityName>,
    pub events: Vec<ScriptEvent>,
    pub remarks: Vec<Remark>,
}

/// An event and the line of the script where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptEvent {
    pub line: usize,
    pub event: Event,
}

/// Something a reader or writer left out or took with a grain of salt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Counted from one: the line that was read, or the event that was to be written.
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

/// `package/class`, as intents name it.
impl fmt::Display for ActivityName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.package, self.class)
    }
}

/// Monkey's drags and pinches have steps, ours have time: what one step takes.
const STEP_MS: u32 = 10;

/// A finger that rests this long presses long. Android's own limit is 400 or 500 ms, by version.
const LONG_PRESS_MS: u64 = 500;

/// What `LaunchActivity` sends.
const MAIN_ACTION: &str = "android.intent.action.MAIN";
const LAUNCHER_CATEGORY: &str = "android.intent.category.LAUNCHER";

#[cfg(test)]
mod tests;
