//! A typed value of an attribute or a table entry.

use std::sync::Arc;

use crate::resource::string_pool::StringPool;
use crate::untrusted::Bytes;

/// A typed value.
#[derive(Debug, Clone, PartialEq)]
pub enum ResourceValue {
    Null,
    /// `@type/name`, by its id in the resource table.
    Reference(u32),
    /// `?attr/name`, to be looked up in the theme.
    ThemeAttribute(u32),
    Text(Arc<str>),
    Integer(i32),
    Boolean(bool),
    Float(f32),
    /// A dimension, fraction or colour in its packed form, with the number of its type.
    Packed {
        kind: u8,
        data: u32,
    },
}

impl ResourceValue {
    /// Reads the eight bytes at `at`. Text lies in `strings`.
    pub(super) fn parse(bytes: Bytes, at: usize, strings: &StringPool) -> Option<Self> {
        Some(ResourceValue::new(bytes.u8(at + 3)?, bytes.u32(at + 4)?, strings))
    }

    pub(super) fn new(kind: u8, data: u32, strings: &StringPool) -> Self {
        match kind {
            0x00 => ResourceValue::Null,
            // Android patches a shared library's package id into 0x07 and 0x08.
            0x01 | 0x07 => ResourceValue::Reference(data),
            0x02 | 0x08 => ResourceValue::ThemeAttribute(data),
            0x03 => strings
                .get(data)
                .map_or(ResourceValue::Null, |text| ResourceValue::Text(text.clone())),
            0x04 => ResourceValue::Float(f32::from_bits(data)),
            0x10 | 0x11 => ResourceValue::Integer(data.cast_signed()),
            0x12 => ResourceValue::Boolean(data != 0),
            kind => ResourceValue::Packed { kind, data },
        }
    }
}
