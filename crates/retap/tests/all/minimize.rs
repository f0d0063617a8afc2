//! Tests `retap minimize` on fakes.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{
    CommandOutput, assert_refused, fake, format_trace, record_events, retap, retap_command,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// Writes the trace of SimplyDroid's DalvikExplorer example: the launch and 35 taps, of which the last one crashes.
fn write_dalvik_trace() -> (TempDir, String) {
    let temp = tempdir().unwrap();
    let path = temp.path().join("dalvik.jsonl");
    let taps: Vec<String> =
        (2..=36).map(|event| format!(r#"{{"tap":{{"on":{{"id":"e{event}"}}}}}}"#)).collect();
    let taps: Vec<&str> = taps.iter().map(String::as_str).collect();
    fs::write(&path, format_trace("org.jessies.dalvikexplorer", &taps)).unwrap();
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

#[test]
fn events_after_the_crash_cost_nothing_and_hide_no_hierarchy() {
    let (temp, trace) = write_dalvik_trace();
    let text = fs::read_to_string(&trace).unwrap();
    let longer = temp.path().join("longer.jsonl").display().to_string();
    let after = "{\"event\":{\"tap\":{\"on\":{\"id\":\"e5\"}}}}\n".repeat(4);
    fs::write(&longer, text + &after).unwrap();
    for algorithm in ["hdd", "lhdd", "auto"] {
        let calls = |trace: &str, name: &str| {
            let more = ["--oracle", "crash", "--algorithm", algorithm];
            let output = minimize(trace, "dalvik.fake", &temp.path().join(name), &more);
            assert_eq!(output.code, 1, "{output:?}");
            assert_eq!(output.json()["events_after"], 3, "{algorithm}");
            output.json()["oracle_calls"].as_u64().unwrap()
        };
        let cut = calls(&trace, &format!("{algorithm}-cut"));
        assert_eq!(calls(&longer, &format!("{algorithm}-longer")), cut, "{algorithm}");
    }
}

#[test]
fn p2_is_given_only_where_every_single_event_was_tested() {
    let (temp, trace) = write_dalvik_trace();
    for (algorithm, is_given) in [("hdd", false), ("dd", true), ("auto", true)] {
        let more = ["--oracle", "crash", "--algorithm", algorithm];
        let output = minimize(&trace, "dalvik.fake", &temp.path().join(algorithm), &more);
        assert_eq!(output.json()["p2"].is_number(), is_given, "{output:?}");
    }
    let more = ["--oracle", "crash", "--budget", "3"];
    let output = minimize(&trace, "dalvik.fake", &temp.path().join("budget"), &more);
    assert!(output.json()["p2"].is_null(), "{output:?}");
}

/// Crashes always on a long text, and in four runs of five on a short one.
const HASTY: &str = "
app com.example.hasty 1.0
start main covers start
screen main activity Main
  edit body \"Text\"
  button save \"Save\"
on main tap save if length body > 5 -> crash lost covers save
on main tap save if body != \"\" chance 0.8 -> crash lost covers save
crash lost
  java.lang.IllegalStateException: lost
    at com.example.hasty.Main.save(Main.java:9)
end
";

#[test]
fn what_is_handed_over_is_what_fresh_worlds_confirmed() {
    let temp = tempdir().unwrap();
    let app = temp.path().join("hasty.fake");
    fs::write(&app, HASTY).unwrap();
    let device = format!("fake:{}", app.display());
    let events = [
        r#"{"text":{"on":{"on":{"id":"body"}},"text":"a long text"}}"#,
        r#"{"tap":{"on":{"id":"save"}}}"#,
    ];
    for world in 1..=8 {
        let trace = temp.path().join(format!("{world}.jsonl"));
        let text = format_trace("com.example.hasty", &events);
        let text = text.replace("\"world_seed\":1", &format!("\"world_seed\":{world}000"));
        fs::write(&trace, text.replace("\"start\":1", &format!("\"start\":{world}000"))).unwrap();
        let [trace, out] = [trace, temp.path().join(format!("out-{world}"))]
            .map(|path| path.display().to_string());
        let arguments =
            ["minimize", &trace, "-d", &device, "-o", &out, "--json", "--oracle", "crash"];
        let more = ["--vary-world", "--worlds", "300"];
        let output: CommandOutput = retap_command(&[&arguments[..], &more[..]].concat())
            .env("RETAP_CACHE", &out)
            .output()
            .unwrap()
            .into();
        let rate = output.json()["success"]["value"].as_f64().unwrap();
        assert!(rate > 0.95, "world {world}: {output:?}");
    }
}

/// Shares a long text in the demo app, which crashes. Only the last tap on "add", the text in "body" and the tap on
/// "share" are needed.
const SHARE_LONG_TEXT: [&str; 13] = [
    r#"{"tap":{"on":{"id":"more"}}}"#,
    r#"{"tap":{"on":{"id":"about"}}}"#,
    r#"{"tap":{"on":{"id":"ok"}}}"#,
    r#"{"tap":{"on":{"id":"more"}}}"#,
    r#"{"tap":{"on":{"id":"about"}}}"#,
    r#"{"tap":{"on":{"id":"ok"}}}"#,
    r#"{"tap":{"on":{"id":"add"}}}"#,
    r#"{"text":{"on":{"on":{"id":"title"}},"text":"First note"}}"#,
    r#"{"tap":{"on":{"id":"save"}}}"#,
    r#"{"tap":{"on":{"id":"add"}}}"#,
    r#"{"text":{"on":{"on":{"id":"title"}},"text":"Second note"}}"#,
    r#"{"text":{"on":{"on":{"id":"body"}},"text":"This text is longer than twenty letters"}}"#,
    r#"{"tap":{"on":{"id":"share"}}}"#,
];
const NEEDED_EVENTS: u64 = 3;

/// Records [`SHARE_LONG_TEXT`] and returns the trace of its crash.
fn record_share_crash() -> (TempDir, PathBuf) {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let summary = record_events(&run, "notes.fake", "dev.retap.demo.notes", &SHARE_LONG_TEXT);
    let trace = run.join(summary["crashes"][0]["trace"].as_str().unwrap());
    (temp, trace)
}

#[test]
fn every_algorithm_finds_a_shorter_trace_that_replays_to_the_same_crash() {
    let (temp, trace) = record_share_crash();
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
    let (temp, trace) = record_share_crash();
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
    let (temp, trace) = record_share_crash();
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
    let (temp, trace) = record_share_crash();
    let trace = trace.display().to_string();
    let activity = minimize(
        &trace,
        "notes.fake",
        &temp.path().join("activity"),
        &["--oracle", "activity:EditorActivity"],
    );
    assert_eq!(activity.code, 0, "{activity:?}");
    assert_eq!(activity.json()["events_after"], 1, "a tap on add opens the editor: {activity:?}");
    let program = "cmd:grep -q TransactionTooLarge";
    let by_program =
        minimize(&trace, "notes.fake", &temp.path().join("program"), &["--oracle", program]);
    assert_eq!(by_program.code, 0, "{by_program:?}");
    assert_eq!(by_program.json()["events_after"], NEEDED_EVENTS, "{by_program:?}");
}

#[test]
fn a_trace_that_cannot_be_minimised_is_refused_with_the_reason() {
    let (temp, trace) = record_share_crash();
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
    assert_eq!(page.matches("The screen before step ").count(), events, "{page}");
    let states = fs::read_to_string(out.join("states.jsonl")).unwrap();
    let first_state: Value = serde_json::from_str(states.lines().next().unwrap()).unwrap();
    let activity = first_state["activity"].as_str().unwrap().rsplit('.').next().unwrap();
    assert!(page.contains(&format!(" in {activity}")), "{activity}");
}
