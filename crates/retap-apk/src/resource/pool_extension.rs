//! Strings that are added to the end of a string pool, so that the indices of the others stay.

use super::chunk::{Chunk, ChunkError};
use super::string_pool::FLAG_UTF8;
use crate::untrusted::Bytes;

const HEADER_LEN: usize = 28;
const FLAG_SORTED: u32 = 1;
const CUT: ChunkError = ChunkError::Cut("string pool");

/// The strings to add.
#[derive(Debug)]
pub struct PoolExtension {
    first: u32,
    added: Vec<String>,
}

impl PoolExtension {
    /// Begins after a pool's strings.
    pub fn new(count: u32) -> Self {
        Self { first: count, added: Vec::new() }
    }

    /// Adds a string and returns its index.
    pub fn add(&mut self, text: &str) -> u32 {
        self.added.push(text.to_owned());
        self.first.saturating_add(self.added.len() as u32 - 1)
    }

    /// Returns the pool with these strings.
    pub fn extend(&self, pool: Chunk) -> Result<Vec<u8>, ChunkError> {
        let PoolLayout { flags, offsets_end, strings_start, strings_end, has_styles } =
            PoolLayout::of(pool).ok_or(CUT)?;
        let bytes = pool.bytes.0;
        let mut strings = bytes[strings_start..strings_end].to_vec();
        strings.resize(strings.len().next_multiple_of(4), 0);
        let mut offsets = Vec::new();
        for text in &self.added {
            offsets.extend((strings.len() as u32).to_le_bytes());
            strings.extend(encode(text, flags & FLAG_UTF8 != 0));
        }
        strings.resize(strings.len().next_multiple_of(4), 0);
        let grown = offsets.len() + strings.len() - (strings_end - strings_start);
        let mut out = bytes[..offsets_end].to_vec();
        out.extend(&offsets);
        out.extend_from_slice(&bytes[offsets_end..strings_start]);
        out.extend(&strings);
        out.extend_from_slice(&bytes[strings_end..]);
        let mut set = |at: usize, value: usize| -> Result<(), ChunkError> {
            let value = u32::try_from(value).map_err(|_| ChunkError::TooCostly)?;
            out[at..at + 4].copy_from_slice(&value.to_le_bytes());
            Ok(())
        };
        set(4, bytes.len() + grown)?;
        set(8, self.first as usize + self.added.len())?;
        set(16, (flags & !FLAG_SORTED) as usize)?;
        set(20, strings_start + offsets.len())?;
        if has_styles {
            set(24, strings_end + grown)?;
        }
        Ok(out)
    }
}

/// Where the parts of a pool lie: header, offsets, strings, styles.
struct PoolLayout {
    flags: u32,
    offsets_end: usize,
    strings_start: usize,
    strings_end: usize,
    has_styles: bool,
}

impl PoolLayout {
    fn of(pool: Chunk) -> Option<Self> {
        let bytes: Bytes = pool.bytes;
        let offsets_end = pool.header_len.checked_add(bytes.size(8)?.checked_mul(4)?)?;
        let has_styles = bytes.size(12)? > 0;
        let strings_start = bytes.size(20)?;
        let strings_end = if has_styles { bytes.size(24)? } else { bytes.len() };
        let is_ordered = HEADER_LEN <= pool.header_len
            && offsets_end <= strings_start
            && strings_start <= strings_end
            && strings_end <= bytes.len();
        is_ordered.then_some(Self {
            flags: bytes.u32(16)?,
            offsets_end,
            strings_start,
            strings_end,
            has_styles,
        })
    }
}

/// Returns a string with its length before it and a zero after it. Our strings are far below the length that takes more bytes.
fn encode(text: &str, utf8: bool) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    if utf8 {
        let mut bytes = length(units.len());
        bytes.extend(length(text.len()));
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
        return bytes;
    }
    let header = [units.len() as u16];
    header.iter().chain(&units).chain(&[0]).flat_map(|unit| unit.to_le_bytes()).collect()
}

fn length(len: usize) -> Vec<u8> {
    if len < 0x80 { vec![len as u8] } else { vec![(len >> 8) as u8 | 0x80, len as u8] }
}
#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::super::string_pool::StringPool;
    use super::*;
    use crate::untrusted::ReadBudget;

    #[test]
    fn strings_are_added_in_the_encoding_of_the_pool() {
        let long = "y".repeat(200);
        for pool in [sample::utf8_pool(&["a", "grüße"]), sample::utf16_pool(&["a", "grüße"])] {
            let mut extension = PoolExtension::new(2);
            assert_eq!([extension.add("🦀"), extension.add(&long)], [2, 3]);
            let longer = extension.extend(Chunk::at(Bytes(&pool), 0).unwrap()).unwrap();
            let chunk = Chunk::at(Bytes(&longer), 0).unwrap();
            assert_eq!(chunk.bytes.len(), longer.len());
            let read = StringPool::parse(chunk, &mut ReadBudget::for_length(longer.len())).unwrap();
            let texts = ["a", "grüße", "🦀", &long];
            for (index, text) in texts.into_iter().enumerate() {
                assert_eq!(read.get(index as u32).map(|it| &**it), Some(text));
            }
        }
    }

    #[test]
    fn a_pool_whose_parts_overlap_is_refused() {
        let mut pool = sample::utf8_pool(&["a", "b"]);
        pool[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        let extension = PoolExtension::new(u32::MAX);
        assert_eq!(extension.extend(Chunk::at(Bytes(&pool), 0).unwrap()), Err(CUT));
    }
}
