//! The chunk: type, header length, total length, and a body that depends on the type.

use thiserror::Error;

use crate::untrusted::Bytes;

pub const STRING_POOL: u16 = 0x0001;
pub const XML_START_ELEMENT: u16 = 0x0102;
pub const XML_END_ELEMENT: u16 = 0x0103;
pub const XML_RESOURCE_MAP: u16 = 0x0180;
pub const TABLE: u16 = 0x0002;
pub const TABLE_PACKAGE: u16 = 0x0200;
pub const TABLE_TYPE: u16 = 0x0201;
pub const TABLE_OVERLAYABLE: u16 = 0x0204;

const HEADER_LEN: usize = 8;

/// A fault of a file made of chunks.
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
    #[error("it is built in an unusual way and cannot be edited")]
    Unusual,
}

/// One chunk of a file.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    pub kind: u16,
    pub header_len: usize,
    /// The whole chunk, header included.
    pub bytes: Bytes<'a>,
    /// The chunk's offset in the file.
    pub at: usize,
}

impl<'a> Chunk<'a> {
    /// Returns the chunk at `at`. A length beyond the end of the file means "to the end": packers
    /// often get the outermost length wrong, and phones accept it.
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

    /// Returns the chunks inside this one, which lies in `file`.
    pub fn children(self, file: Bytes<'a>) -> impl Iterator<Item = Chunk<'a>> {
        siblings(file, self.at + self.header_len, self.at + self.bytes.len())
    }
}

/// Returns consecutive chunks from `at` to `end`, up to the first that is malformed.
pub fn siblings(file: Bytes, at: usize, end: usize) -> impl Iterator<Item = Chunk> {
    let mut next = at;
    std::iter::from_fn(move || {
        let chunk = (next < end).then(|| Chunk::at(file, next)).flatten()?;
        next += chunk.bytes.len();
        Some(chunk)
    })
}
