//! Reports of run directories: as retap writes them, as a kill leaves them, and with the texts of a hostile app.
#![allow(clippy::unwrap_used)] // a test may panic

use proptest::prelude::*;
use retap_model::app::AppIdentity;
use retap_model::format::run::minimize_summary::{MinimizeEnded, MinimizeSummary, TrailPoint};
use retap_model::format::run::{
    CrashSummary, EndReason, Recorder, RunInfo, Summary, WINDOWS, keep_crash, keep_finding,
    keep_limitation, write_json,
};
use retap_model::trace::Step;
use retap_model::{
    Abstraction, Confidence, Cost, Crash, Display, Event, Finding, FindingKind, Observation,
    Outcome, Rate, Rect, Screen, Selector, Target, Trace, Unit, UnitKind, Units, Widget, Window,
    WindowKind,
};
use retap_report::ReportError;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::{TempDir, tempdir};

const PACKAGE: &str = "com.app";

/// Writes a run of three events: one leads to another activity, one to a crash. `text` stands wherever an app can put
/// a text.
fn write_run_with(text: &str) -> TempDir {
    let temp = tempdir().unwrap();
    let run = temp.path();
    let info = RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: "1".into(),
        verb: "explore".into(),
        arguments: Vec::new(),
        seed: 7,
        world_seed: 8,
        app: AppIdentity { package: PACKAGE.into(), version: text.into(), sha256: String::new() },
        apk: text.into(),
        device: "fake".into(),
        api: Some(35),
        display: Display::default(),
        outside: Vec::new(),
        abstraction: Abstraction::Activity,
    };
    let unit = |n: u32| Unit { kind: UnitKind::Branch, name: format!("{text}{n}"), weight: 1 };
    let units = Units::new((0..4).map(unit).collect());
    let header = info.trace_header();
    let mut recorder = Recorder::create(run, info, &units).unwrap();

    let stack =
        format!("java.lang.IllegalStateException: {text}\n\tat com.app.Main.go(Main.java:7)");
    let crash = Crash { thread: "main".into(), stack, doubts: vec![text.into()] };
    let id = crash.identity(PACKAGE);
    let start =
        recorder.record_start(8, &observation("com.app.Main", text, 0, Outcome::Running)).unwrap();
    let mut steps = Vec::new();
    for (activity, unit, outcome) in [
        ("com.app.Main", 1, Outcome::Running),
        (text, 2, Outcome::Left { package: text.into() }),
        ("com.app.Main", 3, Outcome::Crashed(Arc::new(crash.clone()))),
    ] {
        let on = Some(Selector { text: text.into(), ..Selector::default() });
        let event = Event::Text { on: Target { on, at: None }, text: text.into() };
        let result =
            recorder.record_step(&event, &observation(activity, text, unit, outcome)).unwrap();
        steps.push(Step { event, result });
    }
    recorder.flush().unwrap();
    let trace = Trace { world_seed: 8, start, steps };
    keep_crash(run, id, &crash, &header, &trace).unwrap();
    let finding = Finding {
        kind: FindingKind::Rotation,
        activity: text.into(),
        subject: text.into(),
        message: format!("The dialog is gone: {text}"),
    };
    keep_finding(run, &finding, &header, &trace).unwrap();
    keep_limitation(run, text, &header, &trace).unwrap();
    let found = CrashSummary {
        id,
        exception: "java.lang.IllegalStateException".into(),
        message: text.into(),
        place: "com.app.Main.go(Main.java:7)".into(),
        own_code: true,
        confidence: Confidence::Low,
        doubts: vec![text.into()],
        trace: format!("crashes/{id}/trace.jsonl"),
        minimized: None,
        events: 3,
        seen: 1,
        success_rate: None,
        steps: Vec::new(),
    };
    write_json(&run.join("result.json"), &summary(text, vec![found])).unwrap();
    temp
}

fn observation(activity: &str, text: &str, unit: u32, outcome: Outcome) -> Observation {
    let widget = Widget { text: text.into(), ..Widget::default() };
    let window = Window {
        kind: WindowKind::Activity,
        package: PACKAGE.into(),
        title: text.into(),
        bounds: Rect::new(0, 0, 9, 9),
        focused: true,
        widgets: vec![widget],
    };
    let screen = Screen { activity: activity.into(), windows: vec![window], ..Screen::default() };
    Observation {
        screen: Arc::new(screen),
        coverage: Arc::new([unit].into_iter().collect()),
        elapsed_ms: 1,
        outcome,
        log: Vec::new(),
        host_limitations: vec![text.into()],
    }
}

fn summary(text: &str, crashes: Vec<CrashSummary>) -> Summary {
    Summary {
        libraries: BTreeMap::new(),
        verb: "explore".into(),
        app: PACKAGE.into(),
        seed: 7,
        world_seed: 8,
        ended: EndReason::Complete,
        events: 3,
        restarts: 1,
        returns: 0,
        returns_failed: 0,
        return_events: 0,
        states: 2,
        activities: 2,
        coverage: BTreeMap::new(),
        crashes,
        findings: Vec::new(),
        host_limitations: BTreeMap::from([(text.to_string(), 4)]),
        limitations: Vec::new(),
        cost: Cost { events: 3, ..Cost::default() },
        cost_by_phase: BTreeMap::new(),
        seconds: 1.0,
        events_per_second: 3.0,
        digest: text.into(),
    }
}

/// The content of a report's files.
struct ReportContent {
    html: String,
    junit: String,
    sarif: serde_json::Value,
}

/// Writes the report of a run and checks what is true of every report.
fn write_report(run: &Path) -> ReportContent {
    let report = retap_report::write(run).unwrap();
    let read = |path| fs::read_to_string(path).unwrap();
    let (html, junit) = (read(&report.html), read(&report.junit));
    let mut reader = quick_xml::Reader::from_str(&junit);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    let sarif: serde_json::Value = serde_json::from_str(&read(&report.sarif)).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    for outside in ["<script", "src=\"http", "href=\"http", "@import", "NaN"] {
        assert!(!html.contains(outside), "{outside}");
    }
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
        "id=\"map\"",
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
    assert!(matches!(retap_report::write(temp.path()), Err(ReportError::NoRun(_))));
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
    let report = retap_report::write(temp.path()).unwrap();
    let error = report.damage.iter().find(|error| error.contains("result.json"));
    assert!(error.unwrap().contains("missing field `oracle_calls`"), "{:?}", report.damage);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_an_app_becomes_markup(text in any::<String>()) {
        let hostile = format!("<retap-x a=\"{text}' onload=1>&amp;");
        let temp = write_run_with(&hostile);
        let ReportContent { html, sarif, .. } = write_report(temp.path());
        prop_assert!(!html.contains("<retap-x"));
        prop_assert!(html.contains("&lt;retap-x a=&quot;"));
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
