//! `retap report`, and the reports that other verbs leave, through the binary.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{fake, refuses, retap};
use std::fs;
use tempfile::tempdir;

#[test]
fn exploring_and_minimising_leave_a_report_that_can_be_written_again() {
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
    for twin in ["junit", "sarif"] {
        assert!(
            fs::read_to_string(json[twin].as_str().unwrap()).unwrap().contains(&crash),
            "{twin}"
        );
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
    refuses(&["report", temp.path().to_str().unwrap()], 2, &["holds no run", "run.json"]);
    refuses(&["report", "no/such/directory"], 2, &["holds no run"]);
}
