//! Tests `retap reduce`, `replay SUITE` and `bench reduce` on fakes.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{CommandOutput, assert_refused, fake, retap, retap_command};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::{TempDir, tempdir};

/// A temporary folder with the runs and suites of one test.
struct TestFolder {
    temp: TempDir,
}

impl TestFolder {
    fn new() -> Self {
        Self { temp: tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> String {
        self.temp.path().join(name).display().to_string()
    }

    /// Explores an app with this seed and returns the run directory.
    fn explore(&self, app: &str, seed: &str, events: &str) -> String {
        let out = self.path(&format!("run-{seed}"));
        let device = fake(app);
        let mut arguments = vec!["explore", "-d", &device, "-o", &out, "--seed", seed];
        arguments.extend(["--max-events", events, "--trace-length", "60", "-q"]);
        let output = retap(&arguments);
        assert!(output.code <= 1, "{output:?}");
        out
    }

    /// Reduces to a suite in a folder of this name. Returns the folder's path and the command's output.
    fn reduce(&self, app: &str, name: &str, more: &[&str]) -> (String, CommandOutput) {
        let out = self.path(name);
        let device = fake(app);
        let mut arguments = vec!["reduce", "-d", &device, "-o", &out, "--json", "-q"];
        arguments.extend(more);
        let output = retap(&arguments);
        (out, output)
    }
}

/// Writes a trace of taps on widgets with these ids, without states and coverage. Returns its path.
fn write_taps(folder: &TestFolder, name: &str, app: &str, taps: &[&str]) -> String {
    let run = folder.explore(app, "1", "3");
    let header = fs::read_to_string(Path::new(&run).join("trace.jsonl")).unwrap();
    let mut text = format!("{}\n{{\"start\":1}}\n", header.lines().next().unwrap());
    for id in taps {
        text += &format!("{{\"event\":{{\"tap\":{{\"on\":{{\"id\":\"{id}\"}}}}}}}}\n");
    }
    fs::remove_dir_all(run).unwrap();
    let file = folder.path(name);
    fs::write(&file, text).unwrap();
    file
}

/// Returns the trace files of a suite in the order of their names.
fn trace_files(suite: &str) -> Vec<PathBuf> {
    let traces = fs::read_dir(Path::new(suite).join("traces")).unwrap();
    let mut files: Vec<PathBuf> = traces.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[test]
fn a_run_is_reduced_to_a_small_suite_that_replays_and_verifies() {
    let folder = TestFolder::new();
    let run = folder.explore("notes.fake", "7", "3000");
    let (suite, output) = folder.reduce("notes.fake", "suite", &[&run]);
    assert_eq!(output.code, 0, "{output:?}");
    let stages = &output.json()["stages"];
    let steps = |stage: &str| stages[stage]["steps"].as_u64().unwrap();
    // The demo app has few screens, so that most of three thousand events repeat earlier ones.
    assert!(steps("phase_2") * 10 < steps("recorded"), "{stages}");
    assert!(output.json()["lower_bound"]["cost"].as_u64() <= stages["phase_2"]["cost"].as_u64());

    let device = fake("notes.fake");
    let junit = folder.path("out.xml");
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
fn the_report_of_a_suite_links_removed_steps_to_the_steps_that_cover_them() {
    let folder = TestFolder::new();
    let trace =
        write_taps(&folder, "hand.jsonl", "files-2.1.fake", &["menu", "menu", "menu", "option"]);
    let (suite, output) = folder.reduce("files-2.1.fake", "suite", &[&trace, "--record"]);
    assert_eq!(output.code, 0, "{output:?}");
    let page = Path::new(&suite).join("report.html");
    let text = fs::read_to_string(&page).unwrap();
    let name = trace_files(&suite)[0].file_stem().unwrap().display().to_string();
    for expected in [
        "Loop, steps 1–2 of".to_string(),
        format!("<a href=\"#{name}-1\">"),
        format!("<li id=\"{name}-2\">"),
        "Lower bound".into(),
        "state ".into(),
    ] {
        assert!(text.contains(&expected), "{expected}\n{text}");
    }
    fs::remove_file(&page).unwrap();
    assert_eq!(retap(&["report", &suite]).code, 0);
    assert_eq!(fs::read_to_string(&page).unwrap(), text);
}

#[test]
fn an_interruption_keeps_the_best_suite_so_far() {
    let folder = TestFolder::new();
    let run = folder.explore("notes.fake", "7", "3000");
    let (device, suite) = (fake("notes.fake"), folder.path("suite"));
    // A thousand runs of every candidate take minutes, so that the signal arrives long before the end.
    let mut arguments = vec!["reduce", &run, "-d", &device, "-o", &suite, "--json", "-vv"];
    arguments.extend(["--runs", "1000", "--vary-world", "--no-states"]);
    let mut child =
        retap_command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // After three thousand replays some traces have had their thousand runs.
    const ENOUGH_REPLAYS: u64 = 3000;
    let replays = |line: &str| -> Option<u64> {
        line.split_once(" replays done")?.0.rsplit(' ').next()?.parse().ok()
    };
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while replays(&line).is_none_or(|done| done < ENOUGH_REPLAYS) {
        line.clear();
        assert!(
            log.read_line(&mut line).unwrap() > 0,
            "the command ended before it could be interrupted"
        );
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    std::io::copy(&mut log, &mut std::io::sink()).unwrap();
    let output: CommandOutput = child.wait_with_output().unwrap().into();
    assert_eq!(output.code, 130, "{output:?}");
    assert_eq!(output.json()["ended"], "interrupted");
    assert!(output.json()["lower_bound"].is_null(), "no bound after an interruption: {output:?}");
    let verified = retap(&["reduce", "--verify", &suite, "-d", &device]);
    assert_eq!(verified.code, 0, "{verified:?}");
}

#[test]
fn verify_reports_the_requirements_of_a_missing_trace() {
    let folder = TestFolder::new();
    let run = folder.explore("notes.fake", "7", "1500");
    let (suite, _) = folder.reduce("notes.fake", "suite", &[&run]);
    let manifest = Path::new(&suite).join("suite.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let last_trace = text.rfind("[[trace]]").unwrap();
    fs::write(&manifest, &text[..last_trace]).unwrap();
    let output = retap(&["reduce", "--verify", &suite, "-d", &fake("notes.fake"), "--json"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(!output.json()["missing"].as_array().unwrap().is_empty());
}

#[test]
fn effort_is_spent_as_long_as_it_yields() {
    let folder = TestFolder::new();
    let (run, device) = (folder.path("run"), fake("notes.fake"));
    // Long traces of random events: each has much to leave out.
    let mut arguments = vec!["explore", "-d", &device, "-o", &run, "--seed", "7", "-q"];
    arguments.extend(["--strategy", "random", "--max-events", "3000", "--trace-length", "200"]);
    arguments.extend(["--no-minimize", "--oracle", "none"]);
    assert!(retap(&arguments).code <= 1);
    let (_, by_yield) = folder.reduce("notes.fake", "yield", &[&run]);
    let cost =
        |output: &CommandOutput| output.json()["stages"]["phase_3"]["cost"].as_u64().unwrap();
    let effort = |output: &CommandOutput| output.json()["tally"]["effort"].as_u64().unwrap();
    // Nine tenths of what recording took, as the first pass has it, and a limit that no pass meets.
    let limited = |name: &str, limit: u64| {
        folder.reduce("notes.fake", name, &[&run, "--max-events", &limit.to_string()]).1
    };
    let (first, all) = (limited("first", 5_000), limited("all", 500_000));
    assert!(cost(&first) > cost(&all) && effort(&by_yield) > effort(&first), "{first:?}");
    let saved = |output: &CommandOutput| cost(&first).saturating_sub(cost(output));
    assert!(saved(&by_yield) * 2 > saved(&all), "{by_yield:?}\n{all:?}");
}

/// Changes a JSON file.
fn falsify(file: &Path, change: impl FnOnce(&mut serde_json::Value)) {
    let mut value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    change(&mut value);
    fs::write(file, value.to_string()).unwrap();
}

#[test]
fn verify_believes_neither_the_proof_nor_the_coverage_beside_it() {
    let folder = TestFolder::new();
    let run = folder.explore("notes.fake", "7", "1500");
    let (suite, _) = folder.reduce("notes.fake", "suite", &[&run]);
    let [proof, original] =
        ["reduction.json", "original.json"].map(|name| Path::new(&suite).join(name));
    let verify = || retap(&["reduce", "--verify", &suite, "-d", &fake("notes.fake"), "--json"]);
    let honest = verify();
    assert_eq!(honest.code, 0, "{honest:?}");
    assert_eq!(honest.json()["recomputed"], true);

    let true_proof = fs::read_to_string(&proof).unwrap();
    falsify(&proof, |proof| proof["covered"][0]["need"] = "branch never.ran".into());
    let output = verify();
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(output.json()["false_claims"].as_array().unwrap().len(), 1);
    fs::write(&proof, &true_proof).unwrap();
    falsify(&proof, |proof| proof["stages"]["phase_3"]["steps"] = 1.into());
    assert_eq!(verify().code, 1);
    fs::write(&proof, &true_proof).unwrap();

    // A suite that lost a trace, and says that the original covered nothing.
    let manifest = Path::new(&suite).join("suite.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, &text[..text.rfind("[[trace]]").unwrap()]).unwrap();
    falsify(&original, |original| {
        original["states"] = serde_json::json!([]);
        original["crashes"] = serde_json::json!([]);
    });
    let output = verify();
    assert_eq!(output.code, 1, "{output:?}");
    assert!(!output.json()["missing"].as_array().unwrap().is_empty(), "{output:?}");
}

#[test]
fn the_suite_does_not_depend_on_the_number_of_devices() {
    let folder = TestFolder::new();
    let run = folder.explore("notes.fake", "3", "1500");
    let (one, _) = folder.reduce("notes.fake", "one-device", &[&run]);
    let (three, _) = folder.reduce("notes.fake", "three-devices", &[&run, "-j", "3"]);
    let manifest = |suite: &str| fs::read_to_string(Path::new(suite).join("suite.toml")).unwrap();
    assert_eq!(manifest(&one), manifest(&three));
    let traces = |suite: &str| -> Vec<String> {
        trace_files(suite).iter().map(|file| fs::read_to_string(file).unwrap()).collect()
    };
    assert_eq!(traces(&one), traces(&three));
}

#[test]
fn several_runs_are_reduced_together_and_onto_keeps_the_traces_of_a_suite() {
    let folder = TestFolder::new();
    let first = folder.explore("notes.fake", "3", "800");
    let second = folder.explore("notes.fake", "4", "800");
    let (suite, output) = folder.reduce("notes.fake", "suite", &[&first]);
    assert_eq!(output.code, 0, "{output:?}");
    let (grown, output) = folder.reduce("notes.fake", "grown", &[&second, "--onto", &suite]);
    assert_eq!(output.code, 0, "{output:?}");
    let names = |suite: &str| -> Vec<_> {
        trace_files(suite).iter().map(|file| file.file_name().unwrap().to_owned()).collect()
    };
    let after = names(&grown);
    assert!(names(&suite).iter().all(|name| after.contains(name)), "{after:?}");
    let verified =
        retap(&["reduce", "--verify", &grown, &first, &second, "-d", &fake("notes.fake")]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let (both, output) = folder.reduce("notes.fake", "both", &[&first, &second]);
    assert_eq!(output.code, 0, "{both}: {output:?}");
}

#[test]
fn the_states_of_a_run_are_computed_again_from_its_screens_for_another_abstraction() {
    let folder = TestFolder::new();
    let run = folder.explore("conform.fake", "3", "600");
    let steps = |name: &str, more: &[&str]| {
        let (suite, output) =
            folder.reduce("conform.fake", name, &[&[run.as_str()], more].concat());
        let verified = retap(&["reduce", "--verify", &suite, &run, "-d", &fake("conform.fake")]);
        assert_eq!(verified.code, 0, "{verified:?}");
        let trace = fs::read_to_string(&trace_files(&suite)[0]).unwrap();
        let header: serde_json::Value =
            serde_json::from_str(trace.lines().next().unwrap()).unwrap();
        let steps = output.json()["stages"]["phase_2"]["steps"].as_u64().unwrap();
        (header["abstraction"].as_str().unwrap().to_string(), steps)
    };
    let (by_default, coarse) = steps("coarse", &[]);
    let (as_recorded, fine) = steps("fine", &["--abstraction", "layout"]);
    assert_eq!((by_default.as_str(), as_recorded.as_str()), ("actionable", "layout"));
    // `layout` tells more screens of this app apart, and every state is a requirement.
    assert!(coarse < fine, "{coarse} steps cover the coarse states, {fine} the fine ones");
    // A suite keeps no screens, so that a run that is added to it gets the suite's abstraction.
    let (_, grown) =
        folder.reduce("conform.fake", "grown", &[&run, "--onto", &folder.path("fine")]);
    assert_eq!(grown.code, 0, "{grown:?}");
    let (suite, out) = (folder.path("fine"), folder.path("refused"));
    let device = fake("conform.fake");
    let arguments = ["reduce", &run, "--onto", &suite, "--abstraction", "activity"];
    let arguments = [&arguments[..], &["-d", &device, "-o", &out]].concat();
    assert_refused(&arguments, 2, &["--record"]);
}

#[test]
fn record_runs_traces_without_states_and_coverage() {
    let folder = TestFolder::new();
    let trace =
        write_taps(&folder, "hand.jsonl", "files-2.1.fake", &["menu", "menu", "menu", "option"]);
    let device = fake("files-2.1.fake");
    let out = folder.path("refused");
    assert_refused(&["reduce", &trace, "-d", &device, "-o", &out], 2, &["--record"]);
    let (suite, output) = folder.reduce("files-2.1.fake", "suite", &[&trace, "--record"]);
    assert_eq!(output.json()["stages"]["phase_2"]["steps"], 2, "{output:?}");
    let reduction = fs::read_to_string(Path::new(&suite).join("reduction.json")).unwrap();
    assert!(reduction.contains("\"loop\"") && reduction.contains("branch Co"), "{reduction}");
    let (_, kept) =
        folder.reduce("files-2.1.fake", "kept", &["--keep", &trace, &trace, "--record"]);
    assert_eq!(kept.json()["stages"]["phase_2"]["steps"], 4, "{kept:?}");
}

#[test]
fn an_input_that_cannot_be_reduced_is_refused_with_the_reason() {
    let folder = TestFolder::new();
    let notes = folder.explore("notes.fake", "3", "50");
    let other = folder.explore("conform.fake", "4", "50");
    let (device, out) = (fake("notes.fake"), folder.path("out"));
    let mixed = ["reduce", &notes, &other, "-d", &device, "-o", &out];
    assert_refused(&mixed, 2, &["one app in one build"]);
    assert_refused(
        &["reduce", &folder.path("missing"), "-d", &device, "-o", &out],
        2,
        &["missing"],
    );
    assert_refused(&["reduce", &notes, "-d", &device], 2, &["--output"]);
    assert_refused(&["reduce", &notes, "-d", &device, "-o", &notes], 2, &["already holds files"]);

    let trace = Path::new(&notes).join("trace.jsonl");
    let header = fs::read_to_string(&trace).unwrap().lines().next().unwrap().to_string();
    let empty = folder.path("empty.jsonl");
    fs::write(&empty, header + "\n").unwrap();
    assert_refused(&["reduce", &empty, "-d", &device, "-o", &out], 2, &["no trace"]);
    assert!(!Path::new(&out).exists());
}

#[test]
fn reduce_exits_with_3_if_no_trace_replays() {
    let folder = TestFolder::new();
    let run = folder.explore("notes.fake", "3", "40");
    let trace = Path::new(&run).join("trace.jsonl");
    // Records another state for every launch, so that every replay diverges.
    let text = fs::read_to_string(&trace).unwrap();
    let with_wrong_state = |line: &str| match line.find("\"state\":\"") {
        Some(at) if line.starts_with("{\"start\"") => {
            format!("{}00000000000000aa{}", &line[..at + 9], &line[at + 25..])
        }
        _ => line.to_string(),
    };
    let text: Vec<String> = text.lines().map(with_wrong_state).collect();
    fs::write(&trace, text.join("\n") + "\n").unwrap();
    let device = fake("notes.fake");
    let out = folder.path("out");
    let output = retap(&["reduce", &run, "-d", &device, "-o", &out, "--abstraction", "layout"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stdout.contains("0 of 1"), "{output:?}");
}

#[test]
fn bench_reduce_measures_every_k_and_a_second_call_reads_the_results() {
    let folder = TestFolder::new();
    let (out, app) = (folder.path("bench"), fake("notes.fake"));
    let arguments = ["bench", "reduce", "--apps", &app, "synthetic", "--steps", "400", "-k", "0,2"];
    let arguments = [&arguments[..], &["--trace-length", "40", "-o", &out, "--json"]].concat();
    let output = retap(&arguments);
    assert_eq!(output.code, 0, "{output:?}");
    let json = output.json();
    let measured = json["measured"].as_array().unwrap();
    assert_eq!(measured.len(), 4, "two apps with two values of k");
    for one in measured {
        let steps = |stage: &str| one["stages"][stage]["steps"].as_u64().unwrap();
        assert_eq!(steps("recorded"), 400);
        assert!(steps("phase_2") <= steps("phase_1") && steps("phase_1") < 400, "{one}");
        let [bound, cost] =
            [&one["lower_bound"], &one["stages"]["phase_2"]].map(|part| &part["cost"]);
        assert!(bound.as_u64().unwrap() <= cost.as_u64().unwrap(), "{one}");
    }
    let again = retap(&arguments);
    assert_eq!(again.json(), json, "the second call measures again");
    let without_json = &arguments[..arguments.len() - 1];
    let table = retap(without_json);
    assert!(table.stdout.contains("k=2: ") && table.stdout.contains("synthetic"), "{table:?}");
}
