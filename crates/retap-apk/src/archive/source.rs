//! The bytes of an archive: a file on disk, which has no name if it was unpacked from a bundle.

use std::fs::File;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// Bytes that are read at any offset.
#[derive(Debug)]
pub struct ByteSource {
    file: Mutex<File>,
    len: u64,
}

impl ByteSource {
    pub fn from_file(file: File) -> Result<Self> {
        let len = file.metadata()?.len();
        Ok(ByteSource { file: Mutex::new(file), len })
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns exactly `len` bytes from `at` on.
    pub fn read(&self, at: u64, len: u64) -> Result<Vec<u8>> {
        if at.checked_add(len).is_none_or(|end| end > self.len()) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = vec![0; usize::try_from(len).map_err(Error::other)?];
        self.read_at(at, &mut bytes)?;
        Ok(bytes)
    }

    /// Returns a stream over at most `len` bytes from `at` on.
    pub fn reader(&self, at: u64, len: u64) -> impl BufRead {
        BufReader::new(Range { source: self, at }.take(len))
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(buffer)
    }
}

/// A stream over a source from `at` to its end.
struct Range<'a> {
    source: &'a ByteSource,
    at: u64,
}

impl Read for Range<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let left = usize::try_from(self.source.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        self.source.read_at(self.at, &mut buffer[..len])?;
        self.at += len as u64;
        Ok(len)
    }
}
