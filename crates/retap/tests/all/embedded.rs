//! Tests `retap explore`, `replay` and `bench device` on the embedded device with real APKs.
#![allow(clippy::unwrap_used)] // a test may panic

#[cfg(feature = "long-tests")]
pub mod apps;
mod limitations;
mod minimize;
mod reduce;

use crate::common::{CommandOutput, fixture, retap};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn explore(dir: &Path) -> CommandOutput {
    let apk = fixture("notes.apk");
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
fn an_app_is_explored_unmodified_and_the_same_seed_gives_the_same_run() {
    let temp = tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| temp.path().join(name));
    let (first, second) = (explore(&one), explore(&two));
    assert!(first.code <= 1, "{first:?}");
    let json = first.json();
    assert_eq!(json["events"], 120, "{json}");
    // The lower limits only have to show that the run gets past the first screens.
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
    // `--pictures 3` keeps three states; a crash or a finding adds the screens before its steps.
    let faults =
        ["crashes", "findings"].map(|name| json[name].as_array().unwrap().clone()).concat();
    let steps: u64 = faults.iter().map(|fault| fault["events"].as_u64().unwrap()).sum();
    let most = 3 + usize::try_from(steps).unwrap();
    assert!((3..=most).contains(&pictures.len()), "{} pictures: {json}", pictures.len());
    assert!(fs::read(&pictures[0]).unwrap().starts_with(b"\x89PNG"));

    // The run directory names its APK, so that `replay` finds the app of its trace.
    let trace_name = format!("{}#1", one.join("trace.jsonl").display());
    let replayed = retap(&["replay", &trace_name, "--json"]);
    assert_eq!(replayed.json()["faithful"]["successes"], 1, "{replayed:?}");
}

#[test]
#[cfg(feature = "long-tests")]
fn processes_observe_the_same_on_a_busy_machine_and_with_classes_loaded_anew() {
    let temp = tempdir().unwrap();
    let out = temp.path().display().to_string();
    let [modern, flaky] = &["modern.apk", "flaky.apk"].map(fixture);
    let runs = ["--events", "40", "--trace-length", "15", "--runs", "2", "--verify-restarts"];
    let flags = ["--load", "2", "-o", &out, "--json"];
    let output = retap(&[&["bench", "device", modern, flaky][..], &runs, &flags].concat());
    assert_eq!(output.code, 0, "{output:?}");
    for measured in output.json()["measured"].as_array().unwrap() {
        let runs = measured["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 3, "two processes, and one that loads classes anew: {measured}");
        assert!(runs.iter().all(|run| run["digest"] == runs[0]["digest"]), "{measured}");
        assert!(measured["events_saved"].as_u64().unwrap() > 0, "{measured}");
    }
    let observations = |run: u8| fs::read(temp.path().join(format!("flaky-{run}.txt"))).unwrap();
    assert!(observations(1) == observations(2), "the observations of the two runs differ");
}

#[test]
fn a_profile_tells_where_the_time_goes_and_changes_nothing() {
    let temp = tempdir().unwrap();
    let out = temp.path().display().to_string();
    let notes = fixture("notes.apk");
    let bench = ["bench", "device", &notes, "--events", "30", "--trace-length", "12", "--json"];
    let profiled = retap(&[&bench[..], &["--profile", "-o", &out]].concat());
    assert_eq!(profiled.code, 0, "{profiled:?}");
    let json = profiled.json();
    let measured = &json["measured"][0];
    let runs = measured["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1, "one run is the default of a profile");
    let phases = measured["profile"]["phases"].as_array().unwrap();
    let number = |phase: &serde_json::Value, name: &str| phase[name].as_f64().unwrap();
    for phase in phases {
        let parts = ["compile", "collect", "load", "interpreted", "compiled", "native"];
        let sum: f64 = parts.iter().map(|part| number(phase, &format!("{part}_ms"))).sum();
        assert!((sum - number(phase, "cpu_ms")).abs() < 0.01, "the parts are the whole: {phase}");
        assert!(number(phase, "cpu_ms") > 0.0 && number(phase, "wall_ms") > 0.0, "{phase}");
    }
    let counts: Vec<u64> = phases.iter().map(|phase| phase["count"].as_u64().unwrap()).collect();
    assert!(counts[0] >= 30 && counts[1] >= 2 && counts[2] == 1, "{counts:?}");
    // A start translates nothing here, but always loads and compiles.
    assert!(number(&phases[2], "load_ms") > 0.0 && number(&phases[2], "compile_ms") > 0.0);

    let graph = fs::read_to_string(temp.path().join("notes-flame.svg")).unwrap();
    let mut reader = quick_xml::Reader::from_str(&graph);
    let mut elements = 0;
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(_) => elements += 1,
            _ => {}
        }
    }
    assert!(elements > 100, "{elements} elements");
    let folded = fs::read_to_string(temp.path().join("notes-folded.txt")).unwrap();
    let micros = |line: &str| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap();
    let [all, listed] = [
        phases.iter().map(|phase| number(phase, "cpu_ms")).sum::<f64>(),
        folded.lines().map(micros).sum::<f64>() / 1e3,
    ];
    assert!((all - listed).abs() < 0.01 * all, "{all} ms, {listed} ms in the stacks");
    for frame in ["android.app.ActivityThread.", "(compiler)", "dev.retap.agent."] {
        assert!(graph.contains(frame) && folded.contains(frame), "{frame} is missing");
    }

    let plain = retap(&[&bench[..], &["--runs", "1", "--prefixes", "0"]].concat());
    let plain = &plain.json()["measured"][0];
    assert_eq!(plain["runs"][0]["digest"], runs[0]["digest"], "recording changes no observation");
    assert!(plain.get("profile").is_none());
}
