//! Texts made safe to show, methods as a person reads them, and the lexer that retap's two small languages share: app
//! files of the fake device and property files. Both languages have one statement per line, so a token never spans
//! lines.

mod cursor;
mod lexer;
mod method;
pub mod printable;

pub use cursor::TokenCursor;
pub use lexer::{Escapes, Lexer, Token, TokenKind};
pub use method::readable_method;

/// A mistake in a text file: its position and a sentence that says what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SyntaxError {
    /// Counted from one.
    pub line: usize,
    /// Counted from one, in characters.
    pub column: usize,
    pub message: String,
}

impl SyntaxError {
    pub fn new(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self { line, column, message: message.into() }
    }

    /// Returns an error about a whole line.
    pub fn in_line(line: usize, message: impl Into<String>) -> Self {
        Self::new(line, 1, message)
    }
}

#[cfg(test)]
mod tests;
