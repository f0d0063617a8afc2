//! What a failing test did is a trace of the app alone, which every other verb takes.

use super::run_tests;
use crate::common::{fixture, retap, root};
use std::fs;
use tempfile::tempdir;

const CRASH: &str = "java.lang.StringIndexOutOfBoundsException";

#[test]
fn the_trace_of_a_crashing_test_is_replayed_minimized_and_exported() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let tested = run_tests(&run, &["-f", "CrashTest#anEmptyQueryCrashes"]);
    // As on a phone, Espresso catches what a handler throws while it clicks.
    assert_eq!(tested.json()["results"][0]["end"], "FAIL", "{tested:?}");
    let failure = run.join("failures/CrashTest.anEmptyQueryCrashes").display().to_string();
    let trace = format!("{failure}/trace.jsonl");
    let app = fixture("notes.apk");

    let replayed = retap(&["replay", &trace, &app, "--runs", "2", "--json", "-q"]);
    assert_eq!(replayed.code, 1, "{replayed:?}");
    assert!(replayed.stdout.contains(CRASH), "{replayed:?}");

    let out = temp.path().join("small").display().to_string();
    let minimized = retap(&["minimize", &failure, &app, "-o", &out, "--json", "-q"]);
    assert_eq!(minimized.json()["success"]["value"], 1.0, "{minimized:?}");
    let small = format!("{out}/minimized.jsonl");
    let steps = fs::read_to_string(&small).unwrap();
    let events = steps.lines().filter(|line| line.starts_with("{\"event\"")).count();
    assert_eq!(events, 2, "{steps}");

    for format in ["adb", "maestro", "uiautomator2", "espresso"] {
        let exported = retap(&["export", &small, "--to", format]);
        assert_eq!(exported.code, 0, "{exported:?}");
        assert!(exported.stdout.contains("dev.retap.fixture.notes"), "{exported:?}");
    }
}

#[test]
fn an_exported_espresso_test_crashes_the_app_as_its_trace_did() {
    // The fixture is what the export writes, compiled with the real libraries.
    let source = root().join("fixtures/src/exported-test");
    let trace = source.join("crash.jsonl").display().to_string();
    let exported = retap(&["export", &trace, "--to", "espresso"]);
    let compiled = fs::read_to_string(source.join("RetapTest.java")).unwrap();
    assert_eq!(exported.stdout.trim(), compiled.trim());

    let temp = tempdir().unwrap();
    let run = temp.path().join("run").display().to_string();
    let [app, tests] = ["notes.apk", "exported-test.apk"].map(fixture);
    let output = retap(&["test", &app, &tests, "-o", &run, "--json", "-q", "--no-pictures"]);
    let json = output.json();
    assert_eq!((output.code, &json["tests"]), (1, &1.into()), "{output:?}");
    assert_eq!(json["results"][0]["end"], "FAIL", "{output:?}");
    let stack = json["results"][0].to_string();
    assert!(stack.contains(CRASH) && stack.contains("SearchActivity.capitalised"), "{stack}");
}
