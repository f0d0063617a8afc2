//! Tests the findings of `retap explore` on a fake with one fault for each oracle, and on a real APK.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{CommandOutput, assert_refused, fake, fixture, retap};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Explores the app with the faults.
fn explore(dir: &Path, more: &[&str]) -> CommandOutput {
    let device = fake("losing.fake");
    let out = dir.display().to_string();
    let mut arguments = vec!["explore", "-d", &device, "-o", &out, "--seed", "1", "--json"];
    arguments.extend(["--max-events", "2000"]);
    arguments.extend(more);
    retap(&arguments)
}

/// Returns each finding as `oracle in Activity`.
fn findings(summary: &Value) -> BTreeSet<String> {
    let none = Vec::new();
    let describe = |finding: &Value| {
        let text = |field: &str| finding[field].as_str().unwrap().to_string();
        let activity = text("activity");
        format!("{} in {}", text("oracle"), activity.rsplit('.').next().unwrap())
    };
    summary["findings"].as_array().unwrap_or(&none).iter().map(describe).collect()
}

fn set<const N: usize>(texts: [&str; N]) -> BTreeSet<String> {
    texts.map(str::to_string).into()
}

#[test]
fn each_oracle_finds_its_fault_and_reports_no_other() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let output = explore(&run, &[]);
    assert_eq!(output.code, 0, "findings do not change the exit code: {output:?}");
    let summary = output.json();
    // The clock, the form that keeps its values and the scrolled list are not among them, because they lose nothing.
    let expected = set([
        "back in TrapActivity",
        "background in HiddenActivity",
        "layout in TightActivity",
        "leak in LeakActivity",
        "rotation in HomeActivity",
        "rotation in RotatedActivity",
    ]);
    assert_eq!(findings(&summary), expected, "{summary:#}");
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
    let trap =
        summary["findings"].as_array().unwrap().iter().find(|finding| finding["oracle"] == "back");
    assert_eq!(trap.unwrap()["steps"][0], "tap \"Trap\"");
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("Other findings"), "{page}");
}

#[test]
fn oracles_do_not_influence_the_run_or_each_other() {
    let temp = tempdir().unwrap();
    let run = |name: &str, more: &[&str]| explore(&temp.path().join(name), more).json();
    let (all, none) = (run("all", &[]), run("none", &["--oracle", "none"]));
    assert_eq!(all["digest"], none["digest"]);
    assert_eq!(findings(&none), set([]));
    let two = run("two", &["--oracle", "back,leak", "--no-minimize"]);
    assert_eq!(findings(&two), set(["back in TrapActivity", "leak in LeakActivity"]));
    assert_refused(
        &["explore", "-d", &fake("losing.fake"), "--oracle", "bark"],
        2,
        &["rotation", "bark"],
    );
    let both = ["explore", "-d", &fake("losing.fake"), "--oracle", "all,leak"];
    assert_refused(&both, 2, &["cannot be combined"]);
}

#[test]
fn the_trace_of_a_finding_is_minimised_for_that_finding() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let summary = explore(&run, &["--oracle", "rotation", "--no-minimize"]).json();
    let finding = &summary["findings"].as_array().unwrap()[0];
    let trace = run.join(finding["trace"].as_str().unwrap()).display().to_string();
    let out = temp.path().join("min").display().to_string();
    let output = retap(&["minimize", &trace, "-d", &fake("losing.fake"), "-o", &out, "--json"]);
    let id = finding["id"].as_str().unwrap();
    assert_eq!(output.json()["oracle"], format!("rotation:{id}"), "{output:?}");
    // At most: open a form, type or tick, rotate, rotate back.
    assert!(output.json()["events_after"].as_u64().unwrap() <= 4, "{output:?}");
}

#[test]
fn a_broken_property_is_found_and_a_wrong_property_file_is_refused_with_line_and_column() {
    let temp = tempdir().unwrap();
    let rules = temp.path().join("rules.txt");
    let file = rules.display().to_string();
    fs::write(
        &rules,
        "# properties of losing.fake\n\
         \"the clock stands still\": when activity ClockActivity then #time text is \"0 s\"\n\
         when #agree is checked then #name\n",
    )
    .unwrap();
    let options = ["--oracle", "none", "--properties", &file];
    let output = explore(&temp.path().join("run"), &options);
    assert_eq!(output.code, 1, "the user demanded the property: {output:?}");
    let summary = output.json();
    assert_eq!(findings(&summary), set(["property in ClockActivity"]));
    assert_eq!(summary["findings"][0]["message"], "Does not hold: the clock stands still");
    let steps = summary["findings"][0]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2, "open the clock and wait: {steps:?}");

    fs::write(&rules, "when #a then #b\n\nwhen #time text was \"0 s\" then never\n").unwrap();
    let error = format!("{file}:3:17: expected is, contains or matches, found \"was\"");
    let refused = ["explore", "-d", &fake("losing.fake"), "--properties", &file];
    assert_refused(&refused, 2, &[&error]);
}

#[test]
fn a_real_app_that_loses_state_on_rotation_has_a_finding() {
    let temp = tempdir().unwrap();
    let apk = fixture("notes.apk");
    let seed = temp.path().join("search.jsonl");
    // A search gives results that the app can lose.
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
    let output = retap(&[
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
    let summary = output.json();
    assert_eq!(findings(&summary), set(["rotation in SearchActivity"]), "{summary:#}");
    let steps = summary["findings"][0]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 5, "search in three steps, rotate, rotate back: {steps:?}");
}
