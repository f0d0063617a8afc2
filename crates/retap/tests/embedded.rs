//! `retap explore` and `replay` on the embedded device, through the binary: a real APK, no phone.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Ran, retap, root};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn explore(dir: &Path) -> Ran {
    let apk = root().join("fixtures/notes.apk").display().to_string();
    let out = dir.display().to_string();
    retap(&[
        "explore",
        &apk,
        "--seed",
        "5",
        "--max-events",
        "120",
        "--no-minimize",
        "--pictures",
        "3",
        "-o",
        &out,
        "--json",
    ])
}

#[test]
fn an_unmodified_app_is_explored_and_the_same_seed_gives_the_same_run() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    let (first, second) = (explore(&one), explore(&two));
    assert!(first.code <= 1, "{first:?}");
    let json = first.json();
    assert_eq!(json["events"], 120, "{json}");
    assert!(json["states"].as_u64().unwrap() >= 10, "{json}");
    assert!(json["activities"].as_u64().unwrap() >= 2, "{json}");
    assert_eq!(json["digest"], second.json()["digest"]);
    let trace = |dir: &Path| fs::read(dir.join("trace.jsonl")).unwrap();
    assert!(trace(&one) == trace(&two), "the traces differ");

    let pictures: Vec<_> = fs::read_dir(one.join("screens"))
        .unwrap()
        .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
        .collect();
    assert_eq!(pictures.len(), 3);
    assert!(fs::read(&pictures[0]).unwrap().starts_with(b"\x89PNG"));

    // The run knows its APK, so a trace of it replays without naming one.
    let name = format!("{}#1", one.join("trace.jsonl").display());
    let replayed = retap(&["replay", &name, "--json"]);
    assert_eq!(replayed.json()["faithful"]["successes"], 1, "{replayed:?}");
}

#[test]
fn two_processes_see_the_same_whatever_else_the_machine_does() {
    let temp = tempdir().unwrap();
    let out = temp.path().display().to_string();
    let apps = ["modern", "flaky"].map(|name| format!("fixtures/{name}.apk"));
    let apps = apps.map(|apk| root().join(apk).display().to_string());
    let [modern, flaky] = &apps;
    let flags = ["--events", "40", "--runs", "2", "--load", "2", "-o", &out, "--json"];
    let ran = retap(&[&["bench", "device", modern, flaky][..], &flags].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    for measured in ran.json()["measured"].as_array().unwrap() {
        let digests: Vec<_> = (0..2).map(|run| measured["runs"][run]["digest"].clone()).collect();
        assert_eq!(digests[0], digests[1], "{measured}");
        assert!(measured["events_saved"].as_u64().unwrap() > 0, "{measured}");
    }
    let seen = |run: u8| fs::read(temp.path().join(format!("flaky-{run}.txt"))).unwrap();
    assert!(seen(1) == seen(2), "what was kept of the runs differs");
}
