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
