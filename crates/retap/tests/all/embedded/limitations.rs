//! Host limitations on the command line: counted, listed with the events that lead there, and the end of a strict run.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::retap;
use serde_json::Value;
use std::fs;
use tempfile::tempdir;

const APP: &str = "\
app com.example.native 1.0
start home covers start

screen home activity HomeActivity
  button decode \"Decode\"
  button count \"Count\"

on home tap decode -> lacks \"native method: com.example.Codec.decode\"
on home tap count -> stay covers count
";
const WHAT: &str = "native method: com.example.Codec.decode";

#[test]
fn a_host_limitation_is_counted_listed_with_its_trace_and_ends_a_strict_run() {
    let temp = tempdir().unwrap();
    let file = temp.path().join("native.fake");
    fs::write(&file, APP).unwrap();
    let device = format!("fake:{}", file.display());
    let explore = |name: &str, more: &[&str]| {
        let dir = temp.path().join(name);
        let out = dir.display().to_string();
        let arguments = ["explore", "-d", &device, "--seed", "1", "--max-events", "200", "--json"];
        let minimal = ["--oracle", "none", "--no-minimize", "--pictures", "0", "-o", &out];
        (dir, retap(&[&arguments[..], &minimal[..], more].concat()))
    };

    let (dir, output) = explore("plain", &[]);
    assert_eq!(output.code, 0, "{output:?}");
    let summary: Value = output.json();
    assert_eq!(summary["host_limitations"][WHAT], 1, "explorers avoid the event: {summary}");
    let limitation = &summary["limitations"][0];
    assert_eq!((&limitation["what"], &limitation["seen"]), (&WHAT.into(), &1.into()));
    let trace = dir.join(limitation["trace"].as_str().unwrap()).display().to_string();
    let page = fs::read_to_string(dir.join("report.html")).unwrap();
    assert!(page.contains("com.example.Codec.decode") && page.contains("lead there"), "{page}");

    let replay = |more: &[&str]| retap(&[&["replay", &trace, "-d", &device][..], more].concat());
    assert_eq!(replay(&["--strict"]).code, 5);
    let output = replay(&[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains(WHAT), "{output:?}");

    let (_, output) = explore("strict", &["--strict"]);
    assert_eq!(output.code, 5, "{output:?}");
    let summary = output.json();
    assert_eq!(summary["ended"], "host_limitation");
    assert!(summary["events"].as_u64().unwrap() < 200, "{summary}");
}
