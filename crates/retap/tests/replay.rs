//! `retap replay`, `import` and `export`, through the binary.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{fake, refuses, retap};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// A short run on a fake app, and its trace file.
fn recorded(app: &str, events: &str) -> (TempDir, PathBuf) {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let ran = retap(&[
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
    assert!(ran.code <= 1, "{ran:?}");
    (temp, dir.join("trace.jsonl"))
}

fn replay(trace: &Path, app: &str, more: &[&str]) -> common::Ran {
    let trace = format!("{}#1", trace.display());
    let device = fake(app);
    let mut arguments = vec!["replay", &trace, "-d", &device, "--json"];
    arguments.extend(more);
    retap(&arguments)
}

#[test]
fn a_recorded_trace_replays_faithfully_as_often_as_asked() {
    let (_temp, trace) = recorded("conform.fake", "40");
    let ran = replay(&trace, "conform.fake", &["--runs", "10", "-j", "2"]);
    assert_eq!(ran.json()["faithful"], serde_json::json!({"successes": 10, "runs": 10}));
    assert!(ran.json()["interval"][0].as_f64().unwrap() > 0.7);
}

#[test]
fn other_worlds_show_how_often_a_flaky_trace_works() {
    let (_temp, trace) = recorded("flaky.fake", "60");
    let same = replay(&trace, "flaky.fake", &["--runs", "20"]);
    assert_eq!(same.json()["faithful"]["successes"], 20);
    let varied = replay(&trace, "flaky.fake", &["--runs", "20", "--vary-world"]);
    let faithful = varied.json()["faithful"]["successes"].as_u64().unwrap();
    assert!((1..20).contains(&faithful), "{varied:?}");
    assert_eq!(varied.json()["divergences"].as_array().unwrap().len() as u64, 20 - faithful);
}

#[test]
fn an_edited_step_is_reported_where_it_stands() {
    let (_temp, trace) = recorded("conform.fake", "40");
    let text = fs::read_to_string(&trace).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    // Line 5 is the third step: say that it leads nowhere known.
    let at = lines[4].find("\"state\":\"").unwrap() + 9;
    lines[4].replace_range(at..at + 16, "00000000000000aa");
    fs::write(&trace, lines.join("\n")).unwrap();
    let ran = replay(&trace, "conform.fake", &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(ran.json()["divergences"][0]["step"], 3);
}

#[test]
fn a_crash_that_does_not_come_is_not_reproduced() {
    let temp = tempdir().unwrap();
    let dir = temp.path().join("run");
    let out = dir.display().to_string();
    let device = fake("notes.fake");
    let random = ["--strategy", "random", "--seed", "7", "--max-events", "500", "-q"];
    retap(&[&["explore", "-d", &device, "-o", &out][..], &random].concat());
    let folder = fs::read_dir(dir.join("crashes")).unwrap().flatten().next().unwrap().path();
    // Of the minimised trace every step matters.
    let text = fs::read_to_string(folder.join("minimized.jsonl")).unwrap();
    let without_first: Vec<&str> =
        text.lines().enumerate().filter(|(n, _)| *n != 2).map(|(_, line)| line).collect();
    let cut = temp.path().join("cut.jsonl");
    fs::write(&cut, without_first.join("\n") + "\n").unwrap();
    let ran = retap(&["replay", &cut.display().to_string(), "-d", &device]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stdout.contains("in 0 of 1"), "{ran:?}");
}

#[test]
fn what_is_no_trace_of_this_app_is_refused() {
    let (temp, trace) = recorded("conform.fake", "20");
    let name = format!("{}#1", trace.display());
    let device = fake("conform.fake");
    refuses(&["replay", &name, "-d", &fake("notes.fake")], 2, &["the trace is of", "--force"]);
    refuses(&["replay", "/nowhere.jsonl", "-d", &device], 2, &["/nowhere.jsonl"]);
    refuses(
        &["replay", &format!("{}#99", trace.display()), "-d", &device],
        2,
        &["trace number 99"],
    );
    refuses(&["replay", &name], 2, &["fake:FILE"]);
    let garbage = temp.path().join("garbage");
    fs::write(&garbage, b"PK\x03\x04\xff\xff").unwrap();
    refuses(
        &["replay", &garbage.display().to_string(), "-d", &device],
        2,
        &["garbage:1: expected"],
    );

    // The same app in another build.
    let text = fs::read_to_string(&trace).unwrap();
    let at = text.find("\"sha256\":\"").unwrap() + 10;
    let mut other = text;
    other.replace_range(at..at + 4, "ffff");
    fs::write(&trace, other).unwrap();
    refuses(&["replay", &name, "-d", &device], 2, &["another build", "--force"]);
    let forced = retap(&["replay", &name, "-d", &device, "--force"]);
    assert!(forced.code <= 1 && forced.stderr.contains("warning"), "{forced:?}");
}

#[test]
fn a_monkey_script_comes_in_and_goes_out_again() {
    let temp = tempdir().unwrap();
    let script = temp.path().join("script.txt");
    let text = "type= user\ncount= 3\nspeed= 1.0\nstart data >>\n\
                LaunchActivity(com.app,com.app.Main)\nTap(540,960)\nDispatchPress(KEYCODE_BACK)\n";
    fs::write(&script, format!("{text}RunCmd(touch {})\n", temp.path().join("ran").display()))
        .unwrap();
    let trace = temp.path().join("trace.jsonl").display().to_string();
    let imported = retap(&["import", &script.display().to_string(), "-o", &trace]);
    assert_eq!(imported.code, 0, "{imported:?}");
    assert!(imported.stderr.contains("script.txt:8"), "the unknown line is named: {imported:?}");
    let exported = retap(&["export", &trace, "--to", "monkey", "--activity", "com.app.Main"]);
    assert_eq!(exported.stdout, text);
    assert!(!temp.path().join("ran").exists(), "RunCmd was executed");
    refuses(
        &["import", &script.display().to_string(), "-o", &trace],
        2,
        &["nothing is overwritten"],
    );
}

#[test]
fn doctor_reads_a_fake_and_says_what_is_wrong_with_a_broken_one() {
    let healthy = retap(&["doctor", "-d", &fake("notes.fake"), "--json"]);
    assert_eq!((healthy.code, &healthy.json()["ok"]), (0, &serde_json::Value::Bool(true)));
    let broken = retap(&["doctor", "-d", &fake("broken-name.fake")]);
    assert_eq!(broken.code, 4, "{broken:?}");
    assert!(broken.stdout.contains("docs/fake.md"), "{broken:?}");
}

#[test]
fn completions_know_the_verbs() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(retap(&["completions", shell]).stdout.contains("explore"));
    }
    assert!(retap(&["man"]).stdout.contains(".TH"));
}
