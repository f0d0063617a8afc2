//! The files that the agent's JVM needs. Where distributions differ they are searched for, not listed.

use super::folders::ProcessFolders;
use super::sandbox::AllowedFiles;
use crate::setup::AgentSetup;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of shared libraries, also on systems that keep each package in a folder of its own.
const LIBRARY_FOLDERS: [&str; 8] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
];

/// System files. `/proc` is left out: it shows other processes and gives every open descriptor a
/// second name.
const SYSTEM_FILES: [&str; 5] = [
    "/etc/ld.so.cache",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    // Java reads it to size its thread pools.
    "/sys/devices/system/cpu",
];

/// The prefix of the name of the program that loads shared libraries.
const LOADER_PREFIX: &str = "ld-";

/// The depth of the deepest folder of a JDK.
const MAX_DEPTH: usize = 4;

/// Returns the files for an agent that works in `folders` and runs the app of the files `app`.
pub fn for_agent(setup: &AgentSetup, folders: &ProcessFolders, app: &[&Path]) -> AllowedFiles {
    let libraries = LIBRARY_FOLDERS.map(PathBuf::from);
    let mut read: BTreeSet<PathBuf> = app.iter().map(|&path| path.to_owned()).collect();
    read.extend(setup.class_path.iter().filter_map(|jar| jar.parent()).map(Path::to_owned));
    read.extend([setup.android_jars.clone(), setup.jdk.home.clone()]);
    read.extend(setup.framework.iter().flat_map(|it| [it.level.clone(), it.runtime.clone()]));
    read.extend(setup.class_archive.clone());
    read.extend(link_targets(&setup.jdk.home, MAX_DEPTH));
    read.extend(libraries.iter().cloned());
    read.extend(folders.readable().into_iter().filter(|file| file.exists()));
    read.extend(SYSTEM_FILES.map(PathBuf::from));
    let loaders = libraries.iter().flat_map(|folder| loaders_in(folder));
    AllowedFiles {
        read: read.into_iter().collect(),
        write: vec!["/dev/null".into()],
        run: [setup.jdk.java()].into_iter().chain(loaders).collect(),
        own: folders.own().into(),
    }
}

/// Returns the targets of links in a folder: distributions keep a JDK's settings and certificates
/// elsewhere and link to them.
fn link_targets(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_symlink() {
            found.extend(entry.path().canonicalize().ok().filter(|target| target.is_file()));
        } else if kind.is_dir() && depth > 0 {
            found.extend(link_targets(&entry.path(), depth - 1));
        }
    }
    found
}

/// Returns the programs in a folder that load shared libraries. The kernel starts such a loader before
/// the program itself; it may be a link.
fn loaders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_loader = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(LOADER_PREFIX))
    };
    entries.flatten().map(|entry| entry.path()).filter(is_loader).collect()
}
