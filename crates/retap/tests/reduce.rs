//! `retap reduce` and `retap replay SUITE`, through the binary.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Ran, fake, refuses, retap};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::{TempDir, tempdir};

struct Place {
    temp: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { temp: tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.temp.path().join(name).display().to_string()
    }

    /// A run of an app, by seed.
    fn explored(&self, app: &str, seed: &str, events: &str) -> String {
        let out = self.path(&format!("run-{seed}"));
        let device = fake(app);
        let length = ["--trace-length", "60", "-q"];
        let mut words = vec!["explore", "-d", &device, "-o", &out, "--seed", seed];
        words.extend(["--max-events", events]);
        words.extend(length);
        let ran = retap(&words);
        assert!(ran.code <= 1, "{ran:?}");
        out
    }

    /// Reduces into a folder of this name.
    fn reduced(&self, app: &str, name: &str, more: &[&str]) -> (String, Ran) {
        let out = self.path(name);
        let device = fake(app);
        let mut words = vec!["reduce", "-d", &device, "-o", &out, "--json", "-q"];
        words.extend(more);
        let ran = retap(&words);
        (out, ran)
    }
}

/// A trace by hand: taps on widgets by their ids.
fn written(place: &Place, name: &str, app: &str, taps: &[&str]) -> String {
    let run = place.explored(app, "1", "3");
    let header = fs::read_to_string(Path::new(&run).join("trace.jsonl")).unwrap();
    let mut text = format!("{}\n{{\"start\":1}}\n", header.lines().next().unwrap());
    for id in taps {
        text += &format!("{{\"event\":{{\"tap\":{{\"on\":{{\"id\":\"{id}\"}}}}}}}}\n");
    }
    fs::remove_dir_all(run).unwrap();
    let file = place.path(name);
    fs::write(&file, text).unwrap();
    file
}

fn files(folder: &str) -> Vec<PathBuf> {
    let traces = fs::read_dir(Path::new(folder).join("traces")).unwrap();
    let mut files: Vec<PathBuf> = traces.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[test]
fn a_run_becomes_a_small_suite_that_replays_and_is_verified() {
    let place = Place::new();
    let run = place.explored("notes.fake", "7", "3000");
    let (suite, ran) = place.reduced("notes.fake", "suite", &[&run]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let stages = &ran.json()["stages"];
    let steps = |stage: &str| stages[stage]["steps"].as_u64().unwrap();
    assert!(steps("phase_2") * 10 < steps("recorded"), "{stages}");
    assert!(ran.json()["lower_bound"]["cost"].as_u64() <= stages["phase_2"]["cost"].as_u64());

    let device = fake("notes.fake");
    let junit = place.path("out.xml");
    let replayed = retap(&["replay", &suite, "-d", &device, "--junit", &junit, "-j", "2"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    let xml = fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("failures=\"0\"") && xml.contains("<testcase"), "{xml}");
    let verified = retap(&["reduce", "--verify", &suite, "-d", &device]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let against_run = retap(&["reduce", "--verify", &suite, &run, "-d", &device]);
    assert_eq!(against_run.code, 0, "{against_run:?}");
}

#[test]
fn the_page_of_a_suite_says_who_covers_what() {
    let place = Place::new();
    let trace =
        written(&place, "hand.jsonl", "files-2.1.fake", &["menu", "menu", "menu", "option"]);
    let (suite, ran) = place.reduced("files-2.1.fake", "suite", &[&trace, "--record"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let page = Path::new(&suite).join("report.html");
    let text = fs::read_to_string(&page).unwrap();
    let name = files(&suite)[0].file_stem().unwrap().display().to_string();
    for part in [
        "Loop, steps 1–2 of".to_string(),
        format!("<a href=\"#{name}-1\">"),
        format!("<li id=\"{name}-2\">"),
        "Lower bound".into(),
        "state ".into(),
    ] {
        assert!(text.contains(&part), "{part}\n{text}");
    }
    fs::remove_file(&page).unwrap();
    assert_eq!(retap(&["report", &suite]).code, 0);
    assert_eq!(fs::read_to_string(&page).unwrap(), text);
}

#[test]
fn an_interruption_keeps_the_best_suite_so_far() {
    let place = Place::new();
    let run = place.explored("notes.fake", "7", "3000");
    let (device, suite) = (fake("notes.fake"), place.path("suite"));
    // So many runs of every candidate take minutes.
    let runs = ["--runs", "1000", "--vary-world", "--no-states"];
    let mut words = vec!["reduce", &run, "-d", &device, "-o", &suite, "--json", "-vv"];
    words.extend(runs);
    let mut child =
        common::command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // By then some traces have been replayed as often as they must.
    const ENOUGH: u64 = 3000;
    let replays = |line: &str| -> Option<u64> {
        line.split_once(" replays done")?.0.rsplit(' ').next()?.parse().ok()
    };
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while replays(&line).is_none_or(|done| done < ENOUGH) {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "it ended before it could be interrupted");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    std::io::copy(&mut log, &mut std::io::sink()).unwrap();
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, 130, "{ran:?}");
    assert_eq!(ran.json()["ended"], "interrupted");
    assert!(ran.json()["lower_bound"].is_null());
    let verified = retap(&["reduce", "--verify", &suite, "-d", &device]);
    assert_eq!(verified.code, 0, "{verified:?}");
}

#[test]
fn the_checker_notices_a_trace_that_is_gone() {
    let place = Place::new();
    let run = place.explored("notes.fake", "7", "1500");
    let (suite, _) = place.reduced("notes.fake", "suite", &[&run]);
    let manifest = Path::new(&suite).join("suite.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let at = text.rfind("[[trace]]").unwrap();
    fs::write(&manifest, &text[..at]).unwrap();
    let ran = retap(&["reduce", "--verify", &suite, "-d", &fake("notes.fake"), "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(!ran.json()["missing"].as_array().unwrap().is_empty());
}

#[test]
fn the_suite_is_the_same_for_any_number_of_devices() {
    let place = Place::new();
    let run = place.explored("notes.fake", "3", "1500");
    let (one, _) = place.reduced("notes.fake", "one", &[&run]);
    let (two, _) = place.reduced("notes.fake", "two", &[&run, "-j", "3"]);
    let names = |suite: &str| fs::read_to_string(Path::new(suite).join("suite.toml")).unwrap();
    assert_eq!(names(&one), names(&two));
    for (a, b) in files(&one).iter().zip(files(&two)) {
        assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap());
    }
}

#[test]
fn several_runs_are_reduced_together_and_a_suite_grows_without_renaming() {
    let place = Place::new();
    let first = place.explored("notes.fake", "3", "800");
    let second = place.explored("notes.fake", "4", "800");
    let (suite, ran) = place.reduced("notes.fake", "suite", &[&first]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let (grown, ran) = place.reduced("notes.fake", "grown", &[&second, "--onto", &suite]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let names = |suite: &str| -> Vec<_> {
        files(suite).iter().map(|file| file.file_name().unwrap().to_owned()).collect()
    };
    let after = names(&grown);
    assert!(names(&suite).iter().all(|name| after.contains(name)), "{after:?}");
    let verified =
        retap(&["reduce", "--verify", &grown, &first, &second, "-d", &fake("notes.fake")]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let (both, ran) = place.reduced("notes.fake", "both", &[&first, &second]);
    assert_eq!(ran.code, 0, "{ran:?} {both}");
}

#[test]
fn states_are_told_anew_from_the_screens_of_a_run() {
    let place = Place::new();
    let run = place.explored("conform.fake", "3", "600");
    let steps = |name: &str, more: &[&str]| {
        let (suite, ran) = place.reduced("conform.fake", name, &[&[run.as_str()], more].concat());
        let verified = retap(&["reduce", "--verify", &suite, &run, "-d", &fake("conform.fake")]);
        assert_eq!(verified.code, 0, "{verified:?}");
        let trace = fs::read_to_string(&files(&suite)[0]).unwrap();
        let header: serde_json::Value =
            serde_json::from_str(trace.lines().next().unwrap()).unwrap();
        let steps = ran.json()["stages"]["phase_2"]["steps"].as_u64().unwrap();
        (header["abstraction"].as_str().unwrap().to_string(), steps)
    };
    let (as_usual, few) = steps("few", &[]);
    let (as_recorded, many) = steps("many", &["--abstraction", "layout"]);
    assert_eq!((as_usual.as_str(), as_recorded.as_str()), ("actionable", "layout"));
    assert!(few < many, "{few} steps keep the coarse states, {many} the fine ones");
    // A suite keeps no screens: what is added to it is told in its states.
    let (_, grown) = place.reduced("conform.fake", "grown", &[&run, "--onto", &place.path("many")]);
    assert_eq!(grown.code, 0, "{grown:?}");
    let (suite, out) = (place.path("many"), place.path("refused"));
    let words = ["reduce", &run, "--onto", &suite, "--abstraction", "activity"];
    let device = fake("conform.fake");
    let words = [&words[..], &["-d", &device, "-o", &out]].concat();
    refuses(&words, 2, &["--record"]);
}

#[test]
fn traces_written_by_hand_are_recorded_when_asked_to() {
    let place = Place::new();
    let trace =
        written(&place, "hand.jsonl", "files-2.1.fake", &["menu", "menu", "menu", "option"]);
    let device = fake("files-2.1.fake");
    let out = place.path("refused");
    refuses(&["reduce", &trace, "-d", &device, "-o", &out], 2, &["--record"]);
    let (suite, ran) = place.reduced("files-2.1.fake", "suite", &[&trace, "--record"]);
    assert_eq!(ran.json()["stages"]["phase_2"]["steps"], 2, "{ran:?}");
    let proof = fs::read_to_string(Path::new(&suite).join("reduction.json")).unwrap();
    assert!(proof.contains("\"loop\"") && proof.contains("branch Co"), "{proof}");
    let (_, kept) =
        place.reduced("files-2.1.fake", "kept", &["--keep", &trace, &trace, "--record"]);
    assert_eq!(kept.json()["stages"]["phase_2"]["steps"], 4, "{kept:?}");
}

#[test]
fn what_cannot_be_reduced_is_refused_with_the_reason() {
    let place = Place::new();
    let notes = place.explored("notes.fake", "3", "50");
    let other = place.explored("conform.fake", "4", "50");
    let (device, out) = (fake("notes.fake"), place.path("out"));
    let mixed = ["reduce", &notes, &other, "-d", &device, "-o", &out];
    refuses(&mixed, 2, &["one app in one build"]);
    refuses(&["reduce", &place.path("nothing"), "-d", &device, "-o", &out], 2, &["nothing"]);
    refuses(&["reduce", &notes, "-d", &device], 2, &["--output"]);
    refuses(&["reduce", &notes, "-d", &device, "-o", &notes], 2, &["already holds files"]);

    let trace = Path::new(&notes).join("trace.jsonl");
    let header = fs::read_to_string(&trace).unwrap().lines().next().unwrap().to_string();
    let empty = place.path("empty.jsonl");
    fs::write(&empty, header + "\n").unwrap();
    refuses(&["reduce", &empty, "-d", &device, "-o", &out], 2, &["no trace"]);
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_suite_in_which_nothing_replays_is_not_reproduced() {
    let place = Place::new();
    let run = place.explored("notes.fake", "3", "40");
    let trace = Path::new(&run).join("trace.jsonl");
    // Say of every launch that it led elsewhere.
    let text = fs::read_to_string(&trace).unwrap();
    let lost = |line: &str| match line.find("\"state\":\"") {
        Some(at) if line.starts_with("{\"start\"") => {
            format!("{}00000000000000aa{}", &line[..at + 9], &line[at + 25..])
        }
        _ => line.to_string(),
    };
    let text: Vec<String> = text.lines().map(lost).collect();
    fs::write(&trace, text.join("\n") + "\n").unwrap();
    let device = fake("notes.fake");
    let out = place.path("out");
    let ran = retap(&["reduce", &run, "-d", &device, "-o", &out, "--abstraction", "layout"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.contains("0 of 1"), "{ran:?}");
}

#[test]
fn the_bench_measures_every_k_and_a_second_call_reads_it_back() {
    let place = Place::new();
    let (out, app) = (place.path("bench"), fake("notes.fake"));
    let words = ["bench", "reduce", "--apps", &app, "synthetic", "--steps", "400", "-k", "0,2"];
    let words = [&words[..], &["--trace-length", "40", "-o", &out, "--json"]].concat();
    let ran = retap(&words);
    assert_eq!(ran.code, 0, "{ran:?}");
    let json = ran.json();
    let measured = json["measured"].as_array().unwrap();
    assert_eq!(measured.len(), 4);
    for one in measured {
        let steps = |stage: &str| one["stages"][stage]["steps"].as_u64().unwrap();
        assert_eq!(steps("recorded"), 400);
        assert!(steps("phase_2") <= steps("phase_1") && steps("phase_1") < 400, "{one}");
        let [bound, cost] = [&one["lower_bound"], &one["stages"]["phase_2"]].map(|of| &of["cost"]);
        assert!(bound.as_u64().unwrap() <= cost.as_u64().unwrap(), "{one}");
    }
    let again = retap(&words);
    assert_eq!(again.json(), json, "nothing is measured twice");
    let table = retap(&words[..words.len() - 1]);
    assert!(table.stdout.contains("k=2: ") && table.stdout.contains("synthetic"), "{table:?}");
}
