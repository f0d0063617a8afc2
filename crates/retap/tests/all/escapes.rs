//! An app that tries to speak through retap: escape sequences, turned text and forged lines in everything that it
//! chooses. None of it reaches the terminal, the report or the names of files.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::retap_command;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// Clears the screen, sets the window's title, turns text around, hides, and ends the line.
const EVIL: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}txt\u{200b}\u{2066}\u{2028}\rerror: forged";

const UNSAFE: [char; 9] =
    ['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{200b}', '\u{2066}', '\u{2028}', '\r', '\u{7f}'];

fn app() -> String {
    format!(
        "app com.example.evil 1.0\nstart main covers method:Main.onCreate\n\
         screen main activity Main \"Main {EVIL}\"\n  button go \"Go {EVIL}\" described \"{EVIL}\"\n\
         on main tap go -> crash evil covers go logs \"{EVIL}\"\n\
         crash evil\n  java.lang.IllegalStateException: {EVIL}\n    at com.example.evil.Main.{EVIL}(Main.java:1)\nend\n"
    )
}

fn check(what: &str, text: &str) {
    let found = text.chars().find(|c| UNSAFE.contains(c));
    assert_eq!(found, None, "{what}: {}", text.escape_debug());
}

fn check_file(path: &Path) {
    check(&path.display().to_string(), &fs::read_to_string(path).unwrap());
}

#[test]
fn nothing_that_an_app_chooses_acts_on_a_terminal_or_a_reader() {
    let temp = tempdir().unwrap();
    fs::write(temp.path().join("evil.fake"), app()).unwrap();
    let device = ["-d", "fake:evil.fake"];
    let run = |arguments: &[&str], code: i32| {
        let mut command = retap_command(arguments);
        let output = command.current_dir(temp.path()).output().unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stdout}\n{stderr}");
        check(&format!("standard output of {arguments:?}"), &stdout);
        check(&format!("standard error of {arguments:?}"), &stderr);
        stdout
    };
    let explore = ["explore", "--max-events", "50", "--seed", "1", "-o", "run"];
    let shown = run(&[&explore[..], &device, &["-vv"]].concat(), 1);
    assert!(shown.contains("\\u{1b}[2J"), "the message is shown by its codes: {shown}");
    let crash = fs::read_dir(temp.path().join("run/crashes")).unwrap().next().unwrap().unwrap();
    for file in ["report.html", "junit.xml", "report.sarif", "debug.log", "result.json"] {
        check_file(&temp.path().join("run").join(file));
    }
    check_file(&crash.path().join("stack.txt"));
    let trace = crash.path().join("trace.jsonl").display().to_string();
    run(&[&["replay", &trace][..], &device].concat(), 1);
    run(&[&["replay", &trace, "--json"][..], &device].concat(), 1);
    run(&[&["minimize", &trace, "-o", "minimized"][..], &device].concat(), 1);
    check_file(&temp.path().join("minimized/report.html"));
    run(&["report", "run", "--json"], 0);
    run(&["export", &trace, "--to", "monkey"], 0);
    // No class can have such a name.
    run(&["export", &trace, "--to", "monkey", "--activity", EVIL], 2);
    // Without -o the package names the directory.
    run(&[&["explore", "--max-events", "5", "--seed", "1"][..], &device].concat(), 1);
    let out = fs::read_dir(temp.path().join("retap-out")).unwrap();
    assert!(
        out.flatten().all(|it| it.file_name().to_string_lossy().starts_with("com.example.evil-"))
    );
}
