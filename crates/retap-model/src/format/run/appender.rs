//! Growing files of a run: lines are buffered and written in one piece.

use super::RunError;
use serde::Serialize;
use std::fs::File;
#[cfg(unix)]
use std::fs::Metadata;
use std::io::{self, Write};
use std::path::PathBuf;

/// A file that only grows, and its buffered bytes.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    file: File,
    pub pending: Vec<u8>,
}

impl Appender {
    /// Opens a file and keeps its first `keep` bytes.
    pub fn open(path: PathBuf, keep: u64) -> Result<Self, RunError> {
        use std::io::{Seek, SeekFrom};
        let open = || {
            let mut file = File::options().create(true).truncate(false).write(true).open(&path)?;
            file.set_len(keep)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(RunError::io(&path))?;
        Ok(Self { path, file, pending: Vec::new() })
    }

    pub fn append_json(&mut self, value: &impl Serialize) -> Result<(), RunError> {
        serde_json::to_writer(&mut self.pending, value)
            .map_err(|error| RunError::io(&self.path)(error.into()))?;
        self.pending.push(b'\n');
        Ok(())
    }

    /// Writes the buffered bytes. A file that somebody removed meanwhile is an error, because nobody can read what is
    /// written to it.
    pub fn flush(&mut self) -> Result<(), RunError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.check_is_there().map_err(RunError::io(&self.path))?;
        while !self.pending.is_empty() {
            match self.file.write(&self.pending) {
                Ok(0) => return Err(RunError::io(&self.path)(io::ErrorKind::WriteZero.into())),
                // What is on a full disk already must not be written a second time.
                Ok(written) => drop(self.pending.drain(..written)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(RunError::io(&self.path)(error)),
            }
        }
        Ok(())
    }

    #[cfg(unix)]
    fn check_is_there(&self) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let same =
            |path: &Metadata, file: &Metadata| (path.dev(), path.ino()) == (file.dev(), file.ino());
        match std::fs::metadata(&self.path) {
            Ok(path) if same(&path, &self.file.metadata()?) => Ok(()),
            _ => Err(io::Error::other("the file was removed or replaced while it was written")),
        }
    }

    #[cfg(not(unix))]
    fn check_is_there(&self) -> io::Result<()> {
        std::fs::metadata(&self.path).map(drop)
    }
}
