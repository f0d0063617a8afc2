//! Prepared apps that are kept, linked, damaged and healed.

use super::*;
use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;
use tempfile::TempDir;

const QUIET: Notify<'static> = &|_| {};

/// A cache with one prepared app of a folder `v4` and, added later, a folder `v4/counted`.
struct CacheWithApp {
    dir: TempDir,
}

impl CacheWithApp {
    fn new() -> Self {
        let cache = Self { dir: tempfile::tempdir().unwrap() };
        cache.prepare("first", |made| {
            fs::create_dir(made.join("v4")).unwrap();
            fs::write(made.join("v4/classes.jar"), "classes").unwrap();
        });
        cache.prepare("second", |made| {
            assert_eq!(fs::read_to_string(made.join("v4/classes.jar")).unwrap(), "classes");
            fs::create_dir(made.join("v4/counted")).unwrap();
            fs::write(made.join("v4/counted/units.table"), "units").unwrap();
        });
        cache
    }

    /// Links the cached files into a folder, has `make` add files there, and keeps them. Returns the remarks.
    fn prepare(&self, name: &str, make: impl FnOnce(&Path)) -> String {
        let mut app = self.app();
        let remarks = Mutex::new(String::new());
        let notify = |notice: Notice<'_>| {
            if let Notice::Remark(text) = notice {
                remarks.lock().unwrap().push_str(text);
            }
        };
        let made = self.dir.path().join(name);
        app.link_into(&made, &notify).unwrap();
        make(&made);
        app.keep_new_files(&made).unwrap();
        remarks.into_inner().unwrap()
    }

    fn app(&self) -> PreparedApp {
        PreparedApp::new(&self.dir.path().join("apps/agent-1"), "c0ffee")
    }

    fn cached(&self, name: &str) -> PathBuf {
        self.app().folder().join(name)
    }
}

#[test]
fn kept_files_are_linked_again() {
    let cache = CacheWithApp::new();
    let remarks = cache.prepare("third", |made| {
        let table = made.join("v4/counted/units.table");
        assert!(table.is_symlink());
        assert_eq!(fs::read_to_string(table).unwrap(), "units");
    });
    assert_eq!(remarks, "");
}

#[test]
fn kept_files_never_change_and_links_are_not_followed() {
    let cache = CacheWithApp::new();
    cache.prepare("third", |made| {
        fs::write(made.join("v4/new"), "in a folder that is kept").unwrap();
        fs::create_dir(made.join("v4/more")).unwrap();
        fs::write(made.join("v4/more/a"), "a").unwrap();
        symlink("/etc/passwd", made.join("v4/more/link")).unwrap();
        symlink("/etc", made.join("v4/folder")).unwrap();
    });
    assert!(!cache.cached("v4/new").exists());
    assert!(!cache.cached("v4/folder").exists());
    let more = fs::read_dir(cache.cached("v4/more")).unwrap();
    let mut names: Vec<_> = more.map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a", "inventory.txt"]);
}

#[test]
fn a_damaged_folder_is_made_again_with_a_remark() {
    let cut = |path: &Path| File::options().write(true).open(path).unwrap().set_len(3).unwrap();
    let edit = |path: &Path| {
        let size = fs::metadata(path).unwrap().len() as usize;
        fs::write(path, "x".repeat(size)).unwrap();
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(std::time::UNIX_EPOCH)
            .unwrap();
    };
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    let replace = |path: &Path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    };
    let damages: [&dyn Fn(&Path); 4] = [&cut, &edit, &remove, &replace];
    for damage in damages {
        for (file, folder) in [
            ("v4/classes.jar", "v4"),
            ("v4/inventory.txt", "v4"),
            ("v4/counted/units.table", "v4/counted"),
        ] {
            let cache = CacheWithApp::new();
            damage(&cache.cached(file));
            let remarks = cache.prepare("third", |made| {
                assert!(!made.join(folder).exists(), "{folder} is damaged");
                fs::create_dir(made.join(folder)).unwrap();
                fs::write(made.join(folder).join("again"), "whole").unwrap();
            });
            assert!(remarks.contains("has changed since it was made"), "{remarks}");
            assert!(cache.cached(folder).join("again").exists());
            assert_eq!(cache.prepare("fourth", |_| {}), "");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_made_again() {
    if rustix::process::geteuid().is_root() {
        return; // Root reads every file, and so does the agent.
    }
    let cache = CacheWithApp::new();
    fs::set_permissions(cache.cached("v4/classes.jar"), fs::Permissions::from_mode(0o000)).unwrap();
    let remarks = cache.prepare("third", |made| assert!(!made.join("v4").exists()));
    assert!(remarks.contains("has changed"), "{remarks}");
}

#[test]
fn what_a_killed_process_left_is_removed() {
    let cache = CacheWithApp::new();
    let half = [".making-x", "v4/.making-y"].map(|name| cache.cached(name));
    for folder in &half {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("classes.jar"), "cla").unwrap();
    }
    assert_eq!(cache.prepare("third", |made| assert!(!made.join(".making-x").exists())), "");
    assert!(half.iter().all(|folder| !folder.exists()));
}

#[test]
fn a_damaged_folder_that_stays_is_not_used() {
    let cache = CacheWithApp::new();
    fs::remove_file(cache.cached("v4/classes.jar")).unwrap();
    let mut app = cache.app();
    // A folder in the place of the lock makes every change of the cache fail.
    let lock = cache.dir.path().join("apps/agent-1/lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let made = cache.dir.path().join("third");
    app.link_into(&made, QUIET).unwrap();
    assert!(!made.join("v4").exists());
    assert!(app.keep_new_files(&made).is_err());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "two processes at once are tested")]
fn an_app_may_be_prepared_by_several_processes_at_once() {
    let cache = CacheWithApp::new();
    fs::remove_file(cache.cached("v4/classes.jar")).unwrap();
    std::thread::scope(|scope| {
        for name in ["a", "b", "c", "d"] {
            let cache = &cache;
            scope.spawn(move || {
                cache.prepare(name, |made| {
                    if !made.join("v4").exists() {
                        fs::create_dir(made.join("v4")).unwrap();
                        fs::write(made.join("v4/classes.jar"), "classes").unwrap();
                    }
                });
            });
        }
    });
    let remarks = cache.prepare("third", |made| {
        assert_eq!(fs::read_to_string(made.join("v4/classes.jar")).unwrap(), "classes");
    });
    assert_eq!(remarks, "");
}

#[test]
fn room_for_an_app_is_no_app() {
    let dir = tempfile::tempdir().unwrap();
    let mut app = PreparedApp::new(&dir.path().join("agent-1"), "hash");
    app.make_room();
    assert!(app.folder().is_dir());
    let made = dir.path().join("made");
    app.link_into(&made, QUIET).unwrap();
    assert_eq!(fs::read_dir(&made).unwrap().count(), 0);
    assert_eq!(app.find_whole(Path::new("v4")), None);
}
