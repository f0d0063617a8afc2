//! A temporary folder of retap's own, for its user only. It is deleted with its value. A folder that a
//! killed retap left behind is removed when the next one is made.

mod memory;

use crate::foreign_folder::remove_tree;
use rustix::fs::{FlockOperation, flock};
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use tempfile::TempDir;

const PREFIX: &str = "retap-work-";

/// A folder that is deleted with this value.
#[derive(Debug)]
pub struct PrivateFolder {
    folder: TempDir,
    /// The folder itself, locked. The lock ends with this process, however it ends.
    _lock: File,
}

impl PrivateFolder {
    pub fn create() -> io::Result<Self> {
        Self::create_clean(&std::env::temp_dir())
    }

    /// Creates a folder in memory where the machine has room there: a clean install makes and removes
    /// dozens of files, and a disk's file system makes it wait.
    pub fn create_in_memory() -> io::Result<Self> {
        Self::create_clean(&memory::find_folder().unwrap_or_else(std::env::temp_dir))
    }

    fn create_clean(place: &Path) -> io::Result<Self> {
        remove_abandoned(place);
        Self::create_in(place)
    }

    fn create_in(place: &Path) -> io::Result<Self> {
        loop {
            let folder = tempfile::Builder::new()
                .prefix(PREFIX)
                .permissions(Permissions::from_mode(0o700))
                .tempdir_in(place)?;
            let lock = File::open(folder.path())?;
            flock(&lock, FlockOperation::LockExclusive)?;
            // Another retap may have taken it for abandoned before it was locked.
            if folder.path().exists() {
                return Ok(Self { folder, _lock: lock });
            }
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // The folder's own value removes only what a well-behaved app leaves.
        let _ = remove_tree(self.folder.path());
    }
}

/// Removes folders of this user whose retap was killed. What cannot be removed stays.
fn remove_abandoned(place: &Path) {
    let is_ours = |name: &OsStr| name.to_string_lossy().starts_with(PREFIX);
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        // This does not follow links.
        let Ok(facts) = entry.metadata() else { continue };
        let is_own = facts.is_dir() && facts.uid() == rustix::process::geteuid().as_raw();
        if is_own && is_ours(&entry.file_name()) {
            let lock = File::open(entry.path());
            if lock.is_ok_and(|it| flock(&it, FlockOperation::NonBlockingLockExclusive).is_ok()) {
                let _ = remove_tree(&entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_user_can_look_into_a_folder_and_it_ends_with_its_value() {
        let folder = PrivateFolder::create().unwrap();
        let path = folder.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn only_abandoned_folders_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let used = PrivateFolder::create_in(place.path()).unwrap();
        let [killed, other, link] =
            ["retap-work-killed", "other", "retap-work-link"].map(|name| place.path().join(name));
        fs::create_dir_all(killed.join("a/b")).unwrap();
        fs::create_dir(&other).unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        remove_abandoned(place.path());
        assert!(!killed.exists());
        assert!([used.path(), &other, &link].iter().all(|path| path.exists()));
    }
}
