//! Compose: its own test rule, and its screens as the other verbs see them.

use crate::common::{fixture, retap};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const PACKAGE: &str = "dev.retap.fixture.composed";

#[test]
fn tests_with_compose_s_rule_end_as_on_a_phone() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run").display().to_string();
    let output = retap(&["test", &fixture("compose-test.apk"), "-o", &run, "--json", "-q"]);
    let json = output.json();
    let ends: BTreeMap<&str, &str> = json["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["test"].as_str().unwrap(), one["end"].as_str().unwrap()))
        .map(|(test, end)| (test.rsplit('.').next().unwrap(), end))
        .collect();
    // The rule catches what a click throws and fails the test with it.
    let failing = ["ShelfTest#aWrongTextFails", "ShelfActivityTest#theLastBookCannotBeRemoved"];
    for (test, end) in &ends {
        let wanted = if failing.contains(test) { "FAIL" } else { "PASS" };
        assert_eq!(*end, wanted, "{test}: {json:#}");
    }
    assert_eq!((output.code, ends.len()), (1, 16), "{ends:?}");
    let stack = temp.path().join("run/failures/ShelfTest.aWrongTextFails/stack.txt");
    let stack = fs::read_to_string(stack).unwrap();
    assert!(stack.contains("Text + EditableText = [Count 7]"), "{stack}");
}

#[test]
fn a_screen_of_compose_is_explored_by_its_semantics_and_a_crash_is_minimized() {
    let temp = tempdir().unwrap();
    let run = temp.path().join("run");
    let out = run.display().to_string();
    let apk = fixture("compose-test.apk");
    let flags = [
        "--max-events",
        "300",
        "--seed",
        "1",
        "--oracle",
        "none",
        "--pictures",
        "0",
        "-o",
        &out,
        "-q",
    ];
    let output = retap(&[&["explore", &apk, "--json"], &flags[..]].concat());
    assert_eq!(output.code, 1, "{output:?}");
    let screens = read_all(&run.join("screens"));
    // Nodes without views: a text, a description, a tag as a resource id, a field, a toggle, a dialog.
    for part in [
        r#""id":"title","text":"3 books""#,
        r#""class":"android.widget.Button","id":"add","description":"Add a book""#,
        r#""class":"android.widget.EditText","id":"name""#,
        r#""class":"android.widget.CheckBox","id":"lent""#,
        r#""text":"Remove "#,
    ] {
        assert!(screens.contains(part), "{part} is on no screen");
    }
    assert!(screens.contains(r#""kind":"dialog""#));
    let crashes: Vec<_> = run.join("crashes").read_dir().unwrap().collect();
    let small = crashes[0].as_ref().unwrap().path().join("minimized.jsonl");
    let trace = fs::read_to_string(small).unwrap();
    assert!(trace.contains(PACKAGE), "{trace}");
}

/// Returns the texts of all files in a folder. Pictures are among them.
fn read_all(folder: &Path) -> String {
    let mut text = String::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &read_all(&path);
        } else {
            text += &String::from_utf8_lossy(&fs::read(path).unwrap());
        }
    }
    text
}
