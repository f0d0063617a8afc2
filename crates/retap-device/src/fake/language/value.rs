//! The values of variables. A variable keeps the kind of its first value.

use std::fmt;
use std::sync::Arc;

/// The longest text, so that no app file can exhaust the memory.
const TEXT_LIMIT: usize = 4096;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FakeValue {
    Int(i64),
    Bool(bool),
    Text(Arc<str>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Int,
    Bool,
    Text,
}

impl FakeValue {
    pub fn text(text: &str) -> Self {
        let mut end = text.len().min(TEXT_LIMIT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        FakeValue::Text(text[..end].into())
    }

    pub fn kind(&self) -> ValueKind {
        match self {
            FakeValue::Int(_) => ValueKind::Int,
            FakeValue::Bool(_) => ValueKind::Bool,
            FakeValue::Text(_) => ValueKind::Text,
        }
    }

    pub fn is_true(&self) -> bool {
        *self == FakeValue::Bool(true)
    }

    /// Returns the number. The parser checks kinds, so that nothing else arrives here.
    pub fn int(&self) -> i64 {
        match self {
            FakeValue::Int(number) => *number,
            other => panic!("{other} is not a number, but the parser took it for one"),
        }
    }
}

impl fmt::Display for FakeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FakeValue::Int(number) => write!(f, "{number}"),
            FakeValue::Bool(truth) => write!(f, "{truth}"),
            FakeValue::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ValueKind::Int => "a number",
            ValueKind::Bool => "true or false",
            ValueKind::Text => "a text",
        })
    }
}
