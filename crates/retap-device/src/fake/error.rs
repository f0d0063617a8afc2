//! What is wrong with an app file, and where.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct ParseError {
    pub file: String,
    pub line: usize,
    pub message: String,
}

/// A [`ParseError`] before the file's name is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    pub line: usize,
    pub message: String,
}

impl Problem {
    pub fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    pub fn in_file(self, file: &str) -> ParseError {
        ParseError { file: file.to_string(), line: self.line, message: self.message }
    }
}
