//! The string pool at the start of every table and XML file: UTF-8 or UTF-16, by offset.

use std::sync::Arc;

use crate::resource::chunk::{Chunk, ChunkError, STRING_POOL};
use crate::untrusted::{Bytes, ReadBudget};

pub const FLAG_UTF8: u32 = 1 << 8;

/// The decoded strings of a pool.
#[derive(Debug, Default)]
pub struct StringPool {
    strings: Vec<Arc<str>>,
}

impl StringPool {
    pub fn parse(chunk: Chunk, budget: &mut ReadBudget) -> Result<Self, ChunkError> {
        if chunk.kind != STRING_POOL {
            return Err(ChunkError::NotChunks);
        }
        let bytes = chunk.bytes;
        let header = Header::parse(bytes).ok_or(ChunkError::Cut("string pool"))?;
        // Packers overstate the count, so it is cut to what the chunk can hold.
        let room = bytes.len().saturating_sub(chunk.header_len) / 4;
        let mut strings = Vec::with_capacity(header.count.min(room));
        for index in 0..header.count.min(room) {
            let text = header.string(bytes, chunk.header_len + 4 * index).unwrap_or_default();
            budget.spend(text.len()).ok_or(ChunkError::TooCostly)?;
            strings.push(text.into());
        }
        Ok(StringPool { strings })
    }

    pub fn get(&self, index: u32) -> Option<&Arc<str>> {
        self.strings.get(usize::try_from(index).ok()?)
    }
}

struct Header {
    count: usize,
    utf8: bool,
    strings_start: usize,
}

impl Header {
    fn parse(bytes: Bytes) -> Option<Self> {
        Some(Header {
            count: bytes.size(8)?,
            utf8: bytes.u32(16)? & FLAG_UTF8 != 0,
            strings_start: bytes.size(20)?,
        })
    }

    fn string(&self, bytes: Bytes, offset_at: usize) -> Option<String> {
        let at = self.strings_start.checked_add(bytes.size(offset_at)?)?;
        if self.utf8 { utf8(bytes, at) } else { utf16(bytes, at) }
    }
}

/// Reads the length in characters, the length in bytes, and the bytes.
fn utf8(bytes: Bytes, at: usize) -> Option<String> {
    let (_, at) = utf8_length(bytes, at)?;
    let (len, at) = utf8_length(bytes, at)?;
    Some(String::from_utf8_lossy(bytes.slice(at, len)?.0).into_owned())
}

/// Returns the length at `at` and the offset after it.
fn utf8_length(bytes: Bytes, at: usize) -> Option<(usize, usize)> {
    let first = usize::from(bytes.u8(at)?);
    if first & 0x80 == 0 {
        return Some((first, at + 1));
    }
    Some(((first & 0x7f) << 8 | usize::from(bytes.u8(at + 1)?), at + 2))
}

fn utf16(bytes: Bytes, at: usize) -> Option<String> {
    let first = usize::from(bytes.u16(at)?);
    let (len, at) = if first & 0x8000 == 0 {
        (first, at + 2)
    } else {
        ((first & 0x7fff) << 16 | usize::from(bytes.u16(at + 2)?), at + 4)
    };
    let text = bytes.slice(at, len.checked_mul(2)?)?;
    let (units, _) = text.0.as_chunks::<2>();
    let units = units.iter().map(|unit| u16::from_le_bytes(*unit));
    Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::sample;

    fn parse(pool: &[u8]) -> Result<StringPool, ChunkError> {
        let chunk = Chunk::at(Bytes(pool), 0).unwrap();
        StringPool::parse(chunk, &mut ReadBudget::for_length(pool.len()))
    }

    fn check(pool: &[u8], expected: &[&str]) {
        let pool = parse(pool).unwrap();
        assert_eq!(pool.strings.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), expected);
    }

    #[test]
    fn both_encodings_read_alike() {
        let long = "x".repeat(300);
        let strings = ["", "name", "grüße", "🦀", &long];
        check(&sample::utf8_pool(&strings), &strings);
        check(&sample::utf16_pool(&strings), &strings);
    }

    #[test]
    fn an_overstated_count_is_cut_to_what_fits() {
        let mut pool = sample::utf8_pool(&["a", "b"]);
        pool[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        let parsed = parse(&pool).unwrap();
        assert_eq!(parsed.get(1).map(AsRef::as_ref), Some("b"));
        assert!(parsed.strings.len() < pool.len());
    }

    #[test]
    fn thousands_of_references_to_one_long_string_are_too_costly() {
        let long = "x".repeat(30_000);
        let mut strings = vec![""; 5_000];
        strings.push(&long);
        let mut pool = sample::utf8_pool(&strings);
        let last = pool[28 + 4 * 5_000..][..4].to_vec();
        for index in 0..5_000 {
            pool[28 + 4 * index..][..4].copy_from_slice(&last);
        }
        assert_eq!(parse(&pool).unwrap_err(), ChunkError::TooCostly);
    }

    #[test]
    fn a_string_outside_the_pool_is_empty() {
        let mut pool = sample::utf16_pool(&["a", "b"]);
        pool[28..32].copy_from_slice(&0x7fff_0000u32.to_le_bytes());
        check(&pool, &["", "b"]);
    }
}
