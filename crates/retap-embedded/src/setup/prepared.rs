//! Apps that the agent has made ready to run, kept from run to run. The agent itself can only read
//! here, for it goes on to run the app's code: what it has made in its own folder is copied by us,
//! before a line of the app has run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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

    pub fn exists(&self) -> bool {
        self.folder.is_dir()
    }

    /// Keeps a copy of what the agent has made; it appears whole or not at all.
    pub fn keep(&self, made: &Path) -> io::Result<()> {
        let root = self.folder.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(root)?;
        let work = tempfile::Builder::new().prefix(".making-").tempdir_in(root)?;
        copy(made, work.path())?;
        match fs::rename(work.path(), &self.folder) {
            // Another process was faster; its copy is as good.
            Err(_) if self.exists() => Ok(()),
            Err(error) => Err(error),
            Ok(()) => {
                // It has another name now; there is nothing left to remove.
                let _ = work.keep();
                Ok(())
            }
        }
    }
}

/// Plain files and folders; a link could lead anywhere.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&to)?;
            copy(&entry.path(), &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_is_kept_once_and_without_links() {
        let dir = tempfile::tempdir().unwrap();
        let made = dir.path().join("made");
        fs::create_dir_all(made.join("v4")).unwrap();
        fs::write(made.join("v4/classes.jar"), "classes").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", made.join("link")).unwrap();
        let prepared = Prepared::new(&dir.path().join("apps/agent-1"), "c0ffee");
        assert!(!prepared.exists());
        prepared.keep(&made).unwrap();
        assert!(prepared.exists());
        let classes = prepared.folder().join("v4/classes.jar");
        assert_eq!(fs::read_to_string(&classes).unwrap(), "classes");
        assert!(!prepared.folder().join("link").exists());

        fs::write(made.join("v4/classes.jar"), "others").unwrap();
        prepared.keep(&made).unwrap();
        assert_eq!(fs::read_to_string(classes).unwrap(), "classes");
        assert_eq!(fs::read_dir(dir.path().join("apps/agent-1")).unwrap().count(), 1);
    }
}
