//! Where an archive's bytes come from: a file on disk, or an APK unpacked from a bundle.

use std::fs::File;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub enum Source {
    File { file: Mutex<File>, len: u64 },
    Memory(Vec<u8>),
}

impl Source {
    pub fn from_file(file: File) -> Result<Self> {
        let len = file.metadata()?.len();
        Ok(Source::File { file: Mutex::new(file), len })
    }

    pub fn len(&self) -> u64 {
        match self {
            Source::File { len, .. } => *len,
            Source::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Exactly `len` bytes from `at`.
    pub fn read(&self, at: u64, len: u64) -> Result<Vec<u8>> {
        if at.checked_add(len).is_none_or(|end| end > self.len()) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = vec![0; usize::try_from(len).map_err(Error::other)?];
        self.read_at(at, &mut bytes)?;
        Ok(bytes)
    }

    /// A stream over at most `len` bytes from `at`.
    pub fn reader(&self, at: u64, len: u64) -> impl BufRead {
        BufReader::new(Range { source: self, at }.take(len))
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> Result<()> {
        match self {
            Source::File { file, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(buffer)
            }
            Source::Memory(bytes) => {
                let mut rest = usize::try_from(at)
                    .ok()
                    .and_then(|at| bytes.get(at..))
                    .ok_or(ErrorKind::UnexpectedEof)?;
                rest.read_exact(buffer)
            }
        }
    }
}

struct Range<'a> {
    source: &'a Source,
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
