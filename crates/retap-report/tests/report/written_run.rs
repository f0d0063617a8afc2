//! A run directory for the tests, as retap writes it.

use retap_model::app::AppIdentity;
use retap_model::format::run::{
    CrashSummary, EndReason, Recorder, RunInfo, Summary, keep_crash, keep_finding, keep_limitation,
    write_json,
};
use retap_model::trace::Step;
use retap_model::{
    Abstraction, Confidence, Cost, Crash, Display, Event, Finding, FindingKind, Observation,
    Outcome, Point, Rect, Screen, Selector, Target, Trace, Unit, UnitKind, Units, Widget, Window,
    WindowKind,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use tempfile::{TempDir, tempdir};

pub const PACKAGE: &str = "com.app";

/// Writes a run of three events: one leads to another activity, one to a crash. `text` stands wherever an app can put
/// a text.
pub fn write_run_with(text: &str) -> TempDir {
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
        let event =
            Event::Text { on: Target { on, at: Some(Point::new(3, 4)) }, text: text.into() };
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
        declared_activities: vec!["com.app.Main".into(), "com.app.Unseen".into()],
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
