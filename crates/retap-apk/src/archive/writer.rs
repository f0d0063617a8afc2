//! Writes a zip archive as a phone wants an APK: stored entries begin at multiples of four bytes, native libraries at
//! those of a memory page. Entries of another archive are copied as they are, still packed.

use std::io::{Error, ErrorKind, Read, Result, Write};

use flate2::Compression;
use flate2::Crc;
use flate2::write::DeflateEncoder;

use super::{Archive, ArchiveEntry, DEFLATED, LOCAL_HEADER, LOCAL_HEADER_LEN};
use crate::error::ApkError;

const CENTRAL_HEADER: &[u8] = b"PK\x01\x02";
const END_HEADER: &[u8] = b"PK\x05\x06";
const STORED: u16 = 0;
/// The version of the format that a reader needs: one with folders and deflating.
const VERSION: u16 = 20;
const FLAG_UTF8: u16 = 1 << 11;
/// The first of January 1980, so that the same content gives the same bytes.
const DATE: u16 = 1 << 5 | 1;
/// The extra field that says how an entry is aligned. Signers keep the alignment that it names.
const ALIGNMENT_FIELD: u16 = 0xd935;
const ALIGNMENT_FIELD_LEN: usize = 6;
const ALIGNMENT: u16 = 4;
/// Phones map libraries into memory, by pages of 4 or of 16 KiB.
const LIBRARY_ALIGNMENT: u16 = 16 << 10;

/// Whether an entry's bytes are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Stored,
    Deflated,
}

/// An archive that is being written from front to back.
#[derive(Debug)]
pub struct ArchiveWriter<W> {
    out: W,
    at: u64,
    written: Vec<Written>,
}

/// A line of the table of contents.
#[derive(Debug)]
struct Written {
    name: String,
    method: u16,
    crc32: u32,
    packed: u32,
    size: u32,
    offset: u32,
}

impl<W: Write> ArchiveWriter<W> {
    pub fn new(out: W) -> Self {
        Self { out, at: 0, written: Vec::new() }
    }

    /// Copies an entry of another archive, still packed, under a name.
    pub fn copy(
        &mut self,
        archive: &Archive,
        entry: &ArchiveEntry,
        name: &str,
    ) -> std::result::Result<(), ApkError> {
        let (mut packed, len) = archive.packed(entry)?;
        let method = if entry.method == DEFLATED { DEFLATED } else { STORED };
        let mut write = || {
            let header = self.begin(name, method, entry.crc32, len, entry.size)?;
            let copied = std::io::copy(&mut packed, &mut self.out)?;
            if copied != len {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            self.end(header, copied);
            Ok(())
        };
        write().map_err(|source| ApkError::Write { path: name.into(), source })
    }

    /// Adds an entry.
    pub fn add(&mut self, name: &str, content: &[u8], packing: Packing) -> Result<()> {
        let mut crc = Crc::new();
        crc.update(content);
        let (method, packed) = match packing {
            Packing::Stored => (STORED, content.to_vec()),
            Packing::Deflated => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(content)?;
                (DEFLATED, encoder.finish()?)
            }
        };
        let len = packed.len() as u64;
        let entry = self.begin(name, method, crc.sum(), len, content.len() as u64)?;
        self.out.write_all(&packed)?;
        self.end(entry, len);
        Ok(())
    }

    /// Writes the table of contents and returns what the archive was written to.
    pub fn finish(mut self) -> Result<W> {
        let start = self.at;
        let mut table = Vec::new();
        for entry in &self.written {
            table.extend_from_slice(CENTRAL_HEADER);
            table.extend(VERSION.to_le_bytes());
            table.extend(entry.common());
            // Extra field, comment, disk and attributes.
            table.extend([0; 12]);
            table.extend(entry.offset.to_le_bytes());
            table.extend_from_slice(entry.name.as_bytes());
        }
        let count = u16::try_from(self.written.len()).map_err(|_| too_big("entries"))?;
        let len = fits(table.len() as u64)?;
        let start = fits(start)?;
        table.extend_from_slice(END_HEADER);
        table.extend([0; 4]);
        table.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        table.extend([len.to_le_bytes(), start.to_le_bytes()].concat());
        table.extend([0; 2]);
        self.out.write_all(&table)?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes the local header, which is as long as the alignment of the data needs.
    fn begin(
        &mut self,
        name: &str,
        method: u16,
        crc32: u32,
        packed: u64,
        size: u64,
    ) -> Result<Written> {
        if name.len() > usize::from(u16::MAX) {
            return Err(too_big("name"));
        }
        let written = Written {
            name: name.to_owned(),
            method,
            crc32,
            packed: fits(packed)?,
            size: fits(size)?,
            offset: fits(self.at)?,
        };
        let extra = written.extra();
        let mut header = LOCAL_HEADER.to_vec();
        header.extend(written.common());
        header.extend((extra.len() as u16).to_le_bytes());
        header.extend_from_slice(name.as_bytes());
        header.extend(extra);
        self.out.write_all(&header)?;
        self.at += header.len() as u64;
        Ok(written)
    }

    fn end(&mut self, written: Written, len: u64) {
        self.at += len;
        self.written.push(written);
    }
}

impl Written {
    /// Returns the fields that both headers have, from the needed version to the length of the name.
    fn common(&self) -> Vec<u8> {
        let flags = if self.name.is_ascii() { 0 } else { FLAG_UTF8 };
        let halves = [VERSION, flags, self.method, 0, DATE];
        let words = [self.crc32, self.packed, self.size];
        let mut bytes: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes
    }

    /// Returns the extra field that aligns the data of a stored entry.
    fn extra(&self) -> Vec<u8> {
        if self.method != STORED {
            return Vec::new();
        }
        let is_library = self.name.starts_with("lib/") && self.name.ends_with(".so");
        let alignment = if is_library { LIBRARY_ALIGNMENT } else { ALIGNMENT };
        let start = self.offset as usize + LOCAL_HEADER_LEN + self.name.len() + ALIGNMENT_FIELD_LEN;
        let padding = start.next_multiple_of(usize::from(alignment)) - start;
        let mut extra = Vec::new();
        extra.extend(ALIGNMENT_FIELD.to_le_bytes());
        extra.extend((2 + padding as u16).to_le_bytes());
        extra.extend(alignment.to_le_bytes());
        extra.resize(ALIGNMENT_FIELD_LEN + padding, 0);
        extra
    }
}

impl Archive {
    /// Returns the bytes of an entry as they lie in the archive, and their number.
    fn packed(
        &self,
        entry: &ArchiveEntry,
    ) -> std::result::Result<(impl Read + use<'_>, u64), ApkError> {
        let start = self.data_start(entry)?;
        let len = if entry.method == DEFLATED { entry.compressed } else { entry.size };
        Ok((self.source.reader(start, len), len))
    }
}

fn fits(value: u64) -> Result<u32> {
    u32::try_from(value).map_err(|_| too_big("archive"))
}

fn too_big(what: &str) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("the {what} would be larger than Android allows"))
}

#[cfg(test)]
mod tests;
