//! Encoded values: the constants of static fields, annotations and call sites.

use crate::dex::annotation::{self, Annotation};
use crate::dex::file::{DexFile, FieldId, MethodId};
use crate::untrusted::ByteCursor;

/// Arrays and annotations nest a few levels at most. A deeper value is meant to overflow a stack.
const MAX_DEPTH: usize = 32;

/// A constant.
#[derive(Debug, Clone, PartialEq)]
pub enum EncodedValue<'a> {
    /// A byte, short, char, int or long.
    Integer(i64),
    Float(f32),
    Double(f64),
    String(&'a str),
    Type(&'a str),
    Field(FieldId<'a>),
    Method(MethodId<'a>),
    Enum(FieldId<'a>),
    /// The number of a prototype.
    Proto(u32),
    MethodHandle(u32),
    Array(Vec<EncodedValue<'a>>),
    Annotation(Annotation<'a>),
    Null,
    Boolean(bool),
}

/// Reads the array at `at`, which has no header of its own.
pub(super) fn read_array_at<'a>(dex: &'a DexFile, at: usize) -> Option<Vec<EncodedValue<'a>>> {
    read_array(dex, &mut ByteCursor::new(dex.file, at), 0)
}

fn read_array<'a>(
    dex: &'a DexFile,
    cursor: &mut ByteCursor,
    depth: usize,
) -> Option<Vec<EncodedValue<'a>>> {
    let mut values = Vec::new();
    for _ in 0..cursor.uleb128()? {
        values.push(read(dex, cursor, depth + 1)?);
    }
    Some(values)
}

pub(super) fn read<'a>(
    dex: &'a DexFile,
    cursor: &mut ByteCursor,
    depth: usize,
) -> Option<EncodedValue<'a>> {
    dex.budget.spend(size_of::<u32>())?;
    (depth < MAX_DEPTH).then_some(())?;
    let tag = cursor.u8()?;
    let (kind, argument) = (tag & 0x1f, tag >> 5);
    let mut index = || u32::try_from(number(cursor, argument, Extension::Zero)?).ok();
    Some(match kind {
        0x00 | 0x02 | 0x04 | 0x06 => {
            EncodedValue::Integer(number(cursor, argument, Extension::Sign)?)
        }
        0x03 => EncodedValue::Integer(number(cursor, argument, Extension::Zero)?),
        0x10 => {
            let bits = number(cursor, argument, Extension::Right(4))?;
            EncodedValue::Float(f32::from_bits(bits as u32))
        }
        0x11 => {
            let bits = number(cursor, argument, Extension::Right(8))?;
            EncodedValue::Double(f64::from_bits(bits.cast_unsigned()))
        }
        0x15 => EncodedValue::Proto(index()?),
        0x16 => EncodedValue::MethodHandle(index()?),
        0x17 => EncodedValue::String(dex.string(index()?)?),
        0x18 => EncodedValue::Type(dex.type_descriptor(index()?)?),
        0x19 => EncodedValue::Field(dex.field(index()?)?),
        0x1a => EncodedValue::Method(dex.method(index()?)?),
        0x1b => EncodedValue::Enum(dex.field(index()?)?),
        0x1c => EncodedValue::Array(read_array(dex, cursor, depth)?),
        0x1d => EncodedValue::Annotation(annotation::read_one(dex, cursor, depth)?),
        0x1e => EncodedValue::Null,
        0x1f => EncodedValue::Boolean(argument != 0),
        _ => return None,
    })
}

/// The way a number that was stored in fewer bytes gets its full width.
#[derive(Clone, Copy)]
enum Extension {
    Sign,
    Zero,
    /// The missing bytes are the low ones of a value of this many bytes.
    Right(usize),
}

fn number(cursor: &mut ByteCursor, argument: u8, extension: Extension) -> Option<i64> {
    let len = usize::from(argument) + 1;
    let mut bytes = [0; 8];
    for byte in bytes.get_mut(..len)? {
        *byte = cursor.u8()?;
    }
    let value = u64::from_le_bytes(bytes);
    let unused = 64 - 8 * len as u32;
    Some(match extension {
        Extension::Zero => value.cast_signed(),
        Extension::Sign => (value << unused).cast_signed() >> unused,
        Extension::Right(width) => (value << (8 * width.checked_sub(len)?)).cast_signed(),
    })
}
