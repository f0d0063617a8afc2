//! Apps that the agent has made ready to run, kept from run to run. The agent itself can only read
//! here, for it goes on to run the app's code: it is lent links to what is there, makes what is
//! missing in a folder of its own, and that is copied by us before a line of the app has run.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Begins the name of what is being copied.
const UNFINISHED: &str = ".making-";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    folder: PathBuf,
}

impl Prepared {
    /// The place of the app with this hash, below a folder for one version of the agent.
    pub fn new(root: &Path, sha256: &str) -> Self {
        Self { folder: root.join(sha256) }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes a new folder that looks like the kept one: folders of its own, links to the kept files.
    pub fn lend(&self, to: &Path) -> io::Result<()> {
        fs::create_dir(to)?;
        if self.folder.is_dir() { link(&self.folder, to) } else { Ok(()) }
    }

    /// Keeps what was made there besides. Each folder appears whole or not at all.
    pub fn keep(&self, made: &Path) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        merge(made, &self.folder)
    }
}

fn link(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::create_dir(&to)?;
            link(&entry.path(), &to)?;
        } else {
            symlink(entry.path(), to)?;
        }
    }
    Ok(())
}

/// Links are either what was lent or could lead anywhere; only plain files are new.
fn merge(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, from, kept) = (entry.file_type()?, entry.path(), to.join(entry.file_name()));
        if kind.is_dir() && kept.is_dir() {
            merge(&from, &kept)?;
        } else if kind.is_dir() {
            let work = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(to)?;
            merge(&from, work.path())?;
            match fs::rename(work.path(), &kept) {
                // It has another name now; there is nothing left to remove.
                Ok(()) => drop(work.keep()),
                // Another process was faster; its copy is as good.
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
    fn what_was_made_is_kept_and_lent_again() {
        let dir = tempfile::tempdir().unwrap();
        let prepared = Prepared::new(&dir.path().join("apps/agent-1"), "c0ffee");
        let [first, second, third] = ["first", "second", "third"].map(|name| dir.path().join(name));
        prepared.lend(&first).unwrap();
        fs::create_dir(first.join("v4")).unwrap();
        fs::write(first.join("v4/classes.jar"), "classes").unwrap();
        prepared.keep(&first).unwrap();

        prepared.lend(&second).unwrap();
        let lent = second.join("v4/classes.jar");
        assert_eq!(fs::read_to_string(&lent).unwrap(), "classes");
        assert!(lent.is_symlink());
        fs::create_dir(second.join("v4/counted")).unwrap();
        fs::write(second.join("v4/counted/table"), "units").unwrap();
        prepared.keep(&second).unwrap();

        prepared.lend(&third).unwrap();
        assert_eq!(fs::read_to_string(third.join("v4/counted/table")).unwrap(), "units");
    }

    #[test]
    fn what_is_kept_stays_as_it_was_and_links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let prepared = Prepared::new(dir.path(), "c0ffee");
        let made = dir.path().join("made");
        prepared.lend(&made).unwrap();
        fs::create_dir(made.join("v4")).unwrap();
        fs::write(made.join("v4/a"), "first").unwrap();
        prepared.keep(&made).unwrap();
        fs::write(made.join("v4/a"), "other").unwrap();
        symlink("/etc/passwd", made.join("v4/link")).unwrap();
        prepared.keep(&made).unwrap();
        let kept = prepared.folder().join("v4");
        assert_eq!(fs::read_to_string(kept.join("a")).unwrap(), "first");
        assert_eq!(fs::read_dir(kept).unwrap().count(), 1);
    }
}
