//! One typed value, as attributes and table entries hold it.

use std::sync::Arc;

use crate::bytes::Bytes;
use crate::resource::string_pool::StringPool;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    /// `@type/name`, by the id the resource table knows it under.
    Reference(u32),
    /// `?attr/name`, to be looked up in the theme.
    ThemeAttribute(u32),
    Text(Arc<str>),
    Integer(i32),
    Boolean(bool),
    Float(f32),
    /// A dimension, fraction or colour in its packed form, with the type's number.
    Packed {
        kind: u8,
        data: u32,
    },
}

impl Value {
    /// The eight bytes at `at`; text lies in `strings`.
    pub(super) fn parse(bytes: Bytes, at: usize, strings: &StringPool) -> Option<Self> {
        Some(Value::new(bytes.u8(at + 3)?, bytes.u32(at + 4)?, strings))
    }

    pub(super) fn new(kind: u8, data: u32, strings: &StringPool) -> Self {
        match kind {
            0x00 => Value::Null,
            // 0x07 and 0x08 are the forms a shared library's package id is patched into.
            0x01 | 0x07 => Value::Reference(data),
            0x02 | 0x08 => Value::ThemeAttribute(data),
            0x03 => strings.get(data).map_or(Value::Null, |text| Value::Text(text.clone())),
            0x04 => Value::Float(f32::from_bits(data)),
            0x10 | 0x11 => Value::Integer(data.cast_signed()),
            0x12 => Value::Boolean(data != 0),
            kind => Value::Packed { kind, data },
        }
    }
}
