//! An app that tries to speak through retap: markup, escape sequences, turned text, quotation marks of every language,
//! forged lines, emoji and very long texts in everything that it chooses. All of it is shown as text: on the terminal, in
//! the report, on the page, in CI formats and in every export.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::retap_command;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

/// Clears the screen, sets the window's title, turns text around, hides, and ends the line.
const EVIL: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}txt\u{200b}\u{2066}\u{2028}\rerror: forged";

/// Markup, and what ends a text or a comment in the languages of exports. A fake's own texts end with a quotation mark.
const MARKUP: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>]]>--><!-- */ ''' `id` $(id) '; id;# \
    \\\\u000a \\n %s %n [a](javascript:alert(1)) ::error::forged 😀👩‍👩‍👧";

const UNSAFE: [char; 9] =
    ['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{200b}', '\u{2066}', '\u{2028}', '\r', '\u{7f}'];

const FORMATS: [&str; 9] = [
    "adb",
    "appium",
    "espresso",
    "maestro",
    "markdown",
    "monkey",
    "robo",
    "uiautomator",
    "uiautomator2",
];

fn app() -> String {
    let long = "long ".repeat(4_000);
    format!(
        "app com.example.evil 1.0\nstart main covers method:Main.onCreate\n\
         screen main activity Main \"Main {EVIL}\"\n  button go \"Go {EVIL}\" described \"{EVIL}\"\n\
         \x20 button mark \"{MARKUP}\" described \"{MARKUP}\"\n  label all \"{long}\"\n\
         on main tap go -> crash evil covers go logs \"{EVIL}\"\n\
         on main tap mark -> crash mark covers mark logs \"{MARKUP}\"\n\
         crash evil\n  java.lang.IllegalStateException: {EVIL}\n    at com.example.evil.Main.{EVIL}(Main.java:1)\nend\n\
         crash mark\n  java.lang.IllegalArgumentException: {MARKUP} {long}\n    at com.example.evil.Main.mark(Main.java:2)\nend\n"
    )
}

fn check(what: &str, text: &str) {
    let found = text.chars().find(|c| UNSAFE.contains(c));
    assert_eq!(found, None, "{what}: {}", text.escape_debug());
}

fn check_file(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    check(&path.display().to_string(), &text);
    text
}

#[test]
fn nothing_that_an_app_chooses_acts_on_a_terminal_or_a_reader() {
    let temp = tempdir().unwrap();
    fs::write(temp.path().join("evil.fake"), app()).unwrap();
    let device = ["-d", "fake:evil.fake"];
    let run = |arguments: &[&str], codes: &[i32]| {
        let mut command = retap_command(arguments);
        let output = command.current_dir(temp.path()).output().unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        let code = output.status.code().unwrap();
        assert!(codes.contains(&code), "{code} of {arguments:?}\n{stdout}\n{stderr}");
        check(&format!("standard output of {arguments:?}"), &stdout);
        check(&format!("standard error of {arguments:?}"), &stderr);
        stdout
    };
    let explore = ["explore", "--max-events", "80", "--seed", "1", "-o", "run"];
    let shown = run(&[&explore[..], &device, &["-vv"]].concat(), &[1]);
    assert!(shown.contains("\\u{1b}[2J"), "the message is shown by its codes: {shown}");
    let file = |name: &str| check_file(&temp.path().join("run").join(name));
    check_report(&file("report.html"));
    check_xml(&file("junit.xml"));
    for name in ["report.sarif", "result.json"] {
        serde_json::from_str::<serde_json::Value>(&file(name)).unwrap();
    }
    file("debug.log");
    let crashes: Vec<_> =
        fs::read_dir(temp.path().join("run/crashes")).unwrap().flatten().collect();
    assert_eq!(crashes.len(), 2);
    for crash in &crashes {
        check_file(&crash.path().join("stack.txt"));
        let trace = crash.path().join("trace.jsonl").display().to_string();
        run(&[&["replay", &trace][..], &device].concat(), &[1]);
        run(&[&["replay", &trace, "--json"][..], &device].concat(), &[1]);
        for format in FORMATS {
            // A text that the language cannot say ends with 2.
            check_script(format, &run(&["export", &trace, "--to", format], &[0, 2]));
        }
        // No class can have such a name.
        run(&["export", &trace, "--to", "monkey", "--activity", EVIL], &[2]);
    }
    let trace = crashes[0].path().join("trace.jsonl").display().to_string();
    run(&[&["minimize", &trace, "-o", "minimized"][..], &device].concat(), &[1]);
    check_report(&check_file(&temp.path().join("minimized/report.html")));
    run(&[&["reduce", "run", "-o", "suite", "-q"][..], &device].concat(), &[0, 1]);
    check_report(&check_file(&temp.path().join("suite/report.html")));
    run(&["report", "run", "--json"], &[0]);
    let annotations = run(&["report", "run", "--github"], &[0]);
    let begins = |line: &str| line.starts_with("::error::forged");
    assert!(!annotations.lines().any(begins), "{annotations}");
    // Without -o the package names the directory.
    run(&[&["explore", "--max-events", "5", "--seed", "1"][..], &device].concat(), &[1]);
    let out = fs::read_dir(temp.path().join("retap-out")).unwrap();
    assert!(
        out.flatten().all(|it| it.file_name().to_string_lossy().starts_with("com.example.evil-"))
    );
}

/// Asserts that the page has no element of the app's.
fn check_report(page: &str) {
    for markup in ["<script>alert", "<img src=x"] {
        assert!(!page.contains(markup), "{markup}");
    }
}

fn check_xml(text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) => {
                assert!(!["script", "img"].contains(&tag.name().as_ref()));
            }
            _ => {}
        }
    }
}

/// Asserts that a script is what its language takes it for, whatever the app's texts are.
fn check_script(format: &str, script: &str) {
    let passes = |program: &str, arguments: &[&str]| {
        let temp = tempdir().unwrap();
        let file = temp.path().join("script");
        fs::write(&file, script).unwrap();
        let done = Command::new(program).args(arguments).arg(&file).output().unwrap();
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{format}: {error}\n{script}");
    };
    match format {
        "adb" => passes("sh", &["-n"]),
        "appium" | "uiautomator2" => {
            passes("python3", &["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"]);
        }
        "espresso" | "uiautomator" => {
            // Java reads such an escape everywhere, unless a backslash stands before it.
            assert!(!script.replace("\\\\", "").contains("\\u000a"), "{script}");
        }
        "robo" => assert!(serde_json::from_str::<serde_json::Value>(script).is_ok(), "{script}"),
        "markdown" => {
            let outside = script.split("```").step_by(2).collect::<String>();
            let read = outside.replace("\\<", "");
            assert!(!read.contains("<script") && !read.contains("](java"), "{script}");
        }
        "maestro" => {
            let is_plain = |line: &str| !line.trim_start().starts_with("- runScript");
            assert!(script.lines().all(is_plain), "{script}");
        }
        _ => {}
    }
}

#[test]
fn half_a_character_is_refused_with_its_line() {
    let temp = tempdir().unwrap();
    let trace = temp.path().join("half.jsonl");
    let text = crate::common::format_trace("com.example", &[r#"{"tap":{"on":{"text":"\ud83d"}}}"#]);
    fs::write(&trace, text).unwrap();
    crate::common::assert_refused(
        &["export", &trace.display().to_string(), "--to", "adb"],
        2,
        &["half.jsonl:3"],
    );
}
