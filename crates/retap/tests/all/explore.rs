//! Tests `retap explore` and `bench explore` on fakes.
#![allow(clippy::unwrap_used)] // a test may panic

mod bench;
mod durable;

use crate::common::{CommandOutput, assert_refused, fake, retap};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Explores the demo app with seed 7.
fn explore(dir: &Path, more: &[&str]) -> CommandOutput {
    let device = fake("notes.fake");
    let out = dir.display().to_string();
    let mut arguments = vec!["explore", "--device", &device, "-o", &out, "--seed", "7", "--json"];
    arguments.extend(more);
    retap(&arguments)
}

/// Removes the fields that differ between two runs that do the same.
fn without_time_and_cost(mut summary: Value) -> Value {
    let fields = summary.as_object_mut().unwrap();
    fields.remove("seconds");
    fields.remove("events_per_second");
    fields.remove("cost");
    fields.remove("cost_by_phase");
    summary
}

#[test]
fn the_same_seed_gives_the_same_result_and_the_same_trace() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    let first = explore(&one, &["--max-events", "5000"]);
    let second = explore(&two, &["--max-events", "5000"]);
    assert_eq!(first.code, 1, "the demo app has crashes: {first:?}");
    assert_eq!(without_time_and_cost(first.json()), without_time_and_cost(second.json()));
    assert_eq!(first.json()["cost"], second.json()["cost"]);
    let trace = |dir: &Path| fs::read(dir.join("trace.jsonl")).unwrap();
    assert!(trace(&one) == trace(&two), "the traces differ");
    assert_eq!(first.json()["events"], 5000);
}

#[test]
fn the_cost_of_a_run_is_divided_among_its_phases_and_what_follows_exploring_is_bounded() {
    let temp = tempdir().unwrap();
    let device = fake("losing.fake");
    let out = temp.path().join("run").display().to_string();
    let arguments = ["explore", "-d", &device, "-o", &out, "--seed", "1", "--max-events", "6000"];
    let summary = retap(&[&arguments[..], &["--json"]].concat()).json();
    let phases = summary["cost_by_phase"].as_object().unwrap();
    for (name, total) in summary["cost"].as_object().unwrap() {
        let sum: u64 = phases.values().map(|cost| cost[name].as_u64().unwrap()).sum();
        assert_eq!(sum, total.as_u64().unwrap(), "{name}: {summary:#}");
    }
    let explored = phases["explore"]["events"].as_u64();
    assert!(explored >= summary["events"].as_u64(), "{summary:#}");
    for phase in ["probe", "verify", "minimize", "measure"] {
        assert!(phases[phase]["events"].as_u64().unwrap() > 0, "{phase}: {summary:#}");
    }
    let effort = |cost: &Value| {
        let count = |name: &str| cost[name].as_u64().unwrap();
        count("events") + 6 * count("restarts") + 12 * count("screenshots")
    };
    let checks: u64 =
        phases.iter().filter(|(phase, _)| *phase != "explore").map(|(_, cost)| effort(cost)).sum();
    // Half of the exploration's effort, and one search that had begun.
    assert!(checks <= effort(&phases["explore"]) / 2 + 500, "{checks}: {summary:#}");
}

/// An app whose buttons crash after three taps that no screen shows.
fn hidden_counter() -> String {
    let buttons = 0..14;
    let each = |line: fn(i32) -> String| buttons.clone().map(line).collect::<String>();
    format!(
        "app com.example.counter 1.0\nrotation off\nstart main covers start\nvar taps = 0\n\
         screen main activity MainActivity\n  button more \"More\"\n{}\
         on main tap more -> stay set taps = taps + 1\n{}{}",
        each(|n| format!("  button open{n} \"Open {n}\"\n")),
        each(|n| format!("on main tap open{n} if taps > 2 -> crash c{n}\n")),
        each(|n| format!(
            "crash c{n}\n  java.lang.IllegalStateException\n    at com.example.counter.Main.open{n}(Main.java)\nend\n"
        )),
    )
}

#[test]
fn every_crash_is_minimised_however_many_there_are_and_however_long_their_traces() {
    let temp = tempdir().unwrap();
    let app = temp.path().join("counter.fake");
    fs::write(&app, hidden_counter()).unwrap();
    let (device, out) =
        (format!("fake:{}", app.display()), temp.path().join("run").display().to_string());
    let arguments = ["explore", "-d", &device, "-o", &out, "--seed", "1", "--strategy", "random"];
    let limits = ["--max-events", "3000", "--oracle", "none", "--json"];
    let summary = retap(&[&arguments[..], &limits].concat()).json();
    let crashes = summary["crashes"].as_array().unwrap();
    assert!(crashes.len() > 5, "{summary:#}");
    for crash in crashes {
        assert!(crash["minimized"].is_string(), "{crash:#}");
        // Three taps and the button; a search that ends early may keep a few more.
        assert!(crash["events"].as_u64().unwrap() <= 8, "{crash:#}");
    }
}

#[test]
fn a_success_rate_takes_few_worlds_where_nothing_differs_and_all_where_something_does() {
    let temp = tempdir().unwrap();
    let worlds = |name: &str| {
        let run = temp.path().join(name);
        let (device, out) = (fake(name), run.display().to_string());
        let arguments = ["explore", "-d", &device, "-o", &out, "--seed", "1", "--json"];
        let summary = retap(&[&arguments[..], &["--max-events", "1000"]].concat()).json();
        let crashes = summary["crashes"].as_array().unwrap().iter();
        let runs = |crash: &Value| {
            let folder = run.join("crashes").join(crash["id"].as_str().unwrap());
            let record = fs::read_to_string(folder.join("minimized.json")).unwrap();
            serde_json::from_str::<Value>(&record).unwrap()["success"]["runs"].as_u64().unwrap()
        };
        crashes.map(runs).collect::<BTreeSet<u64>>()
    };
    assert_eq!(worlds("notes.fake"), BTreeSet::from([3]));
    assert!(worlds("flaky.fake").contains(&10), "its crash depends on the world");
}

#[test]
fn another_seed_gives_another_run() {
    let temp = tempdir().unwrap();
    let device = fake("notes.fake");
    let digest = |seed: &str| {
        let out = temp.path().join(seed).display().to_string();
        let output = retap(&[
            "explore",
            "-d",
            &device,
            "-o",
            &out,
            "--seed",
            seed,
            "--max-events",
            "500",
            "--json",
        ]);
        output.json()["digest"].clone()
    };
    assert_ne!(digest("1"), digest("2"));
}

#[test]
fn every_screen_of_the_trace_is_stored_once() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    explore(&dir, &["--max-events", "3000"]);
    let trace = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
    let mut recorded = BTreeSet::new();
    for line in trace.lines().skip(1) {
        let row: Value = serde_json::from_str(line).unwrap();
        recorded.insert(row["screen"].as_str().unwrap().to_string());
    }
    let mut stored = BTreeSet::new();
    for folder in fs::read_dir(dir.join("screens")).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).unwrap().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                stored.insert(path.file_stem().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    assert_eq!(recorded, stored);
}

#[test]
fn every_crash_is_kept_with_a_trace_that_replays_to_it() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let summary = explore(&dir, &["--max-events", "5000"]).json();
    let crashes = summary["crashes"].as_array().unwrap();
    // The demo app has four crashes at different depths. Which of them a run finds depends on its seed and strategy.
    assert!((2..=4).contains(&crashes.len()), "{summary}");
    for crash in crashes {
        let trace = dir.join(crash["trace"].as_str().unwrap()).display().to_string();
        let replayed = retap(&["replay", &trace, "-d", &fake("notes.fake"), "--json"]);
        assert_eq!(replayed.code, 1, "{replayed:?}");
        assert_eq!(replayed.json()["reproduced"]["successes"], 1);
        assert_eq!(replayed.json()["faithful"]["successes"], 1);
    }
}

#[test]
fn a_directory_with_files_is_refused_and_left_unchanged() {
    let temp = tempdir().unwrap();
    fs::write(temp.path().join("other.txt"), "text").unwrap();
    let out = temp.path().display().to_string();
    let device = fake("notes.fake");
    let arguments = ["explore", "-d", &device, "-o", &out, "--max-events", "5"];
    assert_refused(&arguments, 2, &["already holds files", "--resume"]);
    assert_eq!(fs::read_to_string(temp.path().join("other.txt")).unwrap(), "text");
}

#[test]
fn a_wrong_argument_is_refused_with_advice() {
    let temp = tempdir().unwrap();
    let missing = temp.path().join("missing").display().to_string();
    let device = fake("notes.fake");
    assert_refused(&["explore", "--frobnicate"], 2, &["--frobnicate", "--help"]);
    assert_refused(&["explore"], 2, &["name an APK", "fake:FILE"]);
    assert_refused(&["explore", "-d", "toaster"], 2, &["expected embedded, adb or fake:FILE"]);
    assert_refused(&["explore", "-d", "fake:/nowhere.fake"], 2, &["/nowhere.fake", "No such file"]);
    assert_refused(&["explore", "-d", &device, "x.apk"], 2, &["not both"]);
    assert_refused(&["explore", "--resume", "-o", &missing], 2, &["no run to resume"]);
    assert_refused(&["explore", "--resume"], 2, &["--output"]);
    assert_refused(&["explore", "--resume", "-o", &missing, "-d", &device], 2, &["--device"]);
    assert_refused(&["explore", "-d", &device, "--time", "soon"], 2, &["90s, 10m or 2h"]);
    assert_refused(&["explore", "-d", &device, "--abstraction", "vague"], 2, &["reducers:L5"]);
    assert_refused(&["explore", "-d", &device, "-o", "/proc/retap"], 2, &["/proc/retap"]);
}

#[test]
fn the_events_of_seed_traces_run_first() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    explore(&one, &["--max-events", "40", "--strategy", "random", "--trace-length", "20"]);
    let seed_traces = one.display().to_string();
    explore(&two, &["--max-events", "60", "--seed-traces", &seed_traces]);
    let events = |dir: &Path| -> Vec<Value> {
        let text = fs::read_to_string(dir.join("trace.jsonl")).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| row["event"].clone()).filter(|event| !event.is_null()).collect()
    };
    let (recorded, seeded) = (events(&one), events(&two));
    assert_eq!(recorded[..40], seeded[..40]);
}
