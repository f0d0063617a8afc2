//! Walks over the tokens of one line and says what was expected where it stops.

use super::error::Problem;
use super::token::{Token, TokenKind};

#[derive(Debug)]
pub(super) struct Cursor<'a> {
    pub line: usize,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(line: usize, tokens: &'a [Token]) -> Self {
        Self { line, tokens, at: 0 }
    }

    pub fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub fn next(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Takes the next token if it is this word or symbol.
    pub fn take(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.kind != TokenKind::Text && t.text == text);
        self.at += usize::from(found);
        found
    }

    pub fn take_text(&mut self) -> Option<&'a str> {
        let token = self.peek().filter(|t| t.kind == TokenKind::Text)?;
        self.at += 1;
        Some(&token.text)
    }

    /// The next token, if it is a word that is none of `stops`.
    pub fn take_word_but(&mut self, stops: &[&str]) -> Option<&'a str> {
        let token = self.peek().filter(|t| t.kind == TokenKind::Word)?;
        if stops.contains(&token.text.as_str()) {
            return None;
        }
        self.at += 1;
        Some(&token.text)
    }

    pub fn word(&mut self, expected: &str) -> Result<&'a str, Problem> {
        self.take_word_but(&[]).ok_or_else(|| self.expected(expected))
    }

    pub fn text(&mut self, expected: &str) -> Result<&'a str, Problem> {
        self.take_text().ok_or_else(|| self.expected(expected))
    }

    pub fn symbol(&mut self, symbol: &str) -> Result<(), Problem> {
        if self.take(symbol) { Ok(()) } else { Err(self.expected(symbol)) }
    }

    pub fn number<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, Problem> {
        let number = self.peek().and_then(|token| token.text.parse().ok());
        let number = number.ok_or_else(|| self.expected(expected))?;
        self.at += 1;
        Ok(number)
    }

    pub fn end(&self) -> Result<(), Problem> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    pub fn expected(&self, what: &str) -> Problem {
        match self.peek() {
            Some(token) => self.problem(format!("expected {what}, found {:?}", token.text)),
            None => self.problem(format!("expected {what}, found the end of the line")),
        }
    }

    pub fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::new(self.line, message)
    }
}
