//! What a variable can hold. Every variable keeps the kind of its first value.

use std::fmt;
use std::sync::Arc;

/// Texts stop growing here, so that no app file can eat the memory.
const TEXT_LIMIT: usize = 4096;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Int(i64),
    Bool(bool),
    Text(Arc<str>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Bool,
    Text,
}

impl Value {
    pub fn text(text: &str) -> Self {
        let mut end = text.len().min(TEXT_LIMIT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Value::Text(text[..end].into())
    }

    pub fn kind(&self) -> Kind {
        match self {
            Value::Int(_) => Kind::Int,
            Value::Bool(_) => Kind::Bool,
            Value::Text(_) => Kind::Text,
        }
    }

    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    /// Zero for what is no number: kinds are checked when the file is read.
    pub fn int(&self) -> i64 {
        if let Value::Int(number) = self { *number } else { 0 }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Int => "a number",
            Kind::Bool => "true or false",
            Kind::Text => "a text",
        })
    }
}
