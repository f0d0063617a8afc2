//! Tests `retap report` and the reports that `explore` and `minimize` write.
#![allow(clippy::unwrap_used)] // a test may panic

pub mod schemas;

use crate::common::{CommandOutput, assert_refused, fake, retap};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn explore(run: &Path, app: &str, seed: &str, events: &str) -> CommandOutput {
    let (device, run) = (fake(app), run.display().to_string());
    retap(&["explore", "-d", &device, "--seed", seed, "--max-events", events, "-o", &run, "-q"])
}

#[test]
fn runs_are_joined_compared_and_annotated() {
    let temp = tempdir().unwrap();
    let [first, second, joined] = ["first", "second", "joined"].map(|name| temp.path().join(name));
    explore(&first, "notes.fake", "7", "700");
    explore(&second, "notes.fake", "8", "200");
    let [first, second, joined] = [first, second, joined].map(|path| path.display().to_string());
    let report = retap(&["report", &first, &second, "-o", &joined, "--json"]);
    assert_eq!(report.code, 0, "{report:?}");
    let page = fs::read_to_string(report.json()["html"].as_str().unwrap()).unwrap();
    assert!(page.contains("id=\"runs\"") && page.contains(">900<"), "{page:.300}");
    let compared = retap(&["report", &first, "--earlier", &second]);
    assert_eq!(compared.code, 0, "{compared:?}");
    let page = fs::read_to_string(format!("{first}/report.html")).unwrap();
    assert!(page.contains("Since the earlier run") && page.contains("still there"), "{page:.300}");
    let annotated = retap(&["report", &first, "--github"]);
    assert!(
        annotated.stdout.contains("::error file=dev/retap/demo/notes/Note.java,line=31,title="),
        "{annotated:?}"
    );
    assert_refused(
        &["report", &first, "--sources", "no/such/folder"],
        2,
        &["--sources", "no/such/folder"],
    );
}

#[test]
fn explore_and_minimize_write_a_report_and_report_writes_the_same_again() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let run = run.to_str().unwrap();
    let device = fake("notes.fake");
    let explored = retap(&[
        "explore",
        "-d",
        &device,
        "--seed",
        "7",
        "--max-events",
        "700",
        "-o",
        run,
        "--json",
    ]);
    assert_eq!(explored.code, 1, "{explored:?}");
    let crash = explored.json()["crashes"][0]["id"].as_str().unwrap().to_string();
    let page = fs::read_to_string(format!("{run}/report.html")).unwrap();
    assert!(page.contains(&format!("id=\"crash-{crash}\"")), "{crash}");

    fs::remove_file(format!("{run}/report.html")).unwrap();
    let again = retap(&["report", run, "--json"]);
    assert_eq!(again.code, 0, "{again:?}");
    let json = again.json();
    assert_eq!(fs::read_to_string(json["html"].as_str().unwrap()).unwrap(), page);
    for format in ["junit", "sarif"] {
        let text = fs::read_to_string(json[format].as_str().unwrap()).unwrap();
        assert!(text.contains(&crash), "{format} does not name crash {crash}:\n{text}");
    }

    let out = temp.path().join("min");
    let out = out.to_str().unwrap();
    let trace = format!("{run}/crashes/{crash}/trace.jsonl");
    let minimized = retap(&["minimize", &trace, "-d", &device, "-o", out]);
    assert_eq!(minimized.code, 1, "{minimized:?}");
    let page = fs::read_to_string(format!("{out}/report.html")).unwrap();
    assert!(page.contains("Size of the best answer"));
}

#[test]
fn a_directory_without_a_run_is_refused() {
    let temp = tempdir().unwrap();
    assert_refused(&["report", temp.path().to_str().unwrap()], 2, &["holds no run", "run.json"]);
    assert_refused(&["report", "no/such/directory"], 2, &["holds no run"]);
}
