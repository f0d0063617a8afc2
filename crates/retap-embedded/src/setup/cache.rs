//! The cache: a folder that first use fills. Each folder in it is made under another name and renamed
//! when it is complete. One process makes folders at a time, the others wait.

use crate::setup::inventory::Inventory;
use crate::setup::{Notice, Notify, SetupError};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The prefix of a folder that is being made.
const UNFINISHED_PREFIX: &str = ".making-";

/// A version that was not used for this long is removed.
const UNUSED_LIMIT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The cache of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    root: PathBuf,
}

/// A finished folder of the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedFolder {
    pub folder: PathBuf,
    pub inventory: Inventory,
}

impl Cache {
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of prepared apps; see `prepared_app.rs`.
    pub fn prepared_apps(&self) -> PathBuf {
        self.root.join("apps")
    }

    /// Returns the folder of this name, if it is complete and unchanged.
    pub fn find(&self, name: &str) -> Option<CachedFolder> {
        let folder = self.root.join(name);
        Inventory::verify(&folder).map(|inventory| CachedFolder { folder, inventory })
    }

    /// Returns the folder of this name, and makes it first if it is missing, incomplete or changed.
    pub fn get_or_make(
        &self,
        name: &str,
        notify: Notify<'_>,
        make: impl FnOnce(&Path) -> Result<(), SetupError>,
    ) -> Result<CachedFolder, SetupError> {
        if let Some(cached) = self.find(name) {
            return Ok(cached);
        }
        let failed = |source| SetupError::Cache { path: self.root.clone(), source };
        fs::create_dir_all(&self.root).map_err(failed)?;
        let _lock = self.lock(notify).map_err(failed)?;
        if let Some(cached) = self.find(name) {
            return Ok(cached);
        }
        let folder = self.root.join(name);
        self.remove_leftovers(&folder, notify).map_err(failed)?;
        let work = tempfile::Builder::new()
            .prefix(UNFINISHED_PREFIX)
            .tempdir_in(&self.root)
            .map_err(failed)?;
        make(work.path())?;
        let finish = || {
            let inventory = Inventory::create(work.path())?;
            fs::rename(work.path(), &folder)?;
            Ok(inventory)
        };
        let inventory = finish().map_err(failed)?;
        // The folder has another name now, so there is nothing left to remove.
        let _ = work.keep();
        Ok(CachedFolder { folder, inventory })
    }

    /// Removes folders of other versions, whose names begin with `prefix`, that were not used for long.
    #[expect(clippy::disallowed_methods, reason = "the age of a folder decides")]
    pub fn remove_unused_versions(&self, prefix: &str, current: &CachedFolder) {
        // The time of the last use. If it cannot be set, the folder may be removed and made again.
        let _ = File::open(&current.folder).and_then(|it| it.set_modified(SystemTime::now()));
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let is_other = entry.path() != current.folder
                && entry.file_name().to_string_lossy().starts_with(prefix);
            let used = entry.metadata().and_then(|it| it.modified()).ok();
            let unused = used.and_then(|used| used.elapsed().ok()).unwrap_or_default();
            if is_other && unused > UNUSED_LIMIT {
                // Another retap may be removing it too.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Takes the lock of the process that makes folders. The lock ends with the process.
    fn lock(&self, notify: Notify<'_>) -> io::Result<File> {
        let file = File::create(self.root.join("lock"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                notify(Notice::Progress("waiting for another retap that is setting up"));
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(file)
    }

    /// Removes the remains of a set-up that was killed, and a folder that has changed since it was made.
    fn remove_leftovers(&self, broken: &Path, notify: Notify<'_>) -> io::Result<()> {
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED_PREFIX) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        if broken.exists() {
            let text =
                format!("{} has changed since it was made, making it again", broken.display());
            notify(Notice::Remark(&text));
            fs::remove_dir_all(broken)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "ages and concurrency are tested")]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const QUIET: Notify<'static> = &|_| {};

    fn write(work: &Path) -> Result<(), SetupError> {
        fs::write(work.join("a.jar"), "aaa").unwrap();
        Ok(())
    }

    #[test]
    fn a_folder_is_made_once() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().join("cache"));
        let made = cache.get_or_make("agent", QUIET, write).unwrap();
        let again = cache.get_or_make("agent", QUIET, |_| panic!("it is there")).unwrap();
        assert_eq!(made, again);
        assert_eq!(made.inventory.names().collect::<Vec<_>>(), ["a.jar"]);
    }

    #[test]
    fn an_edited_folder_is_made_again_with_a_remark() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        cache.get_or_make("agent", QUIET, write).unwrap();
        fs::write(dir.path().join("agent/a.jar"), "evil").unwrap();
        let remarks = Mutex::new(String::new());
        let notify = |notice: Notice<'_>| {
            if let Notice::Remark(text) = notice {
                remarks.lock().unwrap().push_str(text);
            }
        };
        cache.get_or_make("agent", &notify, write).unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("agent/a.jar")).unwrap(), "aaa");
        assert!(remarks.lock().unwrap().contains("making it again"));
    }

    #[test]
    fn the_remains_of_a_killed_set_up_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let half = dir.path().join(".making-x1");
        fs::create_dir(&half).unwrap();
        fs::create_dir(dir.path().join("agent")).unwrap();
        fs::write(dir.path().join("agent/a.jar"), "a").unwrap();
        let cache = Cache::new(dir.path().to_owned());
        assert_eq!(cache.find("agent"), None);
        cache.get_or_make("agent", QUIET, write).unwrap();
        assert!(!half.exists());
        assert_eq!(fs::read_to_string(dir.path().join("agent/a.jar")).unwrap(), "aaa");
    }

    #[test]
    fn a_folder_that_cannot_be_made_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let failed = cache.get_or_make("agent", QUIET, |work| {
            write(work)?;
            Err(SetupError::Interrupted)
        });
        assert!(matches!(failed, Err(SetupError::Interrupted)));
        let left: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["lock"]);
    }

    #[test]
    fn versions_that_were_not_used_for_long_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let [current, _, _, _] = ["agent-3", "agent-2", "agent-1", "android-28"]
            .map(|name| cache.get_or_make(name, QUIET, write).unwrap());
        let long_ago = SystemTime::now() - 2 * UNUSED_LIMIT;
        for old in ["agent-3", "agent-1", "android-28"] {
            File::open(dir.path().join(old)).unwrap().set_modified(long_ago).unwrap();
        }
        cache.remove_unused_versions("agent-", &current);
        let exists = |name: &str| cache.find(name).is_some();
        assert!(exists("agent-3") && exists("agent-2") && exists("android-28"));
        assert!(!exists("agent-1"));
    }

    #[test]
    fn concurrent_requests_make_a_folder_once() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let make = |work: &Path| {
                        made.fetch_add(1, Ordering::Relaxed);
                        write(work)
                    };
                    cache.get_or_make("agent", QUIET, make).unwrap();
                });
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }
}
