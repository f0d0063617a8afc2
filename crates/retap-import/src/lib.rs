//! Recordings and scripts of other tools as events.
//!
//! Law: a trace is a pure function of a recording. This crate knows the model and nothing else: no device, no file, no
//! clock. It runs nothing: a script is read, never executed. What has no counterpart is told with its line, never dropped
//! in silence.

pub mod droidbot;
pub mod maestro;
pub mod monkey_log;
pub mod uiautomator2;

mod places;
mod python;
mod yaml;

use retap_model::Event;
use retap_model::format::monkey::{ActivityName, Remark};

/// The most events of one recording.
pub const MAX_EVENTS: usize = 100_000;
/// The most remarks that are kept.
const MAX_REMARKS: usize = 1_000;

/// A recording as events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// The app's package, if the recording names it.
    pub package: Option<String>,
    /// The activity that it launches first, if it names it.
    pub launch: Option<ActivityName>,
    pub events: Vec<Event>,
    /// What has no counterpart, by line or number.
    pub remarks: Vec<Remark>,
}

/// The reason why a recording cannot be read at all.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ImportError {
    #[error("{line}: expected {expected}, found {found}")]
    Malformed { line: usize, expected: &'static str, found: String },
    #[error("a recording of more than {MAX_EVENTS} events is not read")]
    TooLong,
}

impl Recording {
    fn push(&mut self, event: Event) -> Result<(), ImportError> {
        if self.events.len() >= MAX_EVENTS {
            return Err(ImportError::TooLong);
        }
        self.events.push(event);
        Ok(())
    }

    fn remark(&mut self, number: usize, text: impl Into<String>) {
        if self.remarks.len() < MAX_REMARKS {
            self.remarks.push(Remark { number, text: text.into() });
        }
    }
}

/// Returns a text that is short enough for a message.
fn shorten(text: &str) -> String {
    const LETTERS: usize = 60;
    let short: String = text.chars().take(LETTERS).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
