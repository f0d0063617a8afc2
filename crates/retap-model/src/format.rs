//! The model's formats on disk. Readers are strict and helpful: they name the file, the line and
//! what was expected, and never hold more than a bounded line at a time. `docs/formats.md`
//! describes the formats for people.

pub mod executions;
pub mod lines;
pub mod monkey;
pub mod reduction;
pub mod rotation;
pub mod run;
pub mod shell;
pub mod simplydroid;
pub mod trace;
pub mod uiautomator;

use crate::printable::printable_line;
use std::io;

/// The error of a file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    #[error("{file}:{line}: expected {expected}, found {found}")]
    Malformed { file: String, line: usize, expected: String, found: String },
    #[error("{file}: {source}")]
    Io { file: String, source: io::Error },
}

impl FormatError {
    pub fn malformed(
        file: &str,
        line: usize,
        expected: impl Into<String>,
        found: impl AsRef<str>,
    ) -> Self {
        Self::Malformed {
            file: file.to_string(),
            line,
            expected: expected.into(),
            found: excerpt(found.as_ref()),
        }
    }

    pub fn io(file: &str, source: io::Error) -> Self {
        Self::Io { file: file.to_string(), source }
    }
}

/// Returns enough of a text to recognise it, on one line.
fn excerpt(text: &str) -> String {
    const LIMIT: usize = 60;
    let start: String = text.chars().take(LIMIT).collect();
    let mut shown = printable_line(&start).into_owned();
    if text.chars().nth(LIMIT).is_some() {
        shown.push('…');
    }
    if shown.is_empty() { "nothing".into() } else { format!("`{shown}`") }
}
