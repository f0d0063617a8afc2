//! The flags of `retap test`, each by what it changes.

use super::{PACKAGE, ends, run_tests};
use crate::common::{fixture, retap};
use std::fs;
use tempfile::tempdir;

#[test]
fn several_devices_give_the_results_of_one_in_the_same_order() {
    let temp = tempdir().unwrap();
    let flags = ["-f", "OutcomesTest", "-f", "NoteTest", "--no-pictures"];
    let [one, two] = ["1", "2"].map(|jobs| {
        let dir = temp.path().join(jobs);
        let output = run_tests(&dir, &[&flags[..], &["-j", jobs]].concat());
        let json = output.json();
        let order: Vec<_> =
            json["results"].as_array().unwrap().iter().map(|it| it["test"].clone()).collect();
        (order, ends(&json), json["restarts"].clone(), json["coverage"].clone())
    });
    assert_eq!(one, two);
    assert_eq!(one.1.len(), 12);
}

#[test]
fn fail_fast_starts_no_test_after_a_failure_and_says_how_many_are_left() {
    let temp = tempdir().unwrap();
    for clean in ["each", "once"] {
        let flags = ["-f", "OutcomesTest", "--fail-fast", "--no-pictures", "--clean", clean];
        let output = run_tests(&temp.path().join(clean), &flags);
        let json = output.json();
        let all: Vec<_> =
            json["results"].as_array().unwrap().iter().map(|it| it["end"].clone()).collect();
        assert_eq!((output.code, &json["failed"]), (1, &1.into()), "{clean}: {output:?}");
        assert_eq!(all.last().unwrap(), "FAIL", "{clean}: {all:?}");
        assert_eq!(json["not_run"].as_u64().unwrap() as usize, 7 - all.len(), "{clean}: {json}");
    }
}

#[test]
fn the_time_limit_is_the_phone_s_and_a_retry_repeats_what_always_fails() {
    let temp = tempdir().unwrap();
    let short = ["-f", "OutcomesTest#sleepsHalfAMinute", "--timeout", "10s", "--no-pictures"];
    let late = run_tests(&temp.path().join("late"), &short);
    assert_eq!(late.json()["results"][0]["end"], "TIMEOUT", "{late:?}");
    let again = ["-f", "OutcomesTest#fails", "--retry", "2", "--no-pictures"];
    let retried = run_tests(&temp.path().join("retried"), &again);
    let json = retried.json();
    assert_eq!(json["results"][0]["attempts"].as_array().unwrap().len(), 3, "{json:#}");
    assert_eq!((retried.code, &json["flaky"]), (1, &0.into()), "{json:#}");
}

#[test]
fn arguments_reach_the_tests_and_those_of_the_orchestrator_do_no_harm() {
    let temp = tempdir().unwrap();
    let flags =
        ["-f", "ConditionsTest", "-e", "word", "wanderlust", "-e", "clearPackageData", "true"];
    let output = run_tests(&temp.path().join("run"), &flags);
    let ends = ends(&output.json());
    let expected = [
        ("ConditionsTest#argumentsArrive", "PASS"),
        ("ConditionsTest#assumesAnotherPhone", "SKIP"),
        ("ConditionsTest#assumesThatNothingWasThrown", "SKIP"),
        ("ConditionsTest#isCalledFlaky", "PASS"),
        ("ConditionsTest#isForThisPhone", "PASS"),
        ("ConditionsTest#needsAPhone", "PASS"),
    ];
    let expected = expected.map(|(test, end)| (test.to_owned(), end.to_owned()));
    // The runner itself leaves out what is for later phones and what is suppressed.
    assert_eq!(ends, expected.into_iter().collect(), "{output:?}");
    assert_eq!(output.code, 0);
}

#[test]
fn a_parameterised_test_is_selected_by_its_whole_name() {
    let temp = tempdir().unwrap();
    let output =
        run_tests(&temp.path().join("run"), &["-f", "wordsAreCounted[2]", "--no-pictures"]);
    let ends = ends(&output.json());
    assert_eq!(
        ends.into_iter().collect::<Vec<_>>(),
        [("ParameterTest#wordsAreCounted[2]".into(), "FAIL".into())]
    );
}

#[test]
fn the_terminal_and_the_files_tell_a_failure_alike() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let [app, tests] = ["notes.apk", "notes-test.apk"].map(fixture);
    let out = run.display().to_string();
    let output = retap(&[
        "test",
        &app,
        &tests,
        "-o",
        &out,
        "-f",
        "OutcomesTest#fails",
        "-f",
        "OutcomesTest#passes",
    ]);
    assert_eq!(output.code, 1, "{output:?}");
    for text in [
        "PASS [",
        &format!("FAIL {PACKAGE}.OutcomesTest#fails"),
        "java.lang.AssertionError: the sum expected:<5> but was:<4>",
        "at dev.retap.fixture.notes.OutcomesTest.fails(OutcomesTest.java:",
        "2 tests: 1 passed, 1 failed",
    ] {
        assert!(output.stdout.contains(text), "{text:?} is missing\n{output:?}");
    }
    assert!(!output.stdout.contains("org.junit.runners"), "{output:?}");
    let junit = fs::read_to_string(run.join("junit.xml")).unwrap();
    assert!(junit.contains("tests=\"2\"") && junit.contains("failures=\"1\""), "{junit}");
}
