//! Explores third-party apps as their authors built them between 2012 and 2025.
//!
//! Each app gets twelve hundred events at one API level, and fewer events at an old, a middle and a new level.
//! The apps come from npm, where they are published for the tests of other tools.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test may panic, and its figures help in a log

use crate::common::{CommandOutput, retap};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use tempfile::tempdir;

const LONG_RUN: u32 = 1_200;
const SHORT_RUN: u32 = 60;
/// Levels with an old, a middle and a new Android framework.
const API_LEVELS: [u32; 3] = [23, 28, 35];

/// An app that is published as a file of an npm package.
struct PublishedApp {
    package: &'static str,
    /// The path of the APK inside the npm package.
    file: &'static str,
    /// The lowest API level of the app. retap refuses to run the app below it.
    min_api: u32,
    /// The API level of the long run; the runs at the other levels are short.
    long_run_api: u32,
    /// The least number of states of the long run. It only has to show that the run gets past the first screens.
    /// An app that closes itself at once has one state.
    min_states: u64,
}

#[test]
fn contact_manager_of_2012_can_be_explored() {
    explore(&PublishedApp {
        package: "sample-apps@2.0.4",
        file: "pre-built/ContactManager.apk",
        min_api: 1,
        long_run_api: 23,
        min_states: 10,
    });
}

#[test]
fn selendroid_test_app_of_2013_can_be_explored() {
    explore(&PublishedApp {
        package: "sample-apps@2.0.4",
        file: "pre-built/selendroid-test-app.apk",
        min_api: 1,
        long_run_api: 28,
        min_states: 30,
    });
}

#[test]
fn api_demos_of_2016_can_be_explored() {
    explore(&PublishedApp {
        package: "android-apidemos@1.1.2",
        file: "bin/ApiDemos-debug.apk",
        min_api: 1,
        long_run_api: 23,
        min_states: 50,
    });
}

#[test]
fn api_demos_of_2018_can_be_explored() {
    explore(&PublishedApp {
        package: "android-apidemos@3.0.0",
        file: "apks/ApiDemos-debug.apk",
        min_api: 1,
        long_run_api: 28,
        min_states: 50,
    });
}

#[test]
fn api_demos_of_2025_can_be_explored() {
    explore(&PublishedApp {
        package: "android-apidemos@5.0.0",
        file: "apks/ApiDemos-debug.apk",
        min_api: 1,
        long_run_api: 35,
        min_states: 50,
    });
}

#[test]
fn appium_settings_of_2025_runs_although_its_activity_closes_itself() {
    explore(&PublishedApp {
        package: "io.appium.settings@8.0.10",
        file: "apks/settings_apk-debug.apk",
        min_api: 26,
        long_run_api: 35,
        min_states: 1,
    });
}

/// Explores the app at every API level and checks each run.
fn explore(app: &PublishedApp) {
    let apk = fetch_apk(app);
    for api in API_LEVELS {
        let events = if api == app.long_run_api { LONG_RUN } else { SHORT_RUN };
        let run = tempdir().unwrap();
        let output = explore_at(&apk, api, events, run.path());
        if api < app.min_api {
            assert_eq!(output.code, 2, "{output:?}");
            let reason = format!("needs API level {}", app.min_api);
            assert!(output.stderr.contains(&reason), "{output:?}");
            continue;
        }
        let summary = output.json();
        eprintln!("{} at API level {api}: {}", app.file, format_figures(&summary));
        let crashes = summary["crashes"].as_array().unwrap();
        assert_eq!(output.code, i32::from(!crashes.is_empty()), "{output:?}");
        assert_eq!(summary["events"], events, "{output:?}");
        assert_eq!(summary["cost"]["devices_lost"], 0, "{output:?}");
        for crash in crashes {
            let id = crash["id"].as_str().unwrap();
            let stack = run.path().join("run/crashes").join(id).join("stack.txt");
            assert_thrown_by_app(&fs::read_to_string(stack).unwrap());
        }
        if events == LONG_RUN {
            assert!(summary["states"].as_u64().unwrap() >= app.min_states, "{output:?}");
        }
    }
}

fn explore_at(apk: &Path, api: u32, events: u32, folder: &Path) -> CommandOutput {
    let [apk, out] = [apk, &folder.join("run")].map(|path| path.display().to_string());
    let (api, events) = (api.to_string(), events.to_string());
    let settings = ["--api", &api, "--max-events", &events, "--seed", "1", "--strategy", "random"];
    let minimal_output = ["--no-minimize", "--pictures", "0", "-o", &out, "--json"];
    retap(&[&["explore", apk.as_str()], &settings[..], &minimal_output[..]].concat())
}

/// Asserts that the app caused the crash. A failure of the embedded device itself must be reported as a host
/// limitation, never as a crash.
fn assert_thrown_by_app(stack: &str) {
    let cause = stack.rfind("Caused by: ").map_or(stack, |at| &stack[at..]);
    assert!(!cause.contains("UnsatisfiedLinkError"), "{stack}");
    let top_frame = cause.lines().map(str::trim_start).find_map(|line| line.strip_prefix("at "));
    let is_host =
        |frame: &str| frame.starts_with("org.robolectric.") || frame.starts_with("dev.retap.");
    assert!(!top_frame.is_some_and(is_host), "{stack}");
}

fn format_figures(summary: &Value) -> String {
    ["events", "states", "activities", "restarts", "host_limitations", "events_per_second"]
        .map(|name| format!("{name} {}", summary[name]))
        .join(", ")
}

fn fetch_apk(app: &PublishedApp) -> PathBuf {
    fetch_package(app.package).join(app.file)
}

/// Returns the folder of an npm package. Fetches it once and keeps it in Cargo's target folder.
pub fn fetch_package(package: &str) -> PathBuf {
    static FETCH: Mutex<()> = Mutex::new(());
    let _one_fetch_at_a_time = FETCH.lock();
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm");
    let package_folder = store.join(package.replace('@', "-"));
    if !package_folder.exists() {
        fs::create_dir_all(&store).unwrap();
        let download = tempfile::tempdir_in(&store).unwrap();
        let printed = run(Command::new("npm").args(["pack", "--silent", package]), download.path());
        let archive = printed.lines().last().unwrap_or_default().trim();
        run(Command::new("tar").args(["-xzf", archive]), download.path());
        // The folder appears complete or not at all, because later runs use it without a check.
        fs::rename(download.path().join("package"), &package_folder).unwrap();
    }
    package_folder
}

/// Runs a command in a folder and returns its standard output.
fn run(command: &mut Command, folder: &Path) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(folder).output().unwrap_or_else(|error| {
        panic!("{program} is needed to fetch this test's apps: {error}; .ci/run installs it")
    });
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed; is there a network?\n{error}");
    String::from_utf8(output.stdout).unwrap()
}
