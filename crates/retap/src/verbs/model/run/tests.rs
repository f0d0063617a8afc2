#![allow(clippy::unwrap_used)] // a test may panic

use super::*;
use retap_model::app::{AppIdentity, Display};
use retap_model::coverage::{Unit, UnitId, Units};
use retap_model::event::{Key, Target};
use retap_model::format::run::{Recorder, RunInfo};
use retap_model::screen::{Screen, Window};
use retap_model::selector::Selector;
use retap_model::widget::Widget;
use retap_model::{Abstraction, Observation, Outcome};
use std::sync::Arc;

fn info() -> RunInfo {
    RunInfo {
        retap: RunInfo::KIND.into(),
        version: RunInfo::VERSION,
        retap_version: "0".into(),
        verb: "explore".into(),
        arguments: Vec::new(),
        seed: 1,
        world_seed: 1,
        app: AppIdentity { package: "p".into(), version: "1".into(), sha256: "00".into() },
        apk: "p.apk".into(),
        device: "embedded".into(),
        api: None,
        display: Display::default(),
        outside: Vec::new(),
        abstraction: Abstraction::Activity,
    }
}

fn method(name: &str) -> Unit {
    Unit { kind: UnitKind::Method, name: name.into(), weight: 1 }
}

/// An activity with one widget, behind which another shows, and over which a keyboard lies; `unit` ran.
fn shows(activity: &str, id: &str, unit: UnitId) -> Observation {
    let window = |kind, id: &str| Window {
        kind,
        package: "p".into(),
        title: String::new(),
        bounds: Default::default(),
        focused: true,
        widgets: vec![Widget { id: id.into(), ..Widget::default() }],
    };
    let windows = vec![
        window(WindowKind::Activity, "p:id/behind"),
        window(WindowKind::Activity, id),
        window(WindowKind::Keyboard, "k:id/key"),
    ];
    let screen = Screen { activity: activity.into(), windows, ..Screen::default() };
    let mut coverage = Coverage::new();
    coverage.insert(unit);
    Observation {
        screen: Arc::new(screen),
        coverage: Arc::new(coverage),
        elapsed_ms: 0,
        outcome: Outcome::Running,
        log: Vec::new(),
        host_limitations: Vec::new(),
    }
}

#[test]
fn a_run_is_read_as_activities_transitions_widgets_and_methods() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let units =
        Units::new(vec![method("p.Main.a()V"), method("p.Main.b()V"), method("p.Never.c()V")]);
    let mut recorder = Recorder::create(&run, info(), &units).unwrap();
    let tap = Event::Tap(Target::default());
    let open = Selector { id: "open".into(), ..Selector::default() };
    let tap_open = Event::Tap(Target { on: Some(open), at: None });
    recorder.record_start(1, &shows("p.Main", "p:id/list", 0)).unwrap();
    recorder.record_step(&tap_open, &shows("p.Detail", "p:id/title", 1)).unwrap();
    recorder.record_step(&Event::Key(Key::back()), &shows("p.Main", "p:id/list", 0)).unwrap();
    recorder.record_step(&Event::Wait(10), &shows("p.Ad", "p:id/close", 0)).unwrap();
    // Outside the app nothing is known of what comes next.
    recorder.record_step(&tap, &shows("", "", 0)).unwrap();
    recorder.record_step(&tap, &shows("p.Main", "p:id/list", 0)).unwrap();
    // A new trace does not lead on from the one before.
    recorder.record_start(2, &shows("p.Ad", "p:id/close", 0)).unwrap();
    recorder.flush().unwrap();

    let seen = read(&run).unwrap();
    let set = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(seen.activities, set(&["p.Ad", "p.Detail", "p.Main"]));
    assert_eq!(seen.transitions, [("p.Main".to_owned(), "p.Detail".to_owned())].into());
    let led_to = &seen.inputs[&("p.Main".to_owned(), "open".to_owned())];
    assert_eq!(*led_to, set(&["p.Detail"]));
    assert_eq!(
        seen.widgets["p.Detail"],
        set(&["title"]),
        "without the keyboard's, and those of the window behind"
    );
    assert_eq!(seen.methods, set(&["p.Main.a()V", "p.Main.b()V"]));
}

#[test]
fn a_folder_that_is_no_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(read(folder.path()).is_err());
}
