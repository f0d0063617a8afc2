//! The error that an app file is refused with.

use retap_model::text::SyntaxError;

/// A mistake in an app file and its line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct ParseError {
    pub file: String,
    pub line: usize,
    pub message: String,
}

impl ParseError {
    /// Names the file of a mistake. Statements are short, so the line is position enough.
    pub(crate) fn in_file(file: &str, error: SyntaxError) -> Self {
        Self { file: file.to_string(), line: error.line, message: error.message }
    }
}
