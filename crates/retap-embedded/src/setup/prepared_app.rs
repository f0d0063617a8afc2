//! Apps that an agent has prepared, kept from run to run.
//!
//! The agent cannot write to the cache, because it goes on to run the app's code. It gets links to the
//! files in the cache and makes missing ones in a folder of its own. retap copies those to the cache
//! before any code of the app has run. Each folder in the cache has an inventory; one that differs from
//! it is removed, and the agent makes it again.

use crate::foreign_folder::{ForeignFolder, remove_tree};
use crate::setup::inventory::Inventory;
use crate::setup::{Notice, Notify};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The prefix of a folder that is being copied.
const UNFINISHED_PREFIX: &str = ".making-";

/// Far more than any prepared file has.
const MAX_FILE_LEN: u64 = 4 << 30;

/// The cached files of one app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedApp {
    /// The folder of all apps of one version of the agent.
    root: PathBuf,
    folder: PathBuf,
    /// Whether a damaged folder is left that could not be removed.
    is_spoilt: bool,
}

impl PreparedApp {
    /// Names the folder of the app with this hash in `root`, the folder for one version of the agent.
    pub fn new(root: &Path, sha256: &str) -> Self {
        Self { root: root.to_owned(), folder: root.join(sha256), is_spoilt: false }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns a folder of the app in the cache, if it is there and nothing damaged is.
    pub fn find_whole(&self, name: &Path) -> Option<PathBuf> {
        Some(self.folder.join(name)).filter(|folder| !self.is_spoilt && folder.is_dir())
    }

    /// Creates the folder of the app, empty at first. A process that is allowed to read it then also sees what
    /// another process puts there before the links are made.
    pub fn make_room(&self) {
        // A cache that cannot be written stays as it is, for every process.
        let _ = fs::create_dir_all(&self.folder);
    }

    /// Creates a folder with the same folders as the cached one and links to its files. Leaves out
    /// damaged folders and removes them from the cache.
    pub fn link_into(&mut self, to: &Path, notify: Notify<'_>) -> io::Result<()> {
        fs::create_dir(to)?;
        let mut damaged = Vec::new();
        if self.folder.is_dir() {
            link_folders(&self.folder, to, &mut damaged)?;
        }
        for folder in damaged {
            let name = folder.display();
            notify(Notice::Remark(&format!(
                "{name} has changed since it was made, preparing the app again"
            )));
            if let Err(error) = self.remove_damaged(&folder) {
                notify(Notice::Remark(&format!("{name} cannot be removed: {error}")));
                self.is_spoilt = true;
            }
        }
        Ok(())
    }

    /// Copies the new folders of a folder to the cache. Each appears completely or not at all.
    pub fn keep_new_files(&self, made: &Path) -> io::Result<()> {
        if self.is_spoilt {
            return Err(io::Error::other("a damaged folder is in the way"));
        }
        fs::create_dir_all(&self.folder)?;
        let _lock = self.lock()?;
        remove_unfinished(&self.folder)?;
        merge(made, &self.folder)
    }

    fn remove_damaged(&self, folder: &Path) -> io::Result<()> {
        let _lock = self.lock()?;
        // Another process may have made it again meanwhile.
        match folder.exists() && Inventory::verify(folder).is_none() {
            true => remove_tree(folder),
            false => Ok(()),
        }
    }

    /// Waits until no other process changes the folders of this version. The lock ends with the process.
    fn lock(&self) -> io::Result<File> {
        let lock = File::create(self.root.join("lock"))?;
        lock.lock()?;
        Ok(lock)
    }
}

/// Links the files of all folders in `from` that are as their inventories say.
fn link_folders(from: &Path, to: &Path, damaged: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let (entry, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        // A folder within a listed folder was listed with it, or was added later with its own list.
        if is_unfinished(&entry) || !entry.is_dir() || to.exists() && !Inventory::exists(&entry) {
            continue;
        }
        let Some(inventory) = Inventory::verify(&entry) else {
            damaged.push(entry);
            continue;
        };
        for name in inventory.names() {
            let link = to.join(name);
            if let Some(folder) = link.parent() {
                fs::create_dir_all(folder)?;
            }
            symlink(entry.join(name), link)?;
        }
        link_folders(&entry, &to, damaged)?;
    }
    Ok(())
}

/// Copies folders that are missing in `to`.
fn merge(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let (from, kept) = (entry.path(), to.join(entry.file_name()));
        if kept.is_dir() {
            merge(&from, &kept)?;
            continue;
        }
        let work = tempfile::Builder::new().prefix(UNFINISHED_PREFIX).tempdir_in(to)?;
        copy_files(&from, work.path())?;
        Inventory::create(work.path())?;
        fs::rename(work.path(), &kept)?;
        // The folder has another name now, so there is nothing left to remove.
        let _ = work.keep();
    }
    Ok(())
}

/// Copies plain files. Links are skipped: they are either our own or could lead anywhere.
fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    let files = ForeignFolder::open(from)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, copy) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&copy)?;
            copy_files(&entry.path(), &copy)?;
        } else if kind.is_file() {
            files.copy(entry.file_name().as_ref(), &copy, MAX_FILE_LEN)?;
        }
    }
    Ok(())
}

/// Removes what a killed process left.
fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_unfinished(&path) {
            remove_tree(&path)?;
        } else if path.is_dir() {
            remove_unfinished(&path)?;
        }
    }
    Ok(())
}

fn is_unfinished(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED_PREFIX))
}

#[cfg(test)]
mod tests;
