//! The chunk: type, header length, total length, and whatever the type says follows.

use thiserror::Error;

use crate::bytes::Bytes;

pub const STRING_POOL: u16 = 0x0001;
pub const XML_START_ELEMENT: u16 = 0x0102;
pub const XML_END_ELEMENT: u16 = 0x0103;
pub const XML_RESOURCE_MAP: u16 = 0x0180;
pub const TABLE: u16 = 0x0002;
pub const TABLE_PACKAGE: u16 = 0x0200;
pub const TABLE_TYPE: u16 = 0x0201;

const HEADER_LEN: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ChunkError {
    #[error("it is plain text; an APK holds the binary form that aapt makes of it")]
    PlainText,
    #[error("it is not made of resource chunks")]
    NotChunks,
    #[error("its {0} is cut off")]
    Cut(&'static str),
    #[error("it has no root element")]
    NoRoot,
    #[error("its elements are nested more than {0} deep")]
    TooDeep(usize),
    #[error("it refers to the same bytes far too often")]
    TooCostly,
}

#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    pub kind: u16,
    pub header_len: usize,
    /// The whole chunk, header included.
    pub bytes: Bytes<'a>,
    /// Where the chunk lies in the file.
    pub at: usize,
}

impl<'a> Chunk<'a> {
    /// The chunk at `at`. A length that overshoots the end is taken to mean "to the end":
    /// the outermost length is what packers like to get wrong, and phones do not mind.
    pub fn at(bytes: Bytes<'a>, at: usize) -> Option<Self> {
        let kind = bytes.u16(at)?;
        let header_len = usize::from(bytes.u16(at + 2)?);
        let rest = bytes.from(at)?;
        let len = bytes.size(at + 4)?.min(rest.len());
        if header_len < HEADER_LEN || len < header_len {
            return None;
        }
        Some(Chunk { kind, header_len, bytes: rest.slice(0, len)?, at })
    }

    /// The chunks inside this one, which lies in `file`.
    pub fn children(self, file: Bytes<'a>) -> impl Iterator<Item = Chunk<'a>> {
        siblings(file, self.at + self.header_len, self.at + self.bytes.len())
    }
}

/// Chunks one after another from `at` up to `end`, stopping at the first that is none.
pub fn siblings(file: Bytes, at: usize, end: usize) -> impl Iterator<Item = Chunk> {
    let mut next = at;
    std::iter::from_fn(move || {
        let chunk = (next < end).then(|| Chunk::at(file, next)).flatten()?;
        next += chunk.bytes.len();
        Some(chunk)
    })
}
