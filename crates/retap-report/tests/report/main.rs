//! Reports of run directories: as retap writes them, as a kill leaves them, and with the texts of a hostile app.
#![allow(clippy::unwrap_used)] // a test may panic

mod joined;
mod written_run;

use proptest::prelude::*;
use retap_model::format::run::WINDOWS;
use retap_model::format::run::minimize_summary::{MinimizeEnded, MinimizeSummary, TrailPoint};
use retap_model::{Cost, Rate};
use retap_report::{ReportError, ReportOptions};
use std::fs;
use std::path::Path;
use written_run::{PACKAGE, write_run_with};

/// The content of a report's files.
struct ReportContent {
    html: String,
    junit: String,
    sarif: serde_json::Value,
}

/// Writes the report of a run and checks what is true of every report.
fn write_report(run: &Path) -> ReportContent {
    let report = retap_report::write(run, &ReportOptions::default()).unwrap();
    let read = |path| fs::read_to_string(path).unwrap();
    let (html, junit) = (read(&report.html), read(&report.junit));
    let mut reader = quick_xml::Reader::from_str(&junit);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    let sarif: serde_json::Value = serde_json::from_str(&read(&report.sarif)).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    // The run's own path holds random letters.
    let page = html.replace(&*run.to_string_lossy(), "RUN");
    for outside in ["src=\"http", "href=\"http", "@import", "NaN"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // One script, which the page's policy names by its hash, and the data that it shows.
    assert_eq!(html.matches("<script>").count(), 1);
    assert!(html.matches("<script").count() <= 2 && html.contains("script-src 'sha256-"), "{html}");
    ReportContent { html, junit, sarif }
}

#[test]
fn a_crash_is_in_all_three_files() {
    let temp = write_run_with("Add");
    let ReportContent { html, junit, sarif } = write_report(temp.path());
    for words in [
        "IllegalStateException",
        "Type <strong><bdi>Add</bdi></strong> into <strong><bdi>Add</bdi></strong> in Main",
        "id=\"progress\"",
        "id=\"graph\"",
        "id=\"timeline-picture\"",
        "Not visited",
        "com.app.Unseen",
        "Copy the bug report",
        "Host limitations",
        "3 events lead there",
        "confidence",
        "retap replay",
    ] {
        assert!(html.contains(words), "{words} is missing in\n{html}");
    }
    let suite =
        "<testsuite name=\"com.app\" tests=\"1\" skipped=\"0\" errors=\"0\" failures=\"1\">";
    assert!(junit.contains(suite), "{junit}");
    let result = &sarif["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "com/app/Main.java");
    assert_eq!(place["region"]["startLine"], 7);
}

#[test]
fn findings_are_separate_from_crashes() {
    let temp = write_run_with("Add");
    let ReportContent { html, junit, sarif } = write_report(temp.path());
    assert!(html.contains("Other findings") && html.contains("The dialog is gone: Add"), "{html}");
    assert!(junit.contains("com.app findings"), "{junit}");
    let result = &sarif["runs"][0]["results"][1];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"retap/rotation".into(), &"warning".into())
    );
}

#[test]
fn a_damaged_finding_is_remarked_and_one_that_was_cut_short_is_not() {
    let temp = write_run_with("Add");
    for name in ["damaged", "cut-short"] {
        fs::create_dir_all(temp.path().join("findings").join(name)).unwrap();
    }
    fs::write(temp.path().join("findings/damaged/finding.json"), "{").unwrap();
    let ReportContent { html, .. } = write_report(temp.path());
    assert!(html.contains("findings/damaged/finding.json"), "{html}");
    assert!(!html.contains("cut-short"), "{html}");
}

#[test]
fn a_crash_says_how_sure_it_is() {
    let temp = write_run_with("Add");
    let ReportContent { html, junit, sarif } = write_report(temp.path());
    assert!(html.contains("confidence <b>low</b>"), "{html}");
    assert!(junit.contains("Confidence: low") && junit.contains("Doubt: Add"), "{junit}");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (&result["level"], &result["properties"]["confidence"]),
        (&"warning".into(), &"low".into())
    );
}

#[test]
fn the_picture_of_windows_is_shown_and_nothing_else_in_its_place() {
    let run = write_run_with("text");
    let shows = || write_report(run.path()).html.contains("data:image/svg+xml;base64,");
    assert!(!shows());
    fs::write(run.path().join(WINDOWS), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    assert!(shows());
    fs::write(run.path().join(WINDOWS), "<script>alert(1)</script>").unwrap();
    assert!(!shows());
}

#[test]
fn the_same_directory_gives_the_same_bytes() {
    let temp = write_run_with("Add");
    let first = write_report(temp.path()).html;
    assert_eq!(first, write_report(temp.path()).html);
}

#[test]
fn a_run_that_was_killed_at_once_has_a_report_and_an_empty_folder_has_none() {
    let temp = write_run_with("Add");
    for entry in fs::read_dir(temp.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            fs::remove_dir_all(path).unwrap();
        } else if !path.ends_with("run.json") {
            fs::remove_file(path).unwrap();
        }
    }
    let ReportContent { html, junit, sarif } = write_report(temp.path());
    assert!(html.contains("There is no result.json"), "{html}");
    assert!(junit.contains("failures=\"0\"") && junit.contains("no crash"), "{junit}");
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));

    fs::remove_file(temp.path().join("run.json")).unwrap();
    assert!(matches!(
        retap_report::write(temp.path(), &ReportOptions::default()),
        Err(ReportError::NoRun(_))
    ));
}

/// Turns the run into one of `retap minimize`, with the trace of its crash as the minimised one.
fn make_minimization(run: &Path, summary: &serde_json::Value) {
    let info = fs::read_to_string(run.join("run.json")).unwrap();
    fs::write(run.join("run.json"), info.replace("\"explore\"", "\"minimize\"")).unwrap();
    let crash = fs::read_dir(run.join("crashes")).unwrap().next().unwrap().unwrap().path();
    fs::rename(crash.join("trace.jsonl"), run.join("minimized.jsonl")).unwrap();
    fs::remove_dir_all(run.join("crashes")).unwrap();
    fs::remove_dir_all(run.join("findings")).unwrap();
    fs::write(run.join("result.json"), summary.to_string()).unwrap();
}

fn minimize_summary() -> serde_json::Value {
    let point = |oracle_calls, events, algorithm: &str| TrailPoint {
        oracle_calls,
        events,
        algorithm: algorithm.into(),
    };
    let summary = MinimizeSummary {
        verb: MinimizeSummary::VERB.into(),
        app: PACKAGE.into(),
        oracle: "crash".into(),
        algorithm: "auto".into(),
        ended: MinimizeEnded::Complete,
        events_before: 40,
        events_after: 3,
        simplified: 0,
        launched_at: None,
        oracle_calls: 9,
        rounds: 5,
        events_executed: 60,
        events_saved: 40,
        success: Rate { successes: 18, runs: 20 }.into(),
        p1: 0.9,
        p2: Some(0.8),
        steps: Vec::new(),
        minimized: "minimized.jsonl".into(),
        trail: vec![point(1, 40, "auto"), point(4, 3, "lhdd")],
        cost: Cost { events: 60, ..Cost::default() },
        seconds: 1.5,
    };
    serde_json::to_value(summary).unwrap()
}

#[test]
fn a_minimisation_shows_its_trace_and_its_search() {
    let temp = write_run_with("Add");
    make_minimization(temp.path(), &minimize_summary());
    let ReportContent { html, junit, .. } = write_report(temp.path());
    for words in ["<b>3</b> of <b>40</b> events", "Size of the best answer", "lhdd", "18 of 20"] {
        assert!(html.contains(words), "{words} is missing in\n{html}");
    }
    assert!(junit.contains("failures=\"1\""), "{junit}");
}

#[test]
fn a_result_that_lacks_a_field_is_damaged() {
    let temp = write_run_with("Add");
    let mut summary = minimize_summary();
    summary.as_object_mut().unwrap().remove("oracle_calls");
    make_minimization(temp.path(), &summary);
    let report = retap_report::write(temp.path(), &ReportOptions::default()).unwrap();
    let error = report.damage.iter().find(|error| error.contains("result.json"));
    assert!(error.unwrap().contains("missing field `oracle_calls`"), "{:?}", report.damage);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_an_app_becomes_markup(text in any::<String>()) {
        let hostile = format!("<retap-x a=\"{text}' onload=1>&amp;");
        let temp = write_run_with(&hostile);
        let report = retap_report::write(temp.path(), &ReportOptions::default()).unwrap();
        let ReportContent { html, sarif, .. } = write_report(temp.path());
        prop_assert!(!html.contains("<retap-x"));
        prop_assert!(html.contains("&lt;retap-x a=&quot;"));
        prop_assert!(html.contains("\\u003cretap-x"), "the page's data hold it as text");
        let lines = report.annotations.lines();
        prop_assert!(lines.clone().all(|line| line.starts_with("::")), "{}", report.annotations);
        let message = sarif["runs"][0]["results"][0]["message"]["text"].as_str().unwrap();
        prop_assert!(message.contains("<retap-x"));
    }

    #[test]
    fn a_truncated_file_never_prevents_a_report(file in 0..6usize, keep in 0.0..1.0f64) {
        let temp = write_run_with("Add");
        let names =
            ["trace.jsonl", "states.jsonl", "coverage.jsonl", "units.jsonl", "result.json", "stack"];
        let path = match names[file] {
            "stack" => {
                let mut crashes = fs::read_dir(temp.path().join("crashes")).unwrap();
                crashes.next().unwrap().unwrap().path().join("stack.txt")
            }
            name => temp.path().join(name),
        };
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..(bytes.len() as f64 * keep) as usize]).unwrap();
        write_report(temp.path());
    }
}
