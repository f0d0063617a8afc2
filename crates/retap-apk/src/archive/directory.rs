//! The central directory: the table of contents at the end of a zip file. It alone decides what
//! an APK holds. Sixteen-bit counts bound it. Phones refuse zip64, so it is refused here too.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use crate::archive::source::ByteSource;
use crate::error::ApkError;
use crate::untrusted::Bytes;

const END_SIGNATURE: u32 = 0x0605_4b50;
const END_LEN: u64 = 22;
const ENTRY_SIGNATURE: u32 = 0x0201_4b50;
const ENTRY_LEN: usize = 46;
/// A comment of up to 64 KiB may follow the end record.
const MAX_COMMENT: u64 = u16::MAX as u64;
/// Real tables of contents are far below this, even with 65,535 entries.
const MAX_DIRECTORY: u64 = 64 << 20;

/// One line of the table of contents.
#[derive(Debug, Clone)]
pub struct ArchiveEntry {
    pub name: String,
    /// The unpacked size in bytes.
    pub size: u64,
    pub(super) compressed: u64,
    pub(super) method: u16,
    pub(super) flags: u16,
    pub(super) crc32: u32,
    pub(super) offset: u64,
}

/// Reads the table of contents of the archive that messages call `name`.
pub fn read(name: &str, source: &ByteSource) -> Result<BTreeMap<String, ArchiveEntry>, ApkError> {
    let end = EndRecord::find(name, source)?;
    if end.len > MAX_DIRECTORY {
        return Err(ApkError::TooBig {
            name: name.to_owned(),
            what: "its table of contents".to_owned(),
            size: end.len,
            limit: MAX_DIRECTORY,
        });
    }
    let directory = source.read(end.offset, end.len).map_err(|_| cut(name, TABLE_OUTSIDE))?;
    entries(name, Bytes(&directory), end.entries)
}

const TABLE_OUTSIDE: &str = "its table of contents lies outside the file";

/// The record at the very end of the file, which locates the directory.
struct EndRecord {
    entries: u16,
    offset: u64,
    len: u64,
}

impl EndRecord {
    fn find(name: &str, source: &ByteSource) -> Result<Self, ApkError> {
        let io = |source| ApkError::Io { path: name.into(), source };
        let tail_len = source.len().min(END_LEN + MAX_COMMENT);
        let tail = source.read(source.len() - tail_len, tail_len).map_err(io)?;
        let bytes = Bytes(&tail);
        let last = tail.len().saturating_sub(END_LEN as usize);
        let found = (0..=last).rev().find_map(|at| EndRecord::parse(bytes.from(at)?));
        match found {
            Some(end) if end.is_zip64() => Err(ApkError::Damaged {
                name: name.to_owned(),
                detail: "it is a zip64 archive, which Android cannot install".to_owned(),
            }),
            Some(end) if end.offset + end.len > source.len() => Err(cut(name, TABLE_OUTSIDE)),
            Some(end) => Ok(end),
            None if begins_like_a_zip(source) => {
                Err(cut(name, "the end of the archive is missing"))
            }
            None => Err(ApkError::NotAZip { name: name.to_owned() }),
        }
    }

    fn parse(bytes: Bytes) -> Option<Self> {
        let comment = usize::from(bytes.u16(20)?);
        let fits = bytes.len() >= END_LEN as usize + comment;
        (bytes.u32(0)? == END_SIGNATURE && fits).then_some(())?;
        Some(EndRecord {
            entries: bytes.u16(10)?,
            len: bytes.u32(12)?.into(),
            offset: bytes.u32(16)?.into(),
        })
    }

    fn is_zip64(&self) -> bool {
        self.offset == u32::MAX.into() || self.len == u32::MAX.into()
    }
}

fn entries(
    name: &str,
    directory: Bytes,
    count: u16,
) -> Result<BTreeMap<String, ArchiveEntry>, ApkError> {
    let mut entries = BTreeMap::new();
    let mut at = 0;
    for _ in 0..count {
        let Some((entry, len)) = parse_entry(directory, at) else {
            return Err(cut(name, "its table of contents ends early"));
        };
        at += len;
        match entries.entry(entry.name.clone()) {
            Slot::Vacant(slot) => {
                slot.insert(entry);
            }
            Slot::Occupied(_) => {
                let detail = format!("it has two entries named {}", entry.name);
                return Err(ApkError::Damaged { name: name.to_owned(), detail });
            }
        }
    }
    Ok(entries)
}

/// Returns the entry at `at` and the length of its record.
fn parse_entry(directory: Bytes, at: usize) -> Option<(ArchiveEntry, usize)> {
    let record = directory.from(at)?;
    (record.u32(0)? == ENTRY_SIGNATURE).then_some(())?;
    let name_len = usize::from(record.u16(28)?);
    let extra_len = usize::from(record.u16(30)?);
    let comment_len = usize::from(record.u16(32)?);
    let entry = ArchiveEntry {
        name: String::from_utf8_lossy(record.slice(ENTRY_LEN, name_len)?.0).into_owned(),
        size: record.u32(24)?.into(),
        compressed: record.u32(20)?.into(),
        method: record.u16(10)?,
        flags: record.u16(8)?,
        crc32: record.u32(16)?,
        offset: record.u32(42)?.into(),
    };
    Some((entry, ENTRY_LEN + name_len + extra_len + comment_len))
}

fn begins_like_a_zip(source: &ByteSource) -> bool {
    source.read(0, 4).is_ok_and(|start| start == super::LOCAL_HEADER)
}

fn cut(name: &str, detail: &'static str) -> ApkError {
    ApkError::Cut { name: name.to_owned(), detail }
}
