//! Tests `retap minimize` on fakes.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{CommandOutput, assert_refused, fake, retap, retap_command};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// Writes the trace of SimplyDroid's DalvikExplorer example: the launch and 35 taps, of which the last one crashes.
fn write_dalvik_trace() -> (TempDir, String) {
    let temp = tempdir().unwrap();
    let path = temp.path().join("dalvik.jsonl");
    let package = "org.jessies.dalvikexplorer";
    let mut lines = vec![format!(
        r#"{{"retap":"trace","version":1,"app":{{"package":"{package}","sha256":""}},"device":"fake","display":"1080x1920@480","world_seed":1,"abstraction":"activity"}}"#
    )];
    lines.push(r#"{"start":1}"#.into());
    for event in 2..=36 {
        lines.push(format!(r#"{{"event":{{"tap":{{"on":{{"id":"e{event}"}}}}}}}}"#));
    }
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    (temp, path.display().to_string())
}

fn minimize(trace: &str, app: &str, out: &Path, more: &[&str]) -> CommandOutput {
    let device = fake(app);
    let out = out.display().to_string();
    let mut arguments = vec!["minimize", trace, "-d", &device, "-o", &out, "--json"];
    arguments.extend(more);
    retap_command(&arguments).env("RETAP_CACHE", out).output().unwrap().into()
}

#[test]
fn simplydroids_example_is_minimised_to_three_taps_with_the_papers_number_of_oracle_calls() {
    let (temp, trace) = write_dalvik_trace();
    for (algorithm, oracle_calls) in [("hdd", 6), ("bhdd", 6), ("lhdd", 4)] {
        let out = temp.path().join(algorithm);
        let output =
            minimize(&trace, "dalvik.fake", &out, &["--oracle", "crash", "--algorithm", algorithm]);
        assert_eq!(output.code, 1, "{output:?}");
        let json = output.json();
        assert_eq!(
            json["events_after"], 3,
            "the paper keeps events 22, 23 and 36 besides the launch: {json}"
        );
        assert_eq!(json["oracle_calls"], oracle_calls, "{algorithm}");
    }
    let dd = minimize(
        &trace,
        "dalvik.fake",
        &temp.path().join("dd"),
        &["--oracle", "crash", "--algorithm", "dd"],
    );
    assert_eq!(dd.json()["events_after"], 3);
    // The paper's point: plain delta debugging needs several times the oracle calls of the hierarchical algorithms.
    assert!(dd.json()["oracle_calls"].as_u64().unwrap() >= 3 * 6, "{dd:?}");
}

/// The demo app's crash that is caused by sharing a long text.
const SHARE_CRASH: &str = "android.os.TransactionTooLargeException";
/// The length of the shortest trace to [`SHARE_CRASH`]: open the editor, type a long text, share it.
const SHARE_EVENTS: u64 = 3;

/// Explores the demo app and returns the trace of [`SHARE_CRASH`], not minimised.
fn find_share_crash() -> (TempDir, PathBuf) {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let output = retap(&[
        "explore",
        "-d",
        &fake("notes.fake"),
        "-o",
        &out,
        "--seed",
        "7",
        "--max-events",
        "5000",
        "--no-minimize",
        // Random traces contain the most unnecessary events.
        "--strategy",
        "random",
        "--json",
    ]);
    let json = output.json();
    let crashes = json["crashes"].as_array().unwrap();
    let crash = crashes.iter().find(|crash| crash["exception"] == SHARE_CRASH);
    let crash = crash.unwrap_or_else(|| panic!("the run does not find the crash: {json}"));
    let events = crash["events"].as_u64().unwrap();
    assert!(events > SHARE_EVENTS, "the trace is too short to be minimised: {json}");
    let trace = dir.join(crash["trace"].as_str().unwrap());
    (temp, trace)
}

#[test]
fn every_algorithm_finds_a_shorter_trace_that_replays_to_the_same_crash() {
    let (temp, trace) = find_share_crash();
    let trace = trace.display().to_string();
    for algorithm in ["auto", "dd", "hdd", "bhdd", "lhdd", "nd", "probdd", "cdd"] {
        let out = temp.path().join(algorithm);
        let output = minimize(&trace, "notes.fake", &out, &["--algorithm", algorithm]);
        let json = output.json();
        assert!(
            json["events_after"].as_u64() < json["events_before"].as_u64(),
            "{algorithm} {json}"
        );
        let success = &json["success"];
        assert_eq!(success["successes"], success["runs"], "{algorithm} {json}");
        let answer = out.join("minimized.jsonl").display().to_string();
        let replayed = retap(&["replay", &answer, "-d", &fake("notes.fake"), "--json"]);
        assert_eq!(replayed.json()["reproduced"]["successes"], 1, "{algorithm}");
    }
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_devices() {
    let (temp, trace) = find_share_crash();
    let trace = trace.display().to_string();
    let answer = |jobs: &str| {
        let out = temp.path().join(jobs);
        minimize(&trace, "notes.fake", &out, &["-j", jobs, "--runs", "5", "--vary-world"]);
        fs::read_to_string(out.join("minimized.jsonl")).unwrap()
    };
    assert_eq!(answer("1"), answer("3"));
}

#[test]
fn a_resumed_minimisation_repeats_no_oracle_call() {
    let (temp, trace) = find_share_crash();
    let trace = trace.display().to_string();
    let out = temp.path().join("out");
    let interrupted = minimize(&trace, "notes.fake", &out, &["--budget", "4"]);
    assert_eq!(interrupted.json()["ended"], "budget_spent", "{interrupted:?}");
    assert!(out.join("minimized.jsonl").exists(), "the best trace so far is on disk");
    let before = fs::read_to_string(out.join("oracle.jsonl")).unwrap();
    let dir = out.display().to_string();
    let resumed =
        retap_command(&["minimize", "--resume", "-o", &dir, "--budget", "1000", "--json"])
            .env("RETAP_CACHE", &dir)
            .output()
            .unwrap();
    let resumed = CommandOutput::from(resumed);
    assert_eq!(resumed.json()["ended"], "complete", "{resumed:?}");
    let after = fs::read_to_string(out.join("oracle.jsonl")).unwrap();
    assert!(after.starts_with(&before), "the earlier answers stay");
    let distinct: BTreeSet<&str> = after.lines().collect();
    assert_eq!(distinct.len(), after.lines().count(), "no oracle call is made twice");
}

#[test]
fn activities_and_programs_serve_as_oracles() {
    let (temp, trace) = find_share_crash();
    let trace = trace.display().to_string();
    let activity = minimize(
        &trace,
        "notes.fake",
        &temp.path().join("activity"),
        &["--oracle", "activity:EditorActivity"],
    );
    // The list opens the editor directly or through a menu. The trace decides which of the two is left.
    let events = activity.json()["events_after"].as_u64().unwrap();
    assert!(activity.code == 0 && (1..=2).contains(&events), "{activity:?}");
    let program = "cmd:grep -q TransactionTooLarge";
    let by_program =
        minimize(&trace, "notes.fake", &temp.path().join("program"), &["--oracle", program]);
    assert_eq!(by_program.code, 0, "{by_program:?}");
    assert_eq!(by_program.json()["events_after"], SHARE_EVENTS, "{by_program:?}");
}

#[test]
fn a_trace_that_cannot_be_minimised_is_refused_with_the_reason() {
    let (temp, trace) = find_share_crash();
    let name = trace.display().to_string();
    let device = fake("notes.fake");
    let out = |name: &str| temp.path().join(name).display().to_string();
    let text = fs::read_to_string(&trace).unwrap();

    // Without its last line the trace ends in no crash.
    let lines: Vec<&str> = text.lines().collect();
    let without_crash = temp.path().join("without-crash.jsonl");
    fs::write(&without_crash, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    assert_refused(
        &["minimize", &without_crash.display().to_string(), "-d", &device, "-o", &out("1")],
        2,
        &["--oracle"],
    );

    // Without the typed text the trace does not reach the crash that it records.
    let is_typing = |line: &str| line.starts_with(r#"{"event":{"text":"#);
    let without_text: Vec<&str> = lines.iter().copied().filter(|line| !is_typing(line)).collect();
    assert!(without_text.len() < lines.len(), "no step types a text: {text}");
    let broken = temp.path().join("broken.jsonl");
    fs::write(&broken, without_text.join("\n") + "\n").unwrap();
    let texts = ["does not show", "0 of 1 runs", "--vary-world"];
    assert_refused(
        &["minimize", &broken.display().to_string(), "-d", &device, "-o", &out("2")],
        3,
        &texts,
    );

    let missing =
        ["minimize", &name, "-d", &device, "-o", &out("3"), "--oracle", "cmd:/no/such/program"];
    assert_refused(&missing, 2, &["/no/such/program"]);
    assert_refused(
        &["minimize", &name, "-d", &device, "--runs", "3", "--required", "4", "-o", &out("4")],
        2,
        &["4 successes in 3 runs"],
    );
    assert_refused(
        &["minimize", &name, "-d", &fake("conform.fake"), "-o", &out("5")],
        2,
        &["the trace is of"],
    );
    assert_refused(&["minimize"], 2, &["TRACE"]);
}

#[test]
fn an_oracle_program_with_varying_answers_causes_a_warning_and_is_used() {
    let (temp, trace) = write_dalvik_trace();
    let calls = temp.path().join("calls");
    fs::write(&calls, "").unwrap();
    // The program says no to every fourth call.
    let program = format!(
        "cmd:cat > /dev/null; echo >> '{0}'; test $(( $(wc -l < '{0}') % 4 )) -ne 0",
        calls.display()
    );
    let out = temp.path().join("out");
    let output = minimize(&trace, "dalvik.fake", &out, &["--oracle", &program]);
    assert_eq!(output.code, 0, "{output:?}");
    // Any eight calls in a row contain two that are answered with no.
    assert!(output.stderr.contains("yes in 6 of 8"), "{output:?}");
    assert!(out.join("minimized.jsonl").is_file());
}

#[test]
fn the_report_shows_every_screen_of_the_minimised_trace_and_names_its_activities() {
    let (temp, trace) = write_dalvik_trace();
    let out = temp.path().join("out");
    let output = minimize(&trace, "dalvik.fake", &out, &["--oracle", "crash"]);
    assert_eq!(output.code, 1, "{output:?}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    let events = output.json()["events_after"].as_u64().unwrap() as usize;
    assert_eq!(page.matches("The screen before this step").count(), events, "{page}");
    let states = fs::read_to_string(out.join("states.jsonl")).unwrap();
    let first_state: Value = serde_json::from_str(states.lines().next().unwrap()).unwrap();
    let activity = first_state["activity"].as_str().unwrap().rsplit('.').next().unwrap();
    assert!(page.contains(&format!(" in {activity}")), "{activity}");
}
