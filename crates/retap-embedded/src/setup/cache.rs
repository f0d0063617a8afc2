//! The folder that first use fills. Each part of it is made under another name and renamed when it is
//! complete; one process makes, others wait.

use crate::setup::inventory::Inventory;
use crate::setup::{Notice, Notify, SetupError};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Begins the name of a folder that is being made.
const UNFINISHED: &str = ".making-";

/// A version that was not started for this long is not coming back.
const RETIREMENT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    root: PathBuf,
}

/// A finished part of the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
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

    /// See `prepared.rs`.
    pub fn prepared(&self) -> PathBuf {
        self.root.join("apps")
    }

    /// The part of this name, if it is complete and as it was made.
    pub fn sound(&self, name: &str) -> Option<Part> {
        let folder = self.root.join(name);
        Inventory::check(&folder).map(|inventory| Part { folder, inventory })
    }

    /// The part of this name; made first if it is not there or not sound.
    pub fn provide(
        &self,
        name: &str,
        notify: Notify<'_>,
        make: impl FnOnce(&Path) -> Result<(), SetupError>,
    ) -> Result<Part, SetupError> {
        if let Some(part) = self.sound(name) {
            return Ok(part);
        }
        let failed = |source| SetupError::Cache { path: self.root.clone(), source };
        fs::create_dir_all(&self.root).map_err(failed)?;
        let _lock = self.lock(notify).map_err(failed)?;
        if let Some(part) = self.sound(name) {
            return Ok(part);
        }
        let folder = self.root.join(name);
        self.sweep(&folder, notify).map_err(failed)?;
        let work =
            tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.root).map_err(failed)?;
        make(work.path())?;
        let finish = || {
            let inventory = Inventory::take(work.path())?;
            fs::rename(work.path(), &folder)?;
            Ok(inventory)
        };
        let inventory = finish().map_err(failed)?;
        // It has another name now; there is nothing left to remove.
        let _ = work.keep();
        Ok(Part { folder, inventory })
    }

    /// Removes parts whose names begin so and that nobody has used for long: those of other versions.
    pub fn retire(&self, prefix: &str, current: &Part) {
        // When it was last used; where that cannot be noted, it will be made again some day.
        let _ = File::open(&current.folder).and_then(|it| it.set_modified(SystemTime::now()));
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let is_other = entry.path() != current.folder
                && entry.file_name().to_string_lossy().starts_with(prefix);
            let used = entry.metadata().and_then(|it| it.modified()).ok();
            let unused = used.and_then(|used| used.elapsed().ok()).unwrap_or_default();
            if is_other && unused > RETIREMENT {
                // Another retap may be removing it too.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Whoever holds it is the only one who makes anything here. It goes with the process.
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

    /// Removes what a set-up that was killed has left, and a part that is no longer what it was.
    fn sweep(&self, broken: &Path, notify: Notify<'_>) -> io::Result<()> {
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        if broken.exists() {
            let text = format!("{} is not as it was made: making it anew", broken.display());
            notify(Notice::Remark(&text));
            fs::remove_dir_all(broken)?;
        }
        Ok(())
    }
}

#[cfg(test)]
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
    fn a_part_is_made_once() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().join("cache"));
        let made = cache.provide("agent", QUIET, write).unwrap();
        let again = cache.provide("agent", QUIET, |_| panic!("it is there")).unwrap();
        assert_eq!(made, again);
        assert_eq!(made.inventory.names().collect::<Vec<_>>(), ["a.jar"]);
    }

    #[test]
    fn an_edited_part_is_made_anew_and_said_so() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        cache.provide("agent", QUIET, write).unwrap();
        fs::write(dir.path().join("agent/a.jar"), "evil").unwrap();
        let said = Mutex::new(String::new());
        let notify = |notice: Notice<'_>| {
            if let Notice::Remark(text) = notice {
                said.lock().unwrap().push_str(text);
            }
        };
        cache.provide("agent", &notify, write).unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("agent/a.jar")).unwrap(), "aaa");
        assert!(said.lock().unwrap().contains("making it anew"));
    }

    #[test]
    fn what_a_killed_set_up_left_is_not_believed_and_swept_away() {
        let dir = tempfile::tempdir().unwrap();
        let half = dir.path().join(".making-x1");
        fs::create_dir(&half).unwrap();
        fs::create_dir(dir.path().join("agent")).unwrap();
        fs::write(dir.path().join("agent/a.jar"), "a").unwrap();
        let cache = Cache::new(dir.path().to_owned());
        assert_eq!(cache.sound("agent"), None);
        cache.provide("agent", QUIET, write).unwrap();
        assert!(!half.exists());
        assert_eq!(fs::read_to_string(dir.path().join("agent/a.jar")).unwrap(), "aaa");
    }

    #[test]
    fn a_failed_making_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let failed = cache.provide("agent", QUIET, |work| {
            write(work)?;
            Err(SetupError::Interrupted)
        });
        assert!(matches!(failed, Err(SetupError::Interrupted)));
        let left: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["lock"]);
    }

    #[test]
    fn versions_that_nobody_used_for_long_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let [current, _, _, _] = ["agent-3", "agent-2", "agent-1", "android-28"]
            .map(|name| cache.provide(name, QUIET, write).unwrap());
        let long_ago = SystemTime::now() - 2 * RETIREMENT;
        for old in ["agent-3", "agent-1", "android-28"] {
            File::open(dir.path().join(old)).unwrap().set_modified(long_ago).unwrap();
        }
        cache.retire("agent-", &current);
        let is_there = |name: &str| cache.sound(name).is_some();
        assert!(is_there("agent-3") && is_there("agent-2") && is_there("android-28"));
        assert!(!is_there("agent-1"));
    }

    #[test]
    fn of_many_at_once_one_makes_and_all_get_it() {
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
                    cache.provide("agent", QUIET, make).unwrap();
                });
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }
}
