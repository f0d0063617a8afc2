//! What `retap explore` finds besides crashes, through the binary: on an app that is made of such faults, and on a
//! real APK.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Ran, fake, refuses, retap, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn explore(dir: &Path, more: &[&str]) -> Ran {
    let device = fake("losing.fake");
    let out = dir.display().to_string();
    let mut arguments = vec!["explore", "-d", &device, "-o", &out, "--seed", "1", "--json"];
    arguments.extend(["--max-events", "2000"]);
    arguments.extend(more);
    retap(&arguments)
}

/// Oracle and activity of everything that was found.
fn found(summary: &serde_json::Value) -> BTreeSet<(String, String)> {
    let none = Vec::new();
    let findings = summary["findings"].as_array().unwrap_or(&none);
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_string();
    let short = |name: String| name.rsplit('.').next().unwrap().to_string();
    findings.iter().map(|f| (word(&f["oracle"]), short(word(&f["activity"])))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    expected.iter().map(|(oracle, activity)| (oracle.to_string(), activity.to_string())).collect()
}

#[test]
fn every_oracle_finds_its_fault_and_no_other() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let ran = explore(&run, &[]);
    assert_eq!(ran.code, 0, "findings are hints, no crashes: {ran:?}");
    let summary = ran.json();
    // Neither the clock, nor the form that keeps all, nor the list that is scrolled.
    let expected = pairs(&[
        ("back", "TrapActivity"),
        ("background", "HiddenActivity"),
        ("layout", "TightActivity"),
        ("leak", "LeakActivity"),
        ("rotation", "HomeActivity"),
        ("rotation", "RotatedActivity"),
    ]);
    assert_eq!(found(&summary), expected, "{summary:#}");
    for finding in summary["findings"].as_array().unwrap() {
        let minimized = run.join(finding["minimized"].as_str().unwrap());
        let replayed = retap(&[
            "replay",
            &minimized.display().to_string(),
            "-d",
            &fake("losing.fake"),
            "--json",
        ]);
        assert_eq!(replayed.json()["faithful"]["successes"], 1, "{replayed:?}");
        assert_eq!(finding["success_rate"], 1.0, "{finding:#}");
    }
    let trap = summary["findings"].as_array().unwrap().iter().find(|f| f["oracle"] == "back");
    assert_eq!(trap.unwrap()["steps"][0], "tap \"Trap\"");
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("Other findings"), "{page}");
}

#[test]
fn oracles_change_neither_the_run_nor_each_other() {
    let temp = tempdir().unwrap();
    let run = |name: &str, more: &[&str]| explore(&temp.path().join(name), more).json();
    let (all, none) = (run("all", &[]), run("none", &["--oracle", "none"]));
    assert_eq!(all["digest"], none["digest"]);
    assert_eq!(found(&none), pairs(&[]));
    let two = run("two", &["--oracle", "back,leak", "--no-minimize"]);
    assert_eq!(found(&two), pairs(&[("back", "TrapActivity"), ("leak", "LeakActivity")]));
    refuses(&["explore", "-d", &fake("losing.fake"), "--oracle", "bark"], 2, &["rotation", "bark"]);
    let both = ["explore", "-d", &fake("losing.fake"), "--oracle", "all,leak"];
    refuses(&both, 2, &["stand alone"]);
}

#[test]
fn a_finding_is_minimised_for_what_it_was_kept_for() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let summary = explore(&run, &["--oracle", "rotation", "--no-minimize"]).json();
    let lost = &summary["findings"].as_array().unwrap()[0];
    let trace = run.join(lost["trace"].as_str().unwrap()).display().to_string();
    let out = temp.path().join("min").display().to_string();
    let ran = retap(&["minimize", &trace, "-d", &fake("losing.fake"), "-o", &out, "--json"]);
    let id = lost["id"].as_str().unwrap();
    assert_eq!(ran.json()["oracle"], format!("rotation:{id}"), "{ran:?}");
    assert!(ran.json()["events_after"].as_u64().unwrap() <= 4, "{ran:?}");
}

#[test]
fn a_property_that_does_not_hold_is_found_and_a_wrong_file_is_refused_with_its_place() {
    let temp = tempdir().unwrap();
    let rules = temp.path().join("rules.txt");
    let file = rules.display().to_string();
    fs::write(
        &rules,
        "# of the app that loses\n\
         \"the clock stands still\": when activity ClockActivity then #time text is \"0 s\"\n\
         when #agree is checked then #name\n",
    )
    .unwrap();
    let options = ["--oracle", "none", "--properties", &file];
    let ran = explore(&temp.path().join("run"), &options);
    assert_eq!(ran.code, 1, "a property is what the user demands: {ran:?}");
    let summary = ran.json();
    assert_eq!(found(&summary), pairs(&[("property", "ClockActivity")]));
    assert_eq!(summary["findings"][0]["message"], "Does not hold: the clock stands still");
    let steps = summary["findings"][0]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2, "open the clock and let it go on: {steps:?}");

    fs::write(&rules, "when #a then #b\n\nwhen #time text was \"0 s\" then never\n").unwrap();
    let place = format!("{file}:3:17: expected is, contains or matches, found \"was\"");
    let refused = ["explore", "-d", &fake("losing.fake"), "--properties", &file];
    refuses(&refused, 2, &[&place]);
}

#[test]
fn a_real_app_that_forgets_when_it_is_turned_is_told_so() {
    let temp = tempdir().unwrap();
    let apk = root().join("fixtures/notes.apk").display().to_string();
    let seed = temp.path().join("search.jsonl");
    // Search for something, so that there are results to lose.
    fs::write(
        &seed,
        concat!(
            r#"{"retap":"trace","version":1,"app":{"package":"dev.retap.fixture.notes","version":"1.0","sha256":""},"device":"embedded","api":34,"display":"1080x1920@480","world_seed":1,"abstraction":"layout"}"#,
            "\n{\"start\":1}\n",
            r#"{"event":{"tap":{"on":{"id":"search"}}}}"#,
            "\n",
            r#"{"event":{"text":{"on":{"on":{"id":"query"}},"text":"e"}}}"#,
            "\n",
            r#"{"event":{"tap":{"on":{"id":"go"}}}}"#,
            "\n",
        ),
    )
    .unwrap();
    let (out, seed) = (temp.path().join("run").display().to_string(), seed.display().to_string());
    let ran = retap(&[
        "explore",
        &apk,
        "--seed",
        "1",
        "--max-events",
        "3",
        "--seed-traces",
        &seed,
        "--oracle",
        "rotation,background",
        "--pictures",
        "0",
        "-o",
        &out,
        "--json",
    ]);
    let summary = ran.json();
    assert_eq!(found(&summary), pairs(&[("rotation", "SearchActivity")]), "{summary:#}");
    let steps = summary["findings"][0]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 5, "search for something, turn, turn back: {steps:?}");
}
