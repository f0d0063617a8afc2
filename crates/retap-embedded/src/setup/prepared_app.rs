//! Apps that an agent has prepared, kept from run to run.
//!
//! The agent cannot write to the cache, because it goes on to run the app's code. It gets links to the
//! files in the cache and makes missing ones in a folder of its own. retap copies those to the cache
//! before any code of the app has run.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The prefix of a folder that is being copied.
const UNFINISHED_PREFIX: &str = ".making-";

/// The cached files of one app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedApp {
    folder: PathBuf,
}

impl PreparedApp {
    /// Names the folder of the app with this hash in `root`, the folder for one version of the agent.
    pub fn new(root: &Path, sha256: &str) -> Self {
        Self { folder: root.join(sha256) }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a folder with the same folders as the cached one and links to its files.
    pub fn link_into(&self, to: &Path) -> io::Result<()> {
        fs::create_dir(to)?;
        if self.folder.is_dir() { link_files(&self.folder, to) } else { Ok(()) }
    }

    /// Copies the new files of a folder to the cache. Each folder appears completely or not at all.
    pub fn keep_new_files(&self, made: &Path) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        merge(made, &self.folder)
    }
}

fn link_files(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED_PREFIX) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::create_dir(&to)?;
            link_files(&entry.path(), &to)?;
        } else {
            symlink(entry.path(), to)?;
        }
    }
    Ok(())
}

/// Copies plain files that are missing in `to`. Links are skipped: they are either our own or could
/// lead anywhere.
fn merge(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, from, kept) = (entry.file_type()?, entry.path(), to.join(entry.file_name()));
        if kind.is_dir() && kept.is_dir() {
            merge(&from, &kept)?;
        } else if kind.is_dir() {
            let work = tempfile::Builder::new().prefix(UNFINISHED_PREFIX).tempdir_in(to)?;
            merge(&from, work.path())?;
            match fs::rename(work.path(), &kept) {
                // The folder has another name now, so there is nothing left to remove.
                Ok(()) => drop(work.keep()),
                // Another process was faster, and its copy is as good.
                Err(_) if kept.is_dir() => {}
                Err(error) => return Err(error),
            }
        } else if kind.is_file() && !kept.exists() {
            fs::copy(from, kept)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_files_are_kept_and_linked_again() {
        let dir = tempfile::tempdir().unwrap();
        let prepared = PreparedApp::new(&dir.path().join("apps/agent-1"), "c0ffee");
        let [first, second, third] = ["first", "second", "third"].map(|name| dir.path().join(name));
        prepared.link_into(&first).unwrap();
        fs::create_dir(first.join("v4")).unwrap();
        fs::write(first.join("v4/classes.jar"), "classes").unwrap();
        prepared.keep_new_files(&first).unwrap();

        prepared.link_into(&second).unwrap();
        let linked = second.join("v4/classes.jar");
        assert_eq!(fs::read_to_string(&linked).unwrap(), "classes");
        assert!(linked.is_symlink());
        fs::create_dir(second.join("v4/counted")).unwrap();
        fs::write(second.join("v4/counted/table"), "units").unwrap();
        prepared.keep_new_files(&second).unwrap();

        prepared.link_into(&third).unwrap();
        assert_eq!(fs::read_to_string(third.join("v4/counted/table")).unwrap(), "units");
    }

    #[test]
    fn kept_files_never_change_and_links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let prepared = PreparedApp::new(dir.path(), "c0ffee");
        let made = dir.path().join("made");
        prepared.link_into(&made).unwrap();
        fs::create_dir(made.join("v4")).unwrap();
        fs::write(made.join("v4/a"), "first").unwrap();
        prepared.keep_new_files(&made).unwrap();
        fs::write(made.join("v4/a"), "other").unwrap();
        symlink("/etc/passwd", made.join("v4/link")).unwrap();
        prepared.keep_new_files(&made).unwrap();
        let kept = prepared.folder().join("v4");
        assert_eq!(fs::read_to_string(kept.join("a")).unwrap(), "first");
        assert_eq!(fs::read_dir(kept).unwrap().count(), 1);
    }
}
