//! Walks over the tokens of one line and, where it stops, says what was expected.

use super::{SyntaxError, Token, TokenKind};

/// A position in the tokens of one line.
#[derive(Debug)]
pub struct TokenCursor<'a> {
    line: usize,
    tokens: &'a [Token],
    at: usize,
    /// The column of errors at the end of the line.
    end_column: usize,
}

impl<'a> TokenCursor<'a> {
    /// Starts at the first token of line number `line`, whose text is `text`.
    pub fn new(line: usize, text: &str, tokens: &'a [Token]) -> Self {
        Self { line, tokens, at: 0, end_column: text.trim_end().chars().count() + 1 }
    }

    /// Returns the number of the line.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the next token without taking it.
    pub fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// Takes the next token, whatever it is.
    pub fn take_any(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Takes the next token if it is this word or symbol.
    pub fn take(&mut self, text: &str) -> bool {
        let is_it = |token: &&Token| {
            matches!(token.kind, TokenKind::Word | TokenKind::Symbol) && token.text == text
        };
        let found = self.peek().filter(is_it).is_some();
        self.at += usize::from(found);
        found
    }

    /// Takes the next token if it is a quoted text.
    pub fn take_text(&mut self) -> Option<&'a str> {
        self.take_kind(TokenKind::Text, &[])
    }

    /// Takes the next token if it is an id.
    pub fn take_id(&mut self) -> Option<&'a str> {
        self.take_kind(TokenKind::Id, &[])
    }

    /// Takes the next token if it is a word.
    pub fn take_word(&mut self) -> Option<&'a str> {
        self.take_kind(TokenKind::Word, &[])
    }

    /// Takes the next token if it is a word that is not reserved.
    pub fn take_word_except(&mut self, reserved: &[&str]) -> Option<&'a str> {
        self.take_kind(TokenKind::Word, reserved)
    }

    fn take_kind(&mut self, kind: TokenKind, reserved: &[&str]) -> Option<&'a str> {
        let token = self.peek().filter(|token| token.kind == kind)?;
        if reserved.contains(&token.text.as_str()) {
            return None;
        }
        self.at += 1;
        Some(&token.text)
    }

    /// Takes a word; `what` names it in the error.
    pub fn expect_word(&mut self, what: &str) -> Result<&'a str, SyntaxError> {
        self.take_word().ok_or_else(|| self.expected(what))
    }

    /// Takes a quoted text; `what` names it in the error.
    pub fn expect_text(&mut self, what: &str) -> Result<&'a str, SyntaxError> {
        self.take_text().ok_or_else(|| self.expected(what))
    }

    /// Takes this word or symbol.
    pub fn expect(&mut self, text: &str) -> Result<(), SyntaxError> {
        if self.take(text) { Ok(()) } else { Err(self.expected(text)) }
    }

    /// Takes a number; `what` names it in the error.
    pub fn expect_number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, SyntaxError> {
        let number = self.peek().and_then(|token| token.text.parse().ok());
        let number = number.ok_or_else(|| self.expected(what))?;
        self.at += 1;
        Ok(number)
    }

    /// Fails if there is another token.
    pub fn expect_end(&self) -> Result<(), SyntaxError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// Returns the error "expected `what`, found …" for the next token.
    pub fn expected(&self, what: &str) -> SyntaxError {
        match self.peek() {
            Some(token) => self.error(format!("expected {what}, found {:?}", token.text)),
            None => self.error(format!("expected {what}, found the end of the line")),
        }
    }

    /// Returns an error at the next token.
    pub fn error(&self, message: impl Into<String>) -> SyntaxError {
        let column = self.peek().map_or(self.end_column, |token| token.column);
        SyntaxError::new(self.line, column, message)
    }
}
