//! Tests `retap test` with the fixture test APK: every outcome that a test can have, each as on a phone.
#![allow(clippy::unwrap_used)] // a test may panic

#[cfg(feature = "long-tests")]
mod appium;
mod bad_tests;
#[cfg(feature = "long-tests")]
mod compose;
mod flags;
mod traces;

use crate::common::{CommandOutput, assert_refused, fixture, retap};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const PACKAGE: &str = "dev.retap.fixture.notes";

fn run_tests(dir: &Path, flags: &[&str]) -> CommandOutput {
    let [app, tests] = ["notes.apk", "notes-test.apk"].map(fixture);
    let out = dir.display().to_string();
    retap(&[&["test", &app, &tests, "-o", &out, "--json", "-q"], flags].concat())
}

/// Returns how each test ended, by its class and method.
fn ends(json: &Value) -> BTreeMap<String, String> {
    let results = json["results"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let short = |name: String| name.replace(&format!("{PACKAGE}."), "");
    results.iter().map(|one| (short(text(&one["test"])), text(&one["end"]))).collect()
}

/// The tests that do not pass, and how they end on a phone.
const OTHERS: [(&str, &str); 24] = [
    ("BeforeFailsTest#neverRuns", "FAIL"),
    ("ConditionsTest#argumentsArrive", "SKIP"),
    ("ConditionsTest#assumesAnotherPhone", "SKIP"),
    ("ConditionsTest#assumesThatNothingWasThrown", "SKIP"),
    ("CrashTest#anEmptyQueryCrashes", "FAIL"),
    ("FatalTest#blocksTheMainThread", "TIMEOUT"),
    ("FatalTest#crashesAThread", "CRASH"),
    ("FatalTest#crashesTheMainThread", "CRASH"),
    ("FatalTest#exits", "EXIT"),
    ("FatalTest#hangs", "TIMEOUT"),
    ("FatalTest#kills", "EXIT"),
    ("FatalTest#spins", "TIMEOUT"),
    // A fling reaches the end of forty notes, which UI Automator answers with false.
    ("GestureTest#aListIsFlung", "FAIL"),
    // UI Automator 2.2 presses 400 ms, and a list waits for 500.
    ("GestureTest#aLongClickOpensTheContextMenu", "FAIL"),
    ("LegacyTest#testFails", "FAIL"),
    ("ListTest#aMissingNoteFails", "FAIL"),
    ("ListTest#aWrongTitleFails", "FAIL"),
    ("OutcomesTest#assumesTooMuch", "SKIP"),
    ("OutcomesTest#fails", "FAIL"),
    ("OutcomesTest#isIgnored", "IGNORED"),
    ("OutcomesTest#takesLongerThanItMay", "FAIL"),
    ("OutcomesTest#throwsAnException", "FAIL"),
    ("ParameterTest#wordsAreCounted[2]", "FAIL"),
    ("ShellTest#stoppingTheAppEndsTheTest", "EXIT"),
];

#[test]
fn every_test_ends_as_on_a_phone_and_failures_come_with_evidence() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let output = run_tests(&run, &["--timeout", "40s"]);
    assert_eq!(output.code, 1, "{output:?}");
    let json = output.json();
    crate::report::schemas::check("retap test", &json, "test");
    let ends = ends(&json);
    assert!(ends.len() >= 60, "only {} tests: {ends:?}", ends.len());
    let expected: BTreeMap<&str, &str> = OTHERS.into_iter().collect();
    for (test, end) in &ends {
        let wanted = expected.get(test.as_str()).copied().unwrap_or("PASS");
        assert_eq!(end, wanted, "{test}: {json:#}");
    }
    assert!(OTHERS.iter().all(|(test, _)| ends.contains_key(*test)), "{ends:?}");

    let read = |name: &str| fs::read_to_string(run.join(name)).unwrap();
    let stack = read("failures/OutcomesTest.fails/stack.txt");
    assert!(stack.contains("the sum expected:<5> but was:<4>"), "{stack}");
    assert!(stack.contains("OutcomesTest.fails(OutcomesTest.java:"), "{stack}");
    let late = read("failures/FatalTest.hangs/stack.txt");
    assert!(late.contains("FatalTest.hangs(FatalTest.java:"), "{late}");
    for stack in [stack, late, read("failures/OutcomesTest.takesLongerThanItMay/stack.txt")] {
        assert!(!stack.contains("dev.retap.agent") && !stack.contains("java.base"), "{stack}");
    }
    // The rule has closed the activity when the failure is reported; the screen is the one before.
    let failure = run.join("failures/ListTest.aWrongTitleFails");
    assert!(fs::read(failure.join("screen.png")).unwrap().starts_with(b"\x89PNG"));
    let screen = read("failures/ListTest.aWrongTitleFails/screen.json");
    assert!(screen.contains("EditorActivity") && screen.contains("Ideas"), "{screen}");

    // The test's taps are a trace of the app alone.
    let trace = read("failures/ListTest.aWrongTitleFails/trace.jsonl");
    assert!(trace.contains("\"tap\""), "{trace}");

    let junit = read("junit.xml");
    for text in ["ListTest\"", "<skipped", "type=\"CRASH\"", "type=\"TIMEOUT\"", "expected:&lt;5"] {
        assert!(junit.contains(text), "{text} is missing: {junit}");
    }
    let covered: Value = serde_json::from_str(&read("coverage-by-test.json")).unwrap();
    let methods = &covered[format!("{PACKAGE}.NoteTest#wordsAreCounted")];
    assert!(methods.to_string().contains("Note.words"), "{methods}");
    assert!(read("coverage.xml").contains("NotesActivity"));
}

#[test]
fn tests_of_a_library_use_fragments_intents_lists_drawers_and_a_server_of_their_own() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run").display().to_string();
    let output = retap(&[
        "test",
        &fixture("widgets-test.apk"),
        "-o",
        &run,
        "--json",
        "--no-pictures",
        "--api",
        "34",
    ]);
    let json = output.json();
    let fails = ["aClosedDrawerIsNotOpen", "whatNobodySharedIsMissed"];
    let mut passed = 0;
    for result in json["results"].as_array().unwrap() {
        let test = result["test"].as_str().unwrap();
        let method = test.rsplit('#').next().unwrap();
        let wanted =
            if method.ends_with("Fails") || fails.contains(&method) { "FAIL" } else { "PASS" };
        assert_eq!(result["end"], wanted, "{test}: {result:#}");
        passed += usize::from(wanted == "PASS");
    }
    assert_eq!((output.code, json["tests"].as_u64(), passed), (1, Some(26), 21));
}

#[test]
fn tests_are_selected_by_name_size_and_argument() {
    let [app, tests] = ["notes.apk", "notes-test.apk"].map(fixture);
    let list = |flags: &[&str]| {
        let output = retap(&[&["test", &app, &tests, "--list", "-q"], flags].concat());
        assert_eq!(output.code, 0, "{output:?}");
        output.stdout.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let small = list(&["--size", "small"]);
    let names = ["aNewNoteIsEmpty", "aTitleMakesANote"];
    assert_eq!(small.len(), 2, "{small:?}");
    assert!(names.iter().all(|name| small.contains(&format!("{PACKAGE}.NoteTest#{name}"))));
    let argument = list(&["-e", "class", &format!("{PACKAGE}.LegacyTest"), "-f", "Title"]);
    assert_eq!(argument, [format!("{PACKAGE}.LegacyTest#testTitle")]);
}

#[test]
fn a_clean_install_before_each_test_is_the_default_and_once_is_one_process() {
    let temp = tempdir().unwrap();
    let each = run_tests(&temp.path().join("each"), &["-f", "CleanTest"]);
    assert_eq!((each.code, &each.json()["restarts"]), (0, &2.into()), "{each:?}");
    let once = run_tests(
        &temp.path().join("once"),
        &[
            "-f",
            "CleanTest",
            "-f",
            "FatalTest#exits",
            "-f",
            "NoteTest",
            "--clean",
            "once",
            "--no-pictures",
        ],
    );
    let ends = ends(&once.json());
    let clean = ["CleanTest#first", "CleanTest#second"].map(|name| ends[name].as_str());
    assert!(clean.contains(&"PASS") && clean.contains(&"FAIL"), "{ends:?}");
    // The tests after the one that ended the process run in another one.
    assert_eq!(ends["FatalTest#exits"], "EXIT");
    assert_eq!(
        ends.iter().filter(|(name, end)| name.contains("NoteTest") && *end == "PASS").count(),
        5
    );
}

#[test]
fn a_flaky_test_is_found_with_the_world_in_which_it_always_fails() {
    let temp = tempdir().unwrap();
    let worlds = run_tests(
        &temp.path().join("worlds"),
        &["-f", "FlakyTest", "--worlds", "150", "--no-pictures"],
    );
    assert_eq!(worlds.code, 1, "{worlds:?}");
    let json = worlds.json();
    let flakiness = &json["results"][0]["flakiness"];
    let failures = flakiness["failures"]["successes"].as_u64().unwrap();
    // One order of workers in 42 fails: 3.6 of 150 worlds on average, and more than 12 in none of a million runs.
    assert!((1..=12).contains(&failures), "{flakiness}");
    assert_eq!(json["flaky"], 1);
    let parting = json["results"][0]["parting"].to_string();
    assert!(parting.contains("FlakyTest"), "{parting}");
    let seed = flakiness["failing_seed"].as_u64().unwrap().to_string();
    let again = run_tests(
        &temp.path().join("again"),
        &["-f", "FlakyTest", "--world-seed", &seed, "--no-pictures"],
    );
    assert_eq!(again.code, 1, "world {seed} does not fail again: {again:?}");
    let retried = run_tests(
        &temp.path().join("retried"),
        &["-f", "FlakyTest", "--world-seed", &seed, "--retry", "2", "--no-pictures"],
    );
    assert_eq!((retried.code, &retried.json()["flaky"]), (0, &1.into()), "{retried:?}");
}

#[test]
fn an_update_runs_the_tests_of_changed_code_first_and_names_the_broken_one() {
    let [old, new, tests] = ["shop-1.apk", "shop-2.apk", "shop-test.apk"].map(fixture);
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let out = run.display().to_string();
    let flags = ["--max-events", "1", "--no-compare", "--no-minimize", "--json", "-q"];
    let update =
        retap(&[&["update", &old, &new, "--tests", &tests, "-o", &out], &flags[..]].concat());
    assert_eq!(update.code, 1, "{update:?}");
    let json = update.json();
    let all = json["tests"]["tests"].as_array().unwrap();
    let rows: Vec<_> = all
        .iter()
        .map(|one| {
            let class = one["test"].as_str().unwrap().split('#').next().unwrap().to_owned();
            (class.rsplit('.').next().unwrap().to_owned(), one["affected"].as_bool().unwrap())
        })
        .collect();
    // A member's discount is lost; nothing of the settings has changed.
    let expected = [("PricesTest", true); 3].into_iter().chain([("SettingsTest", false); 2]);
    let expected: Vec<_> = expected.map(|(class, first)| (class.to_owned(), first)).collect();
    assert_eq!(rows, expected, "{json:#}");
    let is_broken = |one: &&Value| one["broken"] == true;
    let broken: Vec<_> = all.iter().filter(is_broken).collect();
    assert_eq!(broken.len(), 1, "{json:#}");
    assert!(broken[0]["test"].as_str().unwrap().ends_with("#aMemberPaysATenthLess"));
    assert_eq!((&broken[0]["old"], &broken[0]["new"]), (&"PASS".into(), &"FAIL".into()));
    let failures = run.join("tests-new/failures/PricesTest.aMemberPaysATenthLess");
    assert!(fs::read_to_string(failures.join("stack.txt")).unwrap().contains("expected:<585>"));

    // The old version's tests are a run to choose from.
    let suite = temp.path().join("few").display().to_string();
    let runs = run.join("tests-old").display().to_string();
    let few = retap(&["reduce", &runs, "-o", &suite, "--units", "method", "--json", "-q"]);
    let few = few.json();
    assert_eq!(few["is_smallest"], true, "{few:#}");
    let chosen = few["chosen"].as_array().unwrap().len();
    assert!((1..5).contains(&chosen), "{few:#}");
    let only = format!("{suite}/tests.txt");
    let list = retap(&["test", &old, &tests, "--only", &only, "--list", "-q"]);
    assert_eq!(list.stdout.lines().count(), chosen, "{list:?}");
}

#[test]
fn input_that_has_no_tests_for_the_app_is_refused_with_the_reason() {
    let [app, tests, other] = ["notes.apk", "notes-test.apk", "shop-1.apk"].map(fixture);
    assert_refused(&["test", &app, &other], 2, &["declares no instrumentation"]);
    assert_refused(&["test", &app], 2, &["declares no instrumentation", "test APK second"]);
    assert_refused(&["test", &tests, &app], 2, &["give the app first"]);
    assert_refused(&["test", &other, &tests], 2, &["its tests are for dev.retap.fixture.notes"]);
    assert_refused(&["test", &app, &tests, "--runner", "Nobody"], 2, &["no runner Nobody"]);
    assert_refused(
        &["test", &app, &tests, "-f", "nothing like it"],
        2,
        &["--filter and --only select"],
    );
}
