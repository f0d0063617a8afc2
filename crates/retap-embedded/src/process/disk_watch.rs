//! The size of folders that have no limit of their own, because the machine gives no namespaces. They are measured
//! from time to time while the agent works, and when it replies: an app can fill a disk faster than it is looked at.

use super::sandbox::OwnFolder;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time between two measurements.
const PERIOD: Duration = Duration::from_millis(250);

/// Folders that are measured.
#[derive(Debug, Default)]
pub struct DiskWatch {
    folders: Vec<OwnFolder>,
    last: Option<Instant>,
}

impl DiskWatch {
    pub fn new(folders: Vec<OwnFolder>) -> Self {
        Self { folders, last: None }
    }

    /// Returns how long to wait for a reply before the next look, which is at most `longest`.
    pub fn pause(&self, longest: Duration) -> Duration {
        if self.folders.is_empty() { longest } else { longest.min(PERIOD) }
    }

    /// Measures if it is time to. Fails if a folder is fuller than its limit.
    #[expect(
        clippy::disallowed_methods,
        reason = "a disk that is full must not fill the machine's"
    )]
    pub fn check(&mut self) -> io::Result<()> {
        let now = Instant::now();
        if self.folders.is_empty() || self.last.is_some_and(|last| now < last + PERIOD) {
            return Ok(());
        }
        self.last = Some(now);
        self.measure()
    }

    /// Fails if a folder is fuller than its limit.
    pub fn measure(&self) -> io::Result<()> {
        let is_full = self.folders.iter().any(|folder| {
            let mut left = Left { bytes: folder.max_bytes, files: folder.max_files };
            !left.holds(&folder.path)
        });
        let problem = "the app filled its disk: ENOSPC (No space left on device)";
        if is_full { Err(io::Error::new(io::ErrorKind::StorageFull, problem)) } else { Ok(()) }
    }
}

/// The room that is left in a folder.
struct Left {
    bytes: u64,
    files: u64,
}

impl Left {
    /// Takes the room of everything in a folder; false if there is not enough. Links are not followed.
    fn holds(&mut self, folder: &Path) -> bool {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            let (bytes, files) =
                (self.bytes.checked_sub(metadata.len()), self.files.checked_sub(1));
            let (Some(bytes), Some(files)) = (bytes, files) else { return false };
            (self.bytes, self.files) = (bytes, files);
            if metadata.is_dir() && !self.holds(&entry.path()) {
                return false;
            }
        }
        true
    }
}
