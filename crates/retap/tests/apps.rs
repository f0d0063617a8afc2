//! Apps that nobody here wrote, as their authors built them between 2012 and 2025: each is explored with
//! two thousand random events, and shorter on an old, a middle and a new Android. They come from npm, where
//! they are published for tests of other tools.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test may panic, and its figures help in a log

mod common;

use common::{Ran, retap};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use tempfile::tempdir;

const MANY: u32 = 2_000;
const FEW: u32 = 60;

struct Published {
    package: &'static str,
    /// Inside the npm package.
    file: &'static str,
    /// Its lowest level; below it the app is refused.
    min_api: u32,
    /// Many events here, few at the others of 23, 28 and 35.
    api: u32,
    /// Least number of states; an app that closes itself at once has one.
    states: u64,
}

#[test]
fn contact_manager_of_2012_is_explorable() {
    explore(&Published {
        package: "sample-apps@2.0.4",
        file: "pre-built/ContactManager.apk",
        min_api: 1,
        api: 23,
        states: 10,
    });
}

#[test]
fn selendroid_test_app_of_2013_is_explorable() {
    explore(&Published {
        package: "sample-apps@2.0.4",
        file: "pre-built/selendroid-test-app.apk",
        min_api: 1,
        api: 28,
        states: 30,
    });
}

#[test]
fn api_demos_of_2016_is_explorable() {
    explore(&Published {
        package: "android-apidemos@1.1.2",
        file: "bin/ApiDemos-debug.apk",
        min_api: 1,
        api: 23,
        states: 50,
    });
}

#[test]
fn api_demos_of_2018_is_explorable() {
    explore(&Published {
        package: "android-apidemos@3.0.0",
        file: "apks/ApiDemos-debug.apk",
        min_api: 1,
        api: 28,
        states: 50,
    });
}

#[test]
fn api_demos_of_2025_is_explorable() {
    explore(&Published {
        package: "android-apidemos@5.0.0",
        file: "apks/ApiDemos-debug.apk",
        min_api: 1,
        api: 35,
        states: 50,
    });
}

#[test]
fn settings_of_2025_starts_its_service_and_closes_itself() {
    explore(&Published {
        package: "io.appium.settings@8.0.10",
        file: "apks/settings_apk-debug.apk",
        min_api: 26,
        api: 35,
        states: 1,
    });
}

fn explore(app: &Published) {
    let apk = published(app);
    for api in [23, 28, 35] {
        let events = if api == app.api { MANY } else { FEW };
        let run = tempdir().unwrap();
        let ran = explore_at(&apk, api, events, run.path());
        if api < app.min_api {
            assert_eq!(ran.code, 2, "{ran:?}");
            let needed = format!("needs API level {}", app.min_api);
            assert!(ran.stderr.contains(&needed), "{ran:?}");
            continue;
        }
        let summary = ran.json();
        eprintln!("{} at {api}: {}", app.file, figures(&summary));
        let crashes = summary["crashes"].as_array().unwrap();
        assert_eq!(ran.code, i32::from(!crashes.is_empty()), "{ran:?}");
        assert_eq!(summary["events"], events, "{ran:?}");
        assert_eq!(summary["cost"]["devices_lost"], 0, "{ran:?}");
        for crash in crashes {
            let id = crash["id"].as_str().unwrap();
            let stack = run.path().join("run/crashes").join(id).join("stack.txt");
            is_the_apps(&fs::read_to_string(stack).unwrap());
        }
        if events == MANY {
            assert!(summary["states"].as_u64().unwrap() >= app.states, "{ran:?}");
        }
    }
}

fn explore_at(apk: &Path, api: u32, events: u32, folder: &Path) -> Ran {
    let [apk, out] = [apk, &folder.join("run")].map(|path| path.display().to_string());
    let (api, events) = (api.to_string(), events.to_string());
    let chosen = ["--api", &api, "--max-events", &events, "--seed", "1", "--strategy", "random"];
    let bare = ["--no-minimize", "--pictures", "0", "-o", &out, "--json"];
    retap(&[&["explore", apk.as_str()], &chosen[..], &bare[..]].concat())
}

/// What fails in the embedded device itself is a host limitation, never a crash.
fn is_the_apps(stack: &str) {
    let cause = stack.rfind("Caused by: ").map_or(stack, |at| &stack[at..]);
    assert!(!cause.contains("UnsatisfiedLinkError"), "{stack}");
    let thrown_by = cause.lines().map(str::trim_start).find_map(|line| line.strip_prefix("at "));
    let host = |name: &str| name.starts_with("org.robolectric.") || name.starts_with("dev.retap.");
    assert!(!thrown_by.is_some_and(host), "{stack}");
}

fn figures(summary: &Value) -> String {
    ["events", "states", "activities", "restarts", "host_limitations", "events_per_second"]
        .map(|name| format!("{name} {}", summary[name]))
        .join(", ")
}

/// The APK, fetched once and kept beside what Cargo builds.
fn published(app: &Published) -> PathBuf {
    static FETCHING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = FETCHING.lock();
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm");
    let home = store.join(app.package.replace('@', "-"));
    if !home.exists() {
        fs::create_dir_all(&store).unwrap();
        let work = tempfile::tempdir_in(&store).unwrap();
        let packed = run(Command::new("npm").args(["pack", "--silent", app.package]), work.path());
        let archive = packed.lines().last().unwrap_or_default().trim();
        run(Command::new("tar").args(["-xzf", archive]), work.path());
        // Whole or not at all: what is there is believed.
        fs::rename(work.path().join("package"), &home).unwrap();
    }
    home.join(app.file)
}

fn run(command: &mut Command, folder: &Path) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(folder).output().unwrap_or_else(|error| {
        panic!("{program} is needed to fetch this test's apps: {error}; .ci/run installs it")
    });
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed; is there a network?\n{error}");
    String::from_utf8(output.stdout).unwrap()
}
