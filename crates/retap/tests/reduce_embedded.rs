//! DetReduce's examples 2.1 to 2.4 on the embedded device: fixtures/README.md says how the app `files` is made
//! for them.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{retap, root};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const OVERFLOW: &str = r#"{"key":"menu"}"#;
const BACK: &str = r#"{"key":"back"}"#;

fn text(text: &str) -> String {
    format!(r#"{{"tap":{{"on":{{"text":"{text}"}}}}}}"#)
}

fn id(id: &str) -> String {
    format!(r#"{{"tap":{{"on":{{"id":"{id}"}}}}}}"#)
}

/// Reduces these traces and answers the events of the traces that are left.
fn reduced(folder: &Path, apk: &str, header: &str, traces: &[&[String]]) -> Vec<Vec<String>> {
    let mut lines = vec![header.to_string()];
    for events in traces {
        lines.push(r#"{"start":1}"#.into());
        lines.extend(events.iter().map(|event| format!(r#"{{"event":{event}}}"#)));
    }
    fs::create_dir(folder).unwrap();
    let (file, suite) = (folder.join("traces.jsonl"), folder.join("suite"));
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let [file, out] = [&file, &suite].map(|path| path.display().to_string());
    // Handlers are methods; some are a single straight line, which no branch tells apart.
    let words = ["reduce", &file, "--record", "--units", "method", "--apk", apk, "-o", &out];
    let ran = retap(&words);
    assert_eq!(ran.code, 0, "{ran:?}");
    // The suite knows where its app lies.
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
fn the_papers_examples_hold_in_a_real_app() {
    let temp = tempdir().unwrap();
    let apk = root().join("fixtures/files.apk").display().to_string();
    let run = temp.path().join("run");
    let out = run.display().to_string();
    let ran = retap(&["explore", &apk, "--max-events", "1", "--pictures", "0", "-o", &out]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let trace = fs::read_to_string(run.join("trace.jsonl")).unwrap();
    let header = trace.lines().next().unwrap();
    let check = |name: &str, traces: &[&[String]], expected: &[String]| {
        let left = reduced(&temp.path().join(name), &apk, header, traces);
        assert_eq!(left, [expected.to_vec()], "example {name}");
    };
    let (overflow, back) = (OVERFLOW.to_string(), BACK.to_string());

    let closed_and_opened = [overflow.clone(), overflow.clone(), overflow.clone(), text("Options")];
    check("2.1", &[&closed_and_opened], &[overflow.clone(), text("Options")]);
    let with_a_handler = [id("view"), back, id("view"), text("Options")];
    check("2.2", &[&with_a_handler], &with_a_handler);
    let folders = [text("foo"), text("foo"), text("foo")];
    check("2.3", &[&folders], &folders);

    let [b, c, d, f] = ["Options", "Show pictures", "Help", "hill.png"].map(text);
    let (a, e) = (overflow, id("options"));
    let of = |events: &[&String]| -> Vec<String> { events.iter().copied().cloned().collect() };
    let traces = [of(&[&a, &b, &c, &d]), of(&[&a, &d, &e, &c, &d]), of(&[&a, &b, &c, &f])];
    let spliced = of(&[&a, &b, &c, &d, &e, &c, &f]);
    check("2.4", &[&traces[0], &traces[1], &traces[2]], &spliced);

    let [suite, junit] = ["2.4/suite", "out.xml"].map(|at| temp.path().join(at));
    let [of, to] = [&suite, &junit].map(|path| path.display().to_string());
    let replayed = retap(&["replay", &of, "--junit", &to, "-j", "2"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    let junit = fs::read_to_string(junit).unwrap();
    assert!(junit.contains(r#"tests="1""#) && junit.contains(r#"failures="0""#), "{junit}");
}
