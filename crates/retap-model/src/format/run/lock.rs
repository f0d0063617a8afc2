//! The lock that allows one process per run directory. The operating system releases it when the
//! process ends, however it ends.

use super::RunError;
use std::fs::{self, File, TryLockError};
use std::path::Path;

/// A held lock of a run directory.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a new or empty directory.
    pub fn create(dir: &Path) -> Result<Self, RunError> {
        fs::create_dir_all(dir).map_err(RunError::io(dir))?;
        let lock = Self::take(dir)?;
        let entries = fs::read_dir(dir).map_err(RunError::io(dir))?;
        let others = entries.flatten().filter(|entry| entry.file_name() != Self::NAME).count();
        if others > 0 { Err(RunError::Occupied(dir.to_path_buf())) } else { Ok(lock) }
    }

    /// Locks a directory that contains a run.
    pub fn resume(dir: &Path) -> Result<Self, RunError> {
        if !dir.join(super::INFO).is_file() {
            return Err(RunError::NoRun(dir.to_path_buf()));
        }
        Self::take(dir)
    }

    const NAME: &str = ".lock";

    fn take(dir: &Path) -> Result<Self, RunError> {
        let path = dir.join(Self::NAME);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(RunError::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(RunError::InUse(dir.to_path_buf())),
            Err(TryLockError::Error(error)) => Err(RunError::io(&path)(error)),
        }
    }
}
