//! What a JVM needs of the machine it runs on, found rather than listed where distributions differ.

use super::cage::Permits;
use crate::setup::Kit;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where shared libraries are, on most systems and on those that keep every package apart.
const LIBRARIES: [&str; 8] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
];

/// Not `/proc`: it tells of other processes, and has a second name for every open descriptor.
const SYSTEM: [&str; 5] = [
    "/etc/ld.so.cache",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    // Java sizes its thread pools by it.
    "/sys/devices/system/cpu",
];

/// How the name of the program begins that loads shared libraries.
const LOADER: &str = "ld-";

/// Folders of a JDK lie no deeper than this.
const DEEPEST: usize = 4;

/// For an agent that lives in this folder and runs this app.
pub fn permits(kit: &Kit, folder: &Path, app: &[&Path]) -> Permits {
    let libraries = LIBRARIES.map(PathBuf::from);
    let mut read: BTreeSet<PathBuf> = app.iter().map(|&path| path.to_owned()).collect();
    read.extend(kit.class_path.iter().filter_map(|jar| jar.parent()).map(Path::to_owned));
    read.extend([kit.android_jars.clone(), kit.jdk.home.clone()]);
    read.extend(kit.framework.iter().flat_map(|it| [it.level.clone(), it.runtime.clone()]));
    read.extend(links_out_of(&kit.jdk.home, DEEPEST));
    read.extend(libraries.iter().cloned());
    read.extend(SYSTEM.map(PathBuf::from));
    let loaders = libraries.iter().flat_map(|folder| loaders_in(folder));
    Permits {
        read: read.into_iter().collect(),
        write: vec![folder.to_owned(), "/dev/null".into()],
        run: [kit.jdk.java()].into_iter().chain(loaders).collect(),
    }
}

/// Distributions keep a JDK's settings and certificates elsewhere and link to them.
fn links_out_of(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_symlink() {
            found.extend(entry.path().canonicalize().ok().filter(|target| target.is_file()));
        } else if kind.is_dir() && depth > 0 {
            found.extend(links_out_of(&entry.path(), depth - 1));
        }
    }
    found
}

/// The kernel starts it before the program itself. It may be a link, or lie one folder deeper, as in
/// `/lib/x86_64-linux-gnu`.
fn loaders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_loader = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(LOADER))
    };
    entries.flatten().map(|entry| entry.path()).filter(is_loader).collect()
}
