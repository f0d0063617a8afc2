//! `retap bench explore`.

use crate::common::{assert_refused, fake, retap};
use retap_explore::AutoPart;
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
    let parts = AutoPart::ALL;
    assert_eq!(names, parts.map(|part| format!("auto:without={part}")));
}

#[test]
fn a_study_reports_apps_for_choosing_apart_and_goes_on_where_it_was_stopped() {
    let temp = tempdir().unwrap();
    let [out, file] = ["bench", "study.toml"].map(|name| temp.path().join(name));
    fs::write(
        temp.path().join("known.tsv"),
        "notes\tStringIndexOutOfBoundsException\tNote.initial\n",
    )
    .unwrap();
    let plan = format!(
        "runs = 2\nbudgets = [100, 200]\nstrategies = [\"random\", \"auto\"]\nknown = \"known.tsv\"\n\
         [apps]\nchoose = [{:?}]\nreport = [{:?}, {:?}]\n",
        fake("vault.fake"),
        fake("notes.fake"),
        fake("losing.fake")
    );
    fs::write(&file, plan).unwrap();
    let [out, file] = [out, file].map(|path| path.display().to_string());
    let arguments = ["bench", "explore", "--study", &file, "-o", &out, "--json"];
    let first = retap(&arguments);
    assert_eq!(first.code, 0, "{first:?}");
    let results = first.json();
    let parts = results["parts"].as_array().unwrap();
    let facts = |part: &Value| {
        let runs = part["measured"].as_array().unwrap().len();
        (part["apps"].as_str().unwrap().to_string(), part["max_events"].as_u64().unwrap(), runs)
    };
    let expected = [("choose", 100, 4), ("report", 100, 8), ("choose", 200, 4), ("report", 200, 8)];
    let expected = expected.map(|(apps, events, runs)| (apps.to_string(), events, runs));
    assert_eq!(parts.iter().map(facts).collect::<Vec<_>>(), expected);
    let interval = &parts[3]["comparisons"][0]["interval"];
    assert!(interval["low"].as_f64().unwrap() <= interval["high"].as_f64().unwrap());
    let found = parts[3]["found"].as_array().unwrap();
    assert!(
        found.iter().any(|crash| crash["app"].as_str().unwrap().contains("notes")),
        "{found:?}"
    );
    let text = fs::read_to_string(Path::new(&out).join("study.md")).unwrap();
    assert!(text.contains("# Apps that were used for choosing, 100 events"), "{text}");
    assert!(text.contains("# Apps to report on, 200 events"), "{text}");
    let page = fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    assert_eq!(page.matches("<h1>").count(), 4);
    // One run is missing: only that one is done again.
    let kept = Path::new(&out).join("200/runs/notes/auto/1/trace.jsonl");
    let written = fs::metadata(&kept).unwrap().modified().unwrap();
    fs::remove_dir_all(Path::new(&out).join("200/runs/notes/auto/2")).unwrap();
    let second = retap(&arguments).json();
    let covered = |json: &Value| {
        let cells = json["parts"][3]["measured"].as_array().unwrap().clone();
        cells.iter().map(|cell| cell["covered"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(covered(&second), covered(&results));
    assert_eq!(fs::metadata(&kept).unwrap().modified().unwrap(), written);
}
