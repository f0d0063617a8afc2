//! The first pass over an app file: every name that the second pass may refer to, wherever in the
//! file it stands.

use super::cursor::Cursor;
use super::error::Problem;
use super::expr::literal;
use super::token::{Token, TokenKind, tokens};
use super::value::{Kind, Value};
use retap_model::Crash;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A line that is neither empty nor part of a crash's stack.
#[derive(Debug)]
pub(super) struct Line {
    pub number: usize,
    pub tokens: Vec<Token>,
}

#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// Name to slot and kind.
    pub variables: BTreeMap<String, (usize, Kind)>,
    pub initial: Vec<(Value, bool)>,
    screens: BTreeMap<String, usize>,
    /// The names of each screen's widgets.
    widgets: Vec<BTreeSet<String>>,
    crashes: BTreeMap<String, Arc<Crash>>,
}

/// What a rule would read as something else: no names of widgets, nor of crashes.
const RULE_WORDS: [&str; 2] = ["if", "chance"];
/// The goals that are no screens.
const GOAL_WORDS: [&str; 6] = ["stay", "back", "exit", "left", "crash", "hang"];
/// What an expression would read as something else.
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

pub(super) fn declare(source: &str) -> Result<(Vec<Line>, Declarations), Problem> {
    let mut lines = Vec::new();
    let mut declared = Declarations::default();
    let mut raw = source.lines().enumerate();
    while let Some((index, text)) = raw.next() {
        let number = index + 1;
        let tokens = tokens(text, number)?;
        let mut cursor = Cursor::new(number, &tokens);
        if cursor.take("crash") {
            let name = new_name(&mut cursor, "the crash's name", &RULE_WORDS)?;
            cursor.end()?;
            let body = raw.by_ref().map(|(_, line)| line);
            declared.add_crash(name, read_stack(body, number)?, number)?;
        } else if cursor.peek().is_some() {
            declared.add(&mut cursor)?;
            lines.push(Line { number, tokens });
        }
    }
    declared.add_implied(&lines)?;
    Ok((lines, declared))
}

/// The lines up to `end`. Frames are indented by a tab, as logcat prints them.
fn read_stack<'a>(lines: impl Iterator<Item = &'a str>, number: usize) -> Result<String, Problem> {
    let mut stack = String::new();
    for line in lines {
        let line = line.trim();
        if line == "end" {
            let empty = Problem::new(number, "expected a stack before end");
            return if stack.is_empty() { Err(empty) } else { Ok(stack) };
        }
        if line.starts_with("at ") || line.starts_with("... ") {
            stack.push('\t');
        }
        stack.push_str(line);
        stack.push('\n');
    }
    Err(Problem::new(number, "expected end after the crash's stack"))
}

impl Declarations {
    pub fn screen(&self, cursor: &mut Cursor<'_>) -> Result<usize, Problem> {
        let unknown = cursor.expected("a declared screen");
        let name = cursor.word("a declared screen")?;
        self.screens.get(name).copied().ok_or(unknown)
    }

    pub fn crash(&self, cursor: &mut Cursor<'_>) -> Result<Arc<Crash>, Problem> {
        let unknown = cursor.expected("a declared crash");
        let name = cursor.word("a declared crash")?;
        self.crashes.get(name).cloned().ok_or(unknown)
    }

    /// Whether the screen, or any screen, has such a widget.
    pub fn has_widget(&self, screen: Option<usize>, name: &str) -> bool {
        match screen {
            Some(screen) => self.widgets[screen].contains(name),
            None => self.widgets.iter().any(|widgets| widgets.contains(name)),
        }
    }

    fn add(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Problem> {
        if cursor.take("screen") {
            let name = new_name(cursor, "the screen's name", &GOAL_WORDS)?;
            if self.screens.insert(name.to_string(), self.widgets.len()).is_some() {
                return Err(cursor.problem(format!("the screen {name:?} is declared twice")));
            }
            self.widgets.push(BTreeSet::new());
        } else if cursor.take("var") {
            self.add_variable(cursor, false)?;
        } else if cursor.take("store") {
            self.add_variable(cursor, true)?;
        } else if is_widget(cursor) {
            cursor.next();
            let name = new_name(cursor, "the widget's name", &RULE_WORDS)?;
            let Some(widgets) = self.widgets.last_mut() else {
                return Err(cursor.problem("expected a screen before its widgets"));
            };
            if !widgets.insert(name.to_string()) {
                return Err(cursor.problem(format!("the screen has two widgets named {name:?}")));
            }
        }
        Ok(())
    }

    fn add_variable(&mut self, cursor: &mut Cursor<'_>, stored: bool) -> Result<(), Problem> {
        let name = new_name(cursor, "the variable's name", &EXPRESSION_WORDS)?;
        cursor.symbol("=")?;
        let minus = cursor.take("-");
        let expected = cursor.expected("a number, a \"text\", true or false");
        let token = cursor.next().filter(|token| token.kind != TokenKind::Symbol);
        let value = match token.and_then(|token| literal(token.kind, &token.text)) {
            Some(Value::Int(number)) if minus => Value::Int(-number),
            Some(value) if !minus => value,
            _ => return Err(expected),
        };
        cursor.end()?;
        if self.variables.contains_key(name) {
            return Err(cursor.problem(format!("the variable {name:?} is declared twice")));
        }
        self.new_variable(name, value, stored);
        Ok(())
    }

    /// An edit has a text, a check a truth and a list a position: variables of the widget's name,
    /// unless the file declares them itself.
    fn add_implied(&mut self, lines: &[Line]) -> Result<(), Problem> {
        for line in lines {
            let mut cursor = Cursor::new(line.number, &line.tokens);
            let initial = match cursor.next().map(|token| token.text.as_str()) {
                Some("edit") => Value::text(""),
                Some("check") => Value::Bool(false),
                Some("list") => Value::Int(0),
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
                    return Err(cursor.problem(message));
                }
            }
        }
        Ok(())
    }

    fn new_variable(&mut self, name: &str, value: Value, stored: bool) {
        self.variables.insert(name.to_string(), (self.initial.len(), value.kind()));
        self.initial.push((value, stored));
    }

    fn add_crash(&mut self, name: &str, stack: String, line: usize) -> Result<(), Problem> {
        let crash = Arc::new(Crash { thread: "main".into(), stack });
        match self.crashes.insert(name.to_string(), crash) {
            None => Ok(()),
            Some(_) => Err(Problem::new(line, format!("the crash {name:?} is declared twice"))),
        }
    }
}

fn new_name<'a>(
    cursor: &mut Cursor<'a>,
    what: &str,
    reserved: &[&str],
) -> Result<&'a str, Problem> {
    let found = cursor.expected(&format!("{what}: letters, digits and _, no word of the language"));
    let name = cursor.word(what)?;
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !starts || !plain || reserved.contains(&name) { Err(found) } else { Ok(name) }
}

pub(super) fn is_widget(cursor: &Cursor<'_>) -> bool {
    const WIDGETS: [&str; 6] = ["label", "button", "edit", "check", "list", "image"];
    cursor.peek().is_some_and(|token| WIDGETS.contains(&token.text.as_str()))
}
