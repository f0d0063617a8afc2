//! Tests `retap replay`, `import`, `export`, `doctor` and `completions` on fakes.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{CommandOutput, assert_refused, fake, record_events, retap, retap_command};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::{TempDir, tempdir};

/// Explores a fake app and returns the trace file of the run.
fn record(app: &str, events: &str) -> (TempDir, PathBuf) {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let output = retap(&[
        "explore",
        "-d",
        &fake(app),
        "-o",
        &out,
        "--seed",
        "3",
        "--max-events",
        events,
        "-q",
    ]);
    assert!(output.code <= 1, "{output:?}");
    (temp, dir.join("trace.jsonl"))
}

/// Replays the first trace of a file.
fn replay(trace: &Path, app: &str, more: &[&str]) -> CommandOutput {
    let trace = format!("{}#1", trace.display());
    let device = fake(app);
    let mut arguments = vec!["replay", &trace, "-d", &device, "--json"];
    arguments.extend(more);
    retap(&arguments)
}

#[test]
fn a_recorded_trace_replays_faithfully_in_every_run() {
    let (_temp, trace) = record("conform.fake", "40");
    let output = replay(&trace, "conform.fake", &["--runs", "10", "-j", "2"]);
    assert_eq!(output.json()["faithful"], serde_json::json!({"successes": 10, "runs": 10}));
    // Wilson's interval for ten successes in ten runs begins at 0.72.
    assert!(output.json()["interval"][0].as_f64().unwrap() > 0.7);
}

#[test]
fn a_crash_that_the_trace_does_not_end_in_is_shown_with_its_stack() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let taps = [r#"{"tap":{"on":{"id":"add"}}}"#, r#"{"tap":{"on":{"id":"save"}}}"#];
    let summary = record_events(&run, "notes.fake", "dev.retap.demo.notes", &taps);
    let met = summary["crashes"][0]["id"].as_str().unwrap();
    let trace = run.join("trace.jsonl");
    let recorded = fs::read_to_string(&trace).unwrap();
    fs::write(&trace, recorded.replace(met, "00000000000000ff")).unwrap();

    let json = replay(&trace, "notes.fake", &[]);
    assert_eq!(json.code, 3, "{json:?}");
    let crash = &json.json()["crashes"][0];
    assert_eq!((&crash["id"], &crash["expected"]), (&met.into(), &false.into()));
    assert!(crash["stack"].as_str().unwrap().contains("EditorActivity.save"), "{crash}");

    let text = retap(&["replay", &format!("{}#1", trace.display()), "-d", &fake("notes.fake")]);
    assert!(text.stdout.contains("    \tat dev.retap.demo.notes.EditorActivity.save"), "{text:?}");
}

#[test]
fn varying_the_world_seed_shows_the_success_rate_of_a_flaky_trace() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let tap = r#"{"tap":{"on":{"id":"half"}}}"#;
    record_events(&run, "flaky.fake", "com.example.flaky", &[tap]);
    let trace = run.join("trace.jsonl");
    let same_world = replay(&trace, "flaky.fake", &["--runs", "20"]);
    assert_eq!(same_world.json()["faithful"]["successes"], 20);
    // A tap with two results of equal probability has the same result in 20 worlds with a probability of 2 in 2^20.
    let varied = replay(&trace, "flaky.fake", &["--runs", "20", "--vary-world"]);
    let faithful = varied.json()["faithful"]["successes"].as_u64().unwrap();
    assert!((1..20).contains(&faithful), "{varied:?}");
    assert_eq!(varied.json()["divergences"].as_array().unwrap().len() as u64, 20 - faithful);
}

#[test]
fn ctrl_c_keeps_the_tally_of_the_runs_so_far() {
    let (_temp, trace) = record("notes.fake", "40");
    let (trace, device) = (format!("{}#1", trace.display()), fake("notes.fake"));
    // A hundred thousand runs take longer than it takes to read of the first ones.
    let arguments = ["replay", &trace, "-d", &device, "--json", "-vv", "--runs", "100000"];
    let mut child =
        retap_command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("100 runs done") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "the command ended by itself");
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    std::io::copy(&mut log, &mut std::io::sink()).unwrap();
    let output: CommandOutput = child.wait_with_output().unwrap().into();
    assert_eq!(output.code, 130, "{output:?}");
    let summary = output.json();
    let runs = summary["runs"].as_u64().unwrap();
    assert!((100..100_000).contains(&runs), "{runs}");
    assert_eq!(summary["wanted_runs"], 100_000);
    assert_eq!(summary["faithful"]["runs"], runs);
}

#[test]
fn a_divergence_names_the_step_that_diverges() {
    let (_temp, trace) = record("conform.fake", "40");
    let text = fs::read_to_string(&trace).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    // A header and a launch precede the steps of the first trace. A step in the middle gets a state that does not exist.
    let steps = lines[2..].iter().take_while(|line| line.starts_with(r#"{"event""#)).count();
    let step = steps.div_ceil(2);
    let line = &mut lines[1 + step];
    let at = line.find("\"state\":\"").unwrap() + 9;
    line.replace_range(at..at + 16, "00000000000000aa");
    fs::write(&trace, lines.join("\n")).unwrap();
    let output = replay(&trace, "conform.fake", &[]);
    assert_eq!(output.code, 1, "{output:?}");
    assert_eq!(output.json()["divergences"][0]["step"], step);
}

#[test]
fn replay_exits_with_3_if_the_crash_does_not_happen() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    // The demo app crashes when a note without a title is saved.
    let events = [r#"{"tap":{"on":{"id":"add"}}}"#, r#"{"tap":{"on":{"id":"save"}}}"#];
    let summary = record_events(&run, "notes.fake", "dev.retap.demo.notes", &events);
    let trace = run.join(summary["crashes"][0]["trace"].as_str().unwrap());
    let text = fs::read_to_string(trace).unwrap();
    // The first step follows the header and the launch. Without it there is no editor to save in.
    let without_first_step: Vec<&str> =
        text.lines().enumerate().filter(|(at, _)| *at != 2).map(|(_, line)| line).collect();
    let cut = temp.path().join("cut.jsonl");
    fs::write(&cut, without_first_step.join("\n") + "\n").unwrap();
    let output = retap(&["replay", &cut.display().to_string(), "-d", &fake("notes.fake")]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stdout.contains("in 0 of 1"), "{output:?}");
}

#[test]
fn a_file_that_is_not_a_trace_of_this_build_is_refused() {
    let (temp, trace) = record("conform.fake", "20");
    let name = format!("{}#1", trace.display());
    let device = fake("conform.fake");
    assert_refused(
        &["replay", &name, "-d", &fake("notes.fake")],
        2,
        &["the trace is of", "--force"],
    );
    assert_refused(&["replay", "/nowhere.jsonl", "-d", &device], 2, &["/nowhere.jsonl"]);
    assert_refused(
        &["replay", &format!("{}#99", trace.display()), "-d", &device],
        2,
        &["trace number 99"],
    );
    assert_refused(&["replay", &name], 2, &["fake:FILE"]);
    let garbage = temp.path().join("garbage");
    fs::write(&garbage, b"PK\x03\x04\xff\xff").unwrap();
    assert_refused(
        &["replay", &garbage.display().to_string(), "-d", &device],
        2,
        &["garbage:1: expected"],
    );

    // The trace of another build of the same app.
    let text = fs::read_to_string(&trace).unwrap();
    let at = text.find("\"sha256\":\"").unwrap() + 10;
    let mut other_build = text;
    other_build.replace_range(at..at + 4, "ffff");
    fs::write(&trace, other_build).unwrap();
    assert_refused(&["replay", &name, "-d", &device], 2, &["another build", "--force"]);
    let forced = retap(&["replay", &name, "-d", &device, "--force"]);
    assert!(forced.code <= 1 && forced.stderr.contains("warning"), "{forced:?}");
}

#[test]
fn an_imported_monkey_script_is_exported_unchanged_and_its_commands_do_not_run() {
    let temp = tempdir().unwrap();
    let script = temp.path().join("script.txt");
    let text = "type= user\ncount= 3\nspeed= 1.0\nstart data >>\n\
                LaunchActivity(com.app,com.app.Main)\nTap(540,960)\nDispatchPress(KEYCODE_BACK)\n";
    fs::write(&script, format!("{text}RunCmd(touch {})\n", temp.path().join("executed").display()))
        .unwrap();
    let trace = temp.path().join("trace.jsonl").display().to_string();
    let imported = retap(&["import", &script.display().to_string(), "-o", &trace]);
    assert_eq!(imported.code, 0, "{imported:?}");
    assert!(
        imported.stderr.contains("script.txt:8"),
        "the warning names the unknown line: {imported:?}"
    );
    let exported = retap(&["export", &trace, "--to", "monkey", "--activity", "com.app.Main"]);
    assert_eq!(exported.stdout, text);
    assert!(!temp.path().join("executed").exists(), "RunCmd was executed");
    assert_refused(
        &["import", &script.display().to_string(), "-o", &trace],
        2,
        &["nothing is overwritten"],
    );
}

#[test]
fn doctor_accepts_a_correct_fake_and_points_at_the_manual_for_a_broken_one() {
    let healthy = retap(&["doctor", "-d", &fake("notes.fake"), "--json"]);
    assert_eq!((healthy.code, &healthy.json()["ok"]), (0, &serde_json::Value::Bool(true)));
    let broken = retap(&["doctor", "-d", &fake("broken-name.fake")]);
    assert_eq!(broken.code, 4, "{broken:?}");
    assert!(broken.stdout.contains("docs/fake.md"), "{broken:?}");
}

#[test]
fn completions_and_the_manual_page_are_written() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(retap(&["completions", shell]).stdout.contains("explore"));
    }
    assert!(retap(&["man"]).stdout.contains(".TH"));
}
