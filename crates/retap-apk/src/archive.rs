//! The zip archive of an APK, read as a phone reads it and hardened against hostile files.
//!
//! This is our own reader, because general ones differ from Android's where it matters: a phone
//! goes by the central directory alone, takes an unknown compression method for "stored",
//! ignores an encryption flag on plain data and refuses two entries of one name. No entry is
//! ever extracted to a path that comes from the archive.

mod directory;
mod source;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use crate::error::ApkError;
use crate::untrusted::Bytes;

pub use directory::ArchiveEntry;
use source::ByteSource;

const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
const LOCAL_HEADER_LEN: usize = 30;
const DEFLATED: u16 = 8;
const FLAG_ENCRYPTED: u16 = 1;

/// A zip archive whose table of contents has been read.
#[derive(Debug)]
pub struct Archive {
    /// The archive's name in messages: its path, or `bundle.apks!base.apk`.
    name: String,
    source: ByteSource,
    entries: BTreeMap<String, ArchiveEntry>,
}

impl Archive {
    pub fn from_file(name: String, file: File) -> Result<Self, ApkError> {
        ByteSource::from_file(file)
            .map_err(|source| io_error(&name, source))
            .and_then(|source| Archive::new(name, source))
    }

    pub fn from_bytes(name: String, bytes: Vec<u8>) -> Result<Self, ApkError> {
        Archive::new(name, ByteSource::Memory(bytes))
    }

    fn new(name: String, source: ByteSource) -> Result<Self, ApkError> {
        let entries = directory::read(&name, &source)?;
        Ok(Archive { name, source, entries })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns all entries in the order of their names.
    pub fn entries(&self) -> impl Iterator<Item = &ArchiveEntry> {
        self.entries.values()
    }

    pub fn entry(&self, name: &str) -> Option<&ArchiveEntry> {
        self.entries.get(name)
    }

    /// Returns true if this was unpacked from a bundle, so that no file on disk holds it.
    pub(crate) fn is_nested(&self) -> bool {
        matches!(self.source, ByteSource::Memory(_))
    }

    /// Returns the archive's own bytes, still packed.
    pub(crate) fn bytes(&self) -> impl Read {
        self.source.reader(0, self.source.len())
    }

    /// Returns the unpacked bytes of the entry called `name`.
    pub fn read_named(&self, name: &str, limit: u64) -> Result<Vec<u8>, ApkError> {
        let missing =
            || ApkError::Damaged { name: self.name.clone(), detail: format!("it has no {name}") };
        self.read(self.entry(name).ok_or_else(missing)?, limit)
    }

    /// Returns the unpacked bytes of an entry, if there are at most `limit`.
    pub fn read(&self, entry: &ArchiveEntry, limit: u64) -> Result<Vec<u8>, ApkError> {
        if entry.size > limit {
            return Err(ApkError::TooBig {
                name: self.name.clone(),
                what: entry.name.clone(),
                size: entry.size,
                limit,
            });
        }
        let start = self.data_start(entry)?;
        let content = if entry.method == DEFLATED {
            self.inflate(start, entry)
        } else {
            self.source.read(start, entry.size)
        };
        match content {
            Ok(content) if entry.matches(&content) => Ok(content),
            _ if entry.flags & FLAG_ENCRYPTED != 0 => {
                Err(ApkError::Encrypted { name: self.name.clone(), entry: entry.name.clone() })
            }
            Ok(_) => Err(self.damaged(entry, "does not match its checksum")),
            Err(error) if is_bad_data(&error) => Err(self.damaged(entry, "cannot be decompressed")),
            Err(error) => Err(io_error(&self.name, error)),
        }
    }

    /// Returns the offset of an entry's data. It follows the local header, whose name and extra
    /// field may differ in length from those of the central directory.
    fn data_start(&self, entry: &ArchiveEntry) -> Result<u64, ApkError> {
        let header = self
            .source
            .read(entry.offset, LOCAL_HEADER_LEN as u64)
            .map_err(|_| self.damaged(entry, "lies outside the file"))?;
        let bytes = Bytes(&header);
        let lengths = (header.starts_with(LOCAL_HEADER))
            .then(|| Some((bytes.u16(26)?, bytes.u16(28)?)))
            .flatten();
        let Some((name, extra)) = lengths else {
            return Err(self.damaged(entry, "has no local header"));
        };
        let start = entry.offset + LOCAL_HEADER_LEN as u64 + u64::from(name) + u64::from(extra);
        let stored = if entry.method == DEFLATED { entry.compressed } else { entry.size };
        if start.saturating_add(stored) > self.source.len() {
            return Err(self.damaged(entry, "lies outside the file"));
        }
        Ok(start)
    }

    fn inflate(&self, start: u64, entry: &ArchiveEntry) -> std::io::Result<Vec<u8>> {
        let packed = self.source.reader(start, entry.compressed);
        let mut content = Vec::new();
        // One byte more than declared is enough to detect a wrong size.
        DeflateDecoder::new(packed).take(entry.size.saturating_add(1)).read_to_end(&mut content)?;
        Ok(content)
    }

    fn damaged(&self, entry: &ArchiveEntry, detail: &str) -> ApkError {
        ApkError::Damaged { name: self.name.clone(), detail: format!("{} {detail}", entry.name) }
    }
}

impl ArchiveEntry {
    /// Returns true if `content` has the entry's size and checksum.
    fn matches(&self, content: &[u8]) -> bool {
        let mut crc = Crc::new();
        crc.update(content);
        content.len() as u64 == self.size && crc.sum() == self.crc32
    }
}

fn is_bad_data(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

fn io_error(name: &str, source: std::io::Error) -> ApkError {
    ApkError::Io { path: name.into(), source }
}
