//! The folders of one agent. retap's own part, with the log and the settings, can only be read by the agent, or not
//! even be seen. The agent works in a folder of its own, and the phone's disk is another.

use super::preload;
use super::recording::SETTINGS;
use super::sandbox::OwnFolder;
use crate::private_folder::PrivateFolder;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MEGABYTE: u64 = 1 << 20;

/// The size of the phone's disk: what an app may write, and a little for the phone itself.
const PHONE_BYTES: u64 = (512 + 8) * MEGABYTE;
const PHONE_FILES: u64 = 65_536;

/// The size of the agent's working folder. Translating a big app needs this much.
const WORK_BYTES: u64 = 1024 * MEGABYTE;
const WORK_FILES: u64 = 16_384;

/// The paths that a command line names.
#[derive(Debug, Clone, Copy)]
pub struct ProcessPaths<'a> {
    /// Files that retap writes before the process starts.
    pub settings: &'a Path,
    /// Files that the agent writes and retap reads.
    pub work: &'a Path,
    /// The phone's disk.
    pub phone: &'a Path,
}

impl<'a> ProcessPaths<'a> {
    /// Uses one folder for all.
    pub fn same(folder: &'a Path) -> Self {
        Self { settings: folder, work: folder, phone: folder }
    }
}

/// The folders of one agent, which are deleted when this is dropped.
#[derive(Debug)]
pub struct ProcessFolders {
    whole: PrivateFolder,
    root: PathBuf,
    work: PathBuf,
    phone: PathBuf,
}

impl ProcessFolders {
    pub fn create() -> io::Result<Self> {
        let whole = PrivateFolder::create_in_memory()?;
        let [root, work, phone] = ["root", "work", "phone"].map(|name| whole.path().join(name));
        for folder in [&root, &work, &phone] {
            fs::create_dir(folder)?;
        }
        Ok(Self { whole, root, work, phone })
    }

    /// Returns retap's own part.
    pub fn settings(&self) -> &Path {
        self.whole.path()
    }

    /// Returns an empty folder, which becomes the root of the process's view.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn work(&self) -> &Path {
        &self.work
    }

    pub fn paths(&self) -> ProcessPaths<'_> {
        ProcessPaths { settings: self.settings(), work: &self.work, phone: &self.phone }
    }

    /// Returns the files of retap's own part that the process reads.
    pub fn readable(&self) -> [PathBuf; 2] {
        [preload::LIBRARY_FILE, SETTINGS].map(|name| self.settings().join(name))
    }

    /// Returns the folders that belong to the process.
    pub fn own(&self) -> [OwnFolder; 2] {
        let folder = |path: &Path, max_bytes, max_files| OwnFolder {
            path: path.to_owned(),
            max_bytes,
            max_files,
        };
        [folder(&self.work, WORK_BYTES, WORK_FILES), folder(&self.phone, PHONE_BYTES, PHONE_FILES)]
    }
}
