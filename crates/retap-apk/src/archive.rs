//! The zip archive of an APK, read as a phone reads it and hardened against hostile files.
//!
//! This is our own reader, because general ones differ from Android's where it matters: a phone
//! goes by the central directory alone, takes an unknown compression method for "stored",
//! ignores an encryption flag on plain data and refuses two entries of one name. No entry is
//! ever extracted to a path that comes from the archive.

mod directory;
mod source;
mod writer;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};

use flate2::Crc;
use flate2::read::DeflateDecoder;

use crate::error::ApkError;
use crate::untrusted::Bytes;

pub use directory::ArchiveEntry;
use source::ByteSource;
pub use writer::{ArchiveWriter, Packing};

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
    is_nested: bool,
}

impl Archive {
    pub fn from_file(name: String, file: File) -> Result<Self, ApkError> {
        ByteSource::from_file(file)
            .map_err(|source| io_error(&name, source))
            .and_then(|source| Archive::new(name, source))
    }

    /// Opens an archive that is an entry of this one. Its bytes lie in a file without a name, so that
    /// a big one takes no memory.
    pub fn open_nested(&self, entry: &ArchiveEntry, limit: u64) -> Result<Self, ApkError> {
        let name = format!("{}!{}", self.name, entry.name);
        let mut file = tempfile::tempfile().map_err(|source| cannot_unpack(&name, source))?;
        self.copy(entry, limit, &mut file)?;
        let nested = Archive::from_file(name, file)?;
        Ok(Archive { is_nested: true, ..nested })
    }

    fn new(name: String, source: ByteSource) -> Result<Self, ApkError> {
        let entries = directory::read(&name, &source)?;
        Ok(Archive { name, source, entries, is_nested: false })
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
        self.is_nested
    }

    /// Returns the number of the archive's own bytes.
    pub(crate) fn len(&self) -> u64 {
        self.source.len()
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
        let start = self.check_size(entry, limit)?;
        let content = if entry.method == DEFLATED {
            self.inflate(start, entry)
        } else {
            self.source.read(start, entry.size)
        };
        match content {
            Ok(content) if entry.matches(&content) => Ok(content),
            Ok(_) => Err(self.unreadable(entry, None)),
            Err(error) => Err(self.unreadable(entry, Some(error))),
        }
    }

    /// Writes the unpacked bytes of an entry to a file, if there are at most `limit`, and holds few of
    /// them at a time.
    fn copy(&self, entry: &ArchiveEntry, limit: u64, to: &mut File) -> Result<(), ApkError> {
        const BLOCK_LEN: usize = 64 << 10;
        let start = self.check_size(entry, limit)?;
        let stored = if entry.method == DEFLATED { entry.compressed } else { entry.size };
        let packed = self.source.reader(start, stored);
        let mut content: Box<dyn Read + '_> = match entry.method {
            DEFLATED => Box::new(DeflateDecoder::new(packed)),
            _ => Box::new(packed),
        };
        let (mut crc, mut left, mut block) = (Crc::new(), entry.size, vec![0; BLOCK_LEN]);
        loop {
            let len =
                content.read(&mut block).map_err(|error| self.unreadable(entry, Some(error)))?;
            if len as u64 > left || len == 0 && (left > 0 || crc.sum() != entry.crc32) {
                return Err(self.unreadable(entry, None));
            }
            if len == 0 {
                return Ok(());
            }
            left -= len as u64;
            crc.update(&block[..len]);
            to.write_all(&block[..len]).map_err(|source| cannot_unpack(&self.name, source))?;
        }
    }

    /// Returns the offset of an entry's data, if it has at most `limit` unpacked bytes.
    fn check_size(&self, entry: &ArchiveEntry, limit: u64) -> Result<u64, ApkError> {
        if entry.size > limit {
            return Err(ApkError::TooBig {
                name: self.name.clone(),
                what: entry.name.clone(),
                size: entry.size,
                limit,
            });
        }
        self.data_start(entry)
    }

    /// Returns the reason why an entry cannot be read: a failure, or content that it does not declare.
    fn unreadable(&self, entry: &ArchiveEntry, failure: Option<std::io::Error>) -> ApkError {
        match failure {
            _ if entry.flags & FLAG_ENCRYPTED != 0 => {
                ApkError::Encrypted { name: self.name.clone(), entry: entry.name.clone() }
            }
            None => self.damaged(entry, "does not match its checksum"),
            Some(error) if is_bad_data(&error) => self.damaged(entry, "cannot be decompressed"),
            Some(error) => io_error(&self.name, error),
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
    /// Returns the CRC-32 of the unpacked bytes, as the table of contents states it.
    pub fn checksum(&self) -> u32 {
        self.crc32
    }

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

fn cannot_unpack(name: &str, source: std::io::Error) -> ApkError {
    ApkError::Write { path: name.into(), source }
}

fn io_error(name: &str, source: std::io::Error) -> ApkError {
    ApkError::Io { path: name.into(), source }
}
