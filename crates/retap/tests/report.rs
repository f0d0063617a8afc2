//! Tests `retap report` and the reports that `explore` and `minimize` write.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{assert_refused, fake, retap};
use std::fs;
use tempfile::tempdir;

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
        "2000",
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
