//! A program that chooses every event, and `retap` without a verb.

use crate::common::{fake, retap, retap_command};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// A program for the shell: it answers every line by a line of its own.
fn program(folder: &Path, answers: &str) -> String {
    let file = folder.join("program.sh");
    fs::write(&file, format!("n=0\nwhile read -r line; do n=$((n+1)); {answers}; done\n")).unwrap();
    format!("cmd:sh {}", file.display())
}

fn explore(strategy: &str, run: &Path) -> crate::common::CommandOutput {
    let device = fake("notes.fake");
    let run = run.display().to_string();
    retap(&[
        "explore",
        "-d",
        &device,
        "--strategy",
        strategy,
        "--seed",
        "1",
        "--max-events",
        "50",
        "-o",
        &run,
        "--oracle",
        "none",
        "--json",
    ])
}

#[test]
fn a_program_finds_a_crash_that_is_minimised_and_replayed_like_every_other() {
    let temp = tempdir().unwrap();
    let taps = r#"case "$line" in
        *'"over":true'*) echo '"restart"';;
        *'"id":"save"'*|*':id/save"'*) echo '{"move":{"tap":{"on":{"id":"save"}}},"why":"save it"}';;
        *) echo '{"tap":{"on":{"id":"add"}}}';;
    esac"#;
    let run = temp.path().join("run");
    let explored = explore(&program(temp.path(), taps), &run);
    assert_eq!(explored.code, 1, "{explored:?}");
    let summary = explored.json();
    assert_eq!(summary["events"], 50);
    assert_eq!(summary["crashes"][0]["id"], "730828c8564b3f9a", "{summary}");
    assert_eq!(summary["crashes"][0]["events"], 2);
    let trace = run.join("crashes/730828c8564b3f9a").display().to_string();
    assert_eq!(retap(&["replay", &trace, "-d", &fake("notes.fake")]).code, 1);
}

#[test]
fn a_program_can_stop_and_one_that_fails_is_named_and_loses_nothing() {
    let temp = tempdir().unwrap();
    let stops = r#"if [ $n -gt 3 ]; then echo '"stop"'; else echo '{"key":"back"}'; fi"#;
    let stopped = explore(&program(temp.path(), stops), &temp.path().join("stopped"));
    assert_eq!((stopped.code, &stopped.json()["ended"]), (0, &"complete".into()), "{stopped:?}");
    for (name, answer, why) in [
        ("nonsense", "echo hello", "expected a line of JSON"),
        ("unknown", r#"echo '{"fly":1}'"#, "expected an event"),
        ("gone", "exit 0", "it has ended"),
    ] {
        let run = temp.path().join(name);
        let failed = explore(&program(temp.path(), answer), &run);
        assert_eq!(failed.code, 2, "{failed:?}");
        assert!(failed.stderr.contains(why) && failed.stderr.contains("program.sh"), "{failed:?}");
        assert!(run.join("result.json").is_file(), "{name}: the results are kept");
    }
}

#[test]
fn retap_alone_says_what_to_do_next() {
    let temp = tempdir().unwrap();
    let alone = |folder: &Path| {
        let output = retap_command(&[]).current_dir(folder).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(alone(temp.path()).contains("retap explore APP.apk"));
    fs::write(temp.path().join("my.apk"), "").unwrap();
    assert!(alone(temp.path()).contains("retap explore my.apk"));
    let run = temp.path().join("retap-out/mine").display().to_string();
    retap(&[
        "explore",
        "-d",
        &fake("notes.fake"),
        "--seed",
        "1",
        "--max-events",
        "5",
        "-o",
        &run,
        "-q",
    ]);
    assert!(
        alone(temp.path()).contains("retap report ./retap-out/mine --open"),
        "{}",
        alone(temp.path())
    );
}
