//! Tests DetReduce's examples 2.1 to 2.4 on the embedded device. fixtures/README.md describes the app `files`, which is
//! made for them.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{fixture, retap};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const MENU: &str = r#"{"key":"menu"}"#;
const BACK: &str = r#"{"key":"back"}"#;

fn tap_text(text: &str) -> String {
    format!(r#"{{"tap":{{"on":{{"text":"{text}"}}}}}}"#)
}

fn tap_id(id: &str) -> String {
    format!(r#"{{"tap":{{"on":{{"id":"{id}"}}}}}}"#)
}

/// Reduces these traces and returns the events of the traces in the suite.
fn reduce(folder: &Path, apk: &str, header: &str, traces: &[&[String]]) -> Vec<Vec<String>> {
    let mut lines = vec![header.to_string()];
    for events in traces {
        lines.push(r#"{"start":1}"#.into());
        lines.extend(events.iter().map(|event| format!(r#"{{"event":{event}}}"#)));
    }
    fs::create_dir(folder).unwrap();
    let (file, suite) = (folder.join("traces.jsonl"), folder.join("suite"));
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let [file, out] = [&file, &suite].map(|path| path.display().to_string());
    // The paper's requirements are event handlers. They are methods here, and some have no branches.
    let arguments = ["reduce", &file, "--record", "--units", "method", "--apk", apk, "-o", &out];
    let output = retap(&arguments);
    assert_eq!(output.code, 0, "{output:?}");
    // The suite names its APK.
    let verified = retap(&["reduce", "--verify", &out]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let events = |path: &Path| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        let rows =
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        rows.filter_map(|row| row.get("event").map(ToString::to_string)).collect()
    };
    let files = fs::read_dir(suite.join("traces")).unwrap();
    files.map(|file| events(&file.unwrap().path())).collect()
}

#[test]
fn detreduces_examples_are_reduced_in_a_real_app_as_in_the_paper() {
    let temp = tempdir().unwrap();
    let apk = fixture("files.apk");
    let run = temp.path().join("run");
    let out = run.display().to_string();
    let output = retap(&["explore", &apk, "--max-events", "1", "--pictures", "0", "-o", &out]);
    assert_eq!(output.code, 0, "{output:?}");
    let trace = fs::read_to_string(run.join("trace.jsonl")).unwrap();
    let header = trace.lines().next().unwrap();
    let check = |name: &str, traces: &[&[String]], expected: &[String]| {
        let suite = reduce(&temp.path().join(name), &apk, header, traces);
        assert_eq!(suite, [expected.to_vec()], "example {name}");
    };
    let (menu, back) = (MENU.to_string(), BACK.to_string());

    let menu_closed_and_opened = [menu.clone(), menu.clone(), menu.clone(), tap_text("Options")];
    check("2.1", &[&menu_closed_and_opened], &[menu.clone(), tap_text("Options")]);
    let loop_with_handler = [tap_id("view"), back, tap_id("view"), tap_text("Options")];
    check("2.2", &[&loop_with_handler], &loop_with_handler);
    let equal_screens = [tap_text("foo"), tap_text("foo"), tap_text("foo")];
    check("2.3", &[&equal_screens], &equal_screens);

    let [b, c, d, f] = ["Options", "Show pictures", "Help", "hill.png"].map(tap_text);
    let (a, e) = (menu, tap_id("options"));
    let trace = |events: &[&String]| -> Vec<String> { events.iter().copied().cloned().collect() };
    let traces = [trace(&[&a, &b, &c, &d]), trace(&[&a, &d, &e, &c, &d]), trace(&[&a, &b, &c, &f])];
    let spliced = trace(&[&a, &b, &c, &d, &e, &c, &f]);
    check("2.4", &[&traces[0], &traces[1], &traces[2]], &spliced);

    let [suite, junit] = ["2.4/suite", "out.xml"].map(|name| temp.path().join(name));
    let [suite, junit_file] = [&suite, &junit].map(|path| path.display().to_string());
    let replayed = retap(&["replay", &suite, "--junit", &junit_file, "-j", "2"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    let junit = fs::read_to_string(junit).unwrap();
    assert!(junit.contains(r#"tests="1""#) && junit.contains(r#"failures="0""#), "{junit}");
}
