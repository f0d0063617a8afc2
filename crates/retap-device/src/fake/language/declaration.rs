//! The first pass over an app file. It collects every name that the second pass may refer to,
//! wherever the name stands in the file.

use super::LEXER;
use crate::fake::language::expression::literal;
use crate::fake::language::value::{FakeValue, ValueKind};
use retap_model::Crash;
use retap_model::text::{SyntaxError, Token, TokenCursor, TokenKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A line that is neither empty nor part of a crash's stack.
#[derive(Debug)]
pub(crate) struct SourceLine<'a> {
    pub number: usize,
    text: &'a str,
    tokens: Vec<Token>,
}

impl SourceLine<'_> {
    /// Returns a cursor at the first token.
    pub fn cursor(&self) -> TokenCursor<'_> {
        TokenCursor::new(self.number, self.text, &self.tokens)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// Slot and kind by name.
    pub variables: BTreeMap<String, (usize, ValueKind)>,
    pub initial: Vec<(FakeValue, bool)>,
    screens: BTreeMap<String, usize>,
    /// The names of each screen's widgets.
    widgets: Vec<BTreeSet<String>>,
    crashes: BTreeMap<String, Arc<Crash>>,
}

/// Words that a rule reads as something else, so that no widget or crash can have them as a name.
const RULE_WORDS: [&str; 2] = ["if", "chance"];
/// Goals that are not screens.
const GOAL_WORDS: [&str; 7] = ["stay", "back", "exit", "left", "crash", "hang", "lacks"];
/// Words that an expression reads as something else.
const EXPRESSION_WORDS: [&str; 11] = [
    "and",
    "or",
    "not",
    "length",
    "contains",
    "true",
    "false",
    "typed",
    "row",
    "events",
    "orientation",
];

pub(crate) fn declare(source: &str) -> Result<(Vec<SourceLine<'_>>, Declarations), SyntaxError> {
    let mut lines = Vec::new();
    let mut declared = Declarations::default();
    let mut raw = source.lines().enumerate();
    while let Some((index, text)) = raw.next() {
        let number = index + 1;
        let line = SourceLine { number, text, tokens: LEXER.tokens(text, number)? };
        let mut cursor = line.cursor();
        if cursor.take("crash") {
            let name = new_name(&mut cursor, "the crash's name", &RULE_WORDS)?;
            cursor.expect_end()?;
            let body = raw.by_ref().map(|(_, line)| line);
            declared.add_crash(name, read_stack(body, number)?, number)?;
        } else if cursor.peek().is_some() {
            declared.add(&mut cursor)?;
            lines.push(line);
        }
    }
    declared.add_implied(&lines)?;
    Ok((lines, declared))
}

/// Reads the lines of a stack up to `end`. Frames get a tab in front, as logcat prints them.
fn read_stack<'a>(
    lines: impl Iterator<Item = &'a str>,
    number: usize,
) -> Result<String, SyntaxError> {
    let mut stack = String::new();
    for line in lines {
        let line = line.trim();
        if line == "end" {
            let empty = SyntaxError::in_line(number, "expected a stack before end");
            return if stack.is_empty() { Err(empty) } else { Ok(stack) };
        }
        if line.starts_with("at ") || line.starts_with("... ") {
            stack.push('\t');
        }
        stack.push_str(line);
        stack.push('\n');
    }
    Err(SyntaxError::in_line(number, "expected end after the crash's stack"))
}

impl Declarations {
    pub fn screen(&self, cursor: &mut TokenCursor<'_>) -> Result<usize, SyntaxError> {
        let unknown = cursor.expected("a declared screen");
        let name = cursor.expect_word("a declared screen")?;
        self.screens.get(name).copied().ok_or(unknown)
    }

    pub fn crash(&self, cursor: &mut TokenCursor<'_>) -> Result<Arc<Crash>, SyntaxError> {
        let unknown = cursor.expected("a declared crash");
        let name = cursor.expect_word("a declared crash")?;
        self.crashes.get(name).cloned().ok_or(unknown)
    }

    /// Returns true if the screen, or any screen for `None`, has such a widget.
    pub fn has_widget(&self, screen: Option<usize>, name: &str) -> bool {
        match screen {
            Some(screen) => self.widgets[screen].contains(name),
            None => self.widgets.iter().any(|widgets| widgets.contains(name)),
        }
    }

    fn add(&mut self, cursor: &mut TokenCursor<'_>) -> Result<(), SyntaxError> {
        if cursor.take("screen") {
            let name = new_name(cursor, "the screen's name", &GOAL_WORDS)?;
            if self.screens.insert(name.to_string(), self.widgets.len()).is_some() {
                return Err(cursor.error(format!("the screen {name:?} is declared twice")));
            }
            self.widgets.push(BTreeSet::new());
        } else if cursor.take("var") {
            self.add_variable(cursor, false)?;
        } else if cursor.take("store") {
            self.add_variable(cursor, true)?;
        } else if is_widget(cursor) {
            cursor.take_any();
            let name = new_name(cursor, "the widget's name", &RULE_WORDS)?;
            let Some(widgets) = self.widgets.last_mut() else {
                return Err(cursor.error("expected a screen before its widgets"));
            };
            if !widgets.insert(name.to_string()) {
                return Err(cursor.error(format!("the screen has two widgets named {name:?}")));
            }
        }
        Ok(())
    }

    fn add_variable(
        &mut self,
        cursor: &mut TokenCursor<'_>,
        stored: bool,
    ) -> Result<(), SyntaxError> {
        let name = new_name(cursor, "the variable's name", &EXPRESSION_WORDS)?;
        cursor.expect("=")?;
        let minus = cursor.take("-");
        let expected = cursor.expected("a number, a \"text\", true or false");
        let token = cursor.take_any().filter(|token| token.kind != TokenKind::Symbol);
        let value = match token.and_then(|token| literal(token.kind, &token.text)) {
            Some(FakeValue::Int(number)) if minus => FakeValue::Int(-number),
            Some(value) if !minus => value,
            _ => return Err(expected),
        };
        cursor.expect_end()?;
        if self.variables.contains_key(name) {
            return Err(cursor.error(format!("the variable {name:?} is declared twice")));
        }
        self.new_variable(name, value, stored);
        Ok(())
    }

    /// Declares the variables of widgets: an edit has a text, a check a truth value and a list a
    /// position. A variable of the widget's name that the file declares itself stays.
    fn add_implied(&mut self, lines: &[SourceLine<'_>]) -> Result<(), SyntaxError> {
        for line in lines {
            let mut cursor = line.cursor();
            let initial = match cursor.take_any().map(|token| token.text.as_str()) {
                Some("edit") => FakeValue::text(""),
                Some("check") => FakeValue::Bool(false),
                Some("list") => FakeValue::Int(0),
                _ => continue,
            };
            let name = new_name(&mut cursor, "the widget's name", &EXPRESSION_WORDS)?;
            let kind = initial.kind();
            let known = self.variables.get(name).map(|(_, known)| *known);
            match known {
                None => self.new_variable(name, initial, false),
                Some(known) if known == kind => {}
                Some(known) => {
                    let message =
                        format!("expected {name:?} to be {kind}; elsewhere it is {known}");
                    return Err(cursor.error(message));
                }
            }
        }
        Ok(())
    }

    fn new_variable(&mut self, name: &str, value: FakeValue, stored: bool) {
        self.variables.insert(name.to_string(), (self.initial.len(), value.kind()));
        self.initial.push((value, stored));
    }

    fn add_crash(&mut self, name: &str, stack: String, line: usize) -> Result<(), SyntaxError> {
        let crash = Arc::new(Crash::new("main", stack));
        match self.crashes.insert(name.to_string(), crash) {
            None => Ok(()),
            Some(_) => {
                Err(SyntaxError::in_line(line, format!("the crash {name:?} is declared twice")))
            }
        }
    }
}

fn new_name<'a>(
    cursor: &mut TokenCursor<'a>,
    what: &str,
    reserved: &[&str],
) -> Result<&'a str, SyntaxError> {
    let found = cursor.expected(&format!("{what}: letters, digits and _, no word of the language"));
    let name = cursor.expect_word(what)?;
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !starts || !plain || reserved.contains(&name) { Err(found) } else { Ok(name) }
}

pub(crate) fn is_widget(cursor: &TokenCursor<'_>) -> bool {
    const WIDGETS: [&str; 6] = ["label", "button", "edit", "check", "list", "image"];
    cursor.peek().is_some_and(|token| WIDGETS.contains(&token.text.as_str()))
}
