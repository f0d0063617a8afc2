//! `retap bench explore`.

use crate::common::{assert_refused, fake, retap};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

#[test]
fn bench_explore_says_which_known_crashes_were_found_and_when() {
    let temp = tempdir().unwrap();
    let [out, known] = ["bench", "known.tsv"].map(|name| temp.path().join(name));
    let lines = "# app\texception\tframe\nnotes\tStringIndexOutOfBoundsException\tNote.initial\n\
                 notes\tNullPointerException\tNowhere.never\nother\tError\tA.b\n";
    fs::write(&known, lines).unwrap();
    let [out, known] = [out, known].map(|path| path.display().to_string());
    let app = fake("notes.fake");
    let mut arguments = vec!["bench", "explore", "--apps", &app, "--strategies", "auto", "--json"];
    arguments.extend(["--runs", "2", "--max-events", "400", "-o", &out, "--known", &known]);
    let output = retap(&arguments);
    let results = output.json();
    let [found, missed] = &results["known"].as_array().unwrap()[..] else { panic!("{output:?}") };
    let after = found["found_after"].as_array().unwrap();
    assert!(!after.is_empty() && after.iter().all(|events| events.as_u64().unwrap() <= 400));
    assert_eq!(missed["found_after"], serde_json::json!([]));
    let text = fs::read_to_string(Path::new(&out).join("results.md")).unwrap();
    assert!(text.contains("## Known crashes"), "{text}");
    fs::write(&known, "notes\n").unwrap();
    assert_eq!(retap(&arguments).code, 2);
}

#[test]
fn bench_explore_compares_strategies_and_keeps_finished_runs() {
    let temp = tempdir().unwrap();
    let out = temp.path().join("bench").display().to_string();
    let app = fake("vault.fake");
    let arguments = [
        "bench",
        "explore",
        "--apps",
        &app,
        "--strategies",
        "random",
        "auto:without=walk",
        "--runs",
        "3",
        "--max-events",
        "300",
        "-o",
        &out,
        "--json",
    ];
    let first = retap(&arguments);
    assert_eq!(first.code, 0, "{first:?}");
    let json = first.json();
    assert_eq!(json["measured"].as_array().unwrap().len(), 6);
    assert_eq!(json["comparisons"][0]["ours"], "auto:without=walk");
    let page = std::fs::read_to_string(format!("{out}/report.html")).unwrap();
    // A browser puts what follows an open element inside it, where it is not drawn.
    assert_eq!(page.matches("<line").count(), page.matches("</line>").count());
    for file in ["results.csv", "results.md", "results.json", "report.html"] {
        assert!(Path::new(&out).join(file).exists(), "{file}");
    }
    let trace = Path::new(&out).join("runs/vault/random/1/trace.jsonl");
    let first_written = fs::metadata(&trace).unwrap().modified().unwrap();
    let second = retap(&arguments);
    assert_eq!(first.json()["measured"], second.json()["measured"]);
    assert_eq!(fs::metadata(&trace).unwrap().modified().unwrap(), first_written);
    let fewer_events = arguments.map(|argument| if argument == "300" { "200" } else { argument });
    assert_eq!(
        retap(&fewer_events).json()["measured"][0]["events"],
        200,
        "other limits need other runs"
    );
    assert_refused(
        &["bench", "explore", "--apps", &app, "--strategies", "clever", "-o", &out],
        2,
        &["clever"],
    );
}

#[test]
fn bench_explore_compares_auto_with_auto_without_each_part() {
    let temp = tempdir().unwrap();
    let out = temp.path().join("bench").display().to_string();
    let app = fake("vault.fake");
    let output = retap(&[
        "bench",
        "explore",
        "--apps",
        &app,
        "--ablate",
        "--runs",
        "2",
        "--max-events",
        "100",
        "-o",
        &out,
        "--json",
    ]);
    let comparisons = output.json()["comparisons"].clone();
    let name = |comparison: &Value| comparison["theirs"].as_str().unwrap().to_string();
    let names: Vec<String> = comparisons.as_array().unwrap().iter().map(name).collect();
    let parts = ["families", "walk", "return", "text", "forms", "bursts"];
    assert_eq!(names, parts.map(|part| format!("auto:without={part}")));
}
