//! Every language on one trace with every kind of event, and on texts that try to break out of their quotation marks.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_export::{ExportedTrace, ScriptFormat, write};
use retap_model::app::{AppIdentity, Display};
use retap_model::event::{Connectivity, Extra, Intent, PinchDirection};
use retap_model::observation::RecordedOutcome;
use retap_model::{CrashId, Event, Key, Orientation, Point, Selector, SystemEvent, Target, Trace};

fn widget(id: &str, class: &str, text: &str) -> Target {
    let selector = Selector {
        id: id.into(),
        class: format!("android.widget.{class}"),
        text: text.into(),
        ..Selector::default()
    };
    Target { on: Some(selector), at: Some(Point { x: 540, y: 960 }) }
}

fn every_kind() -> Vec<Event> {
    let intent = Intent {
        action: "android.intent.action.VIEW".into(),
        data: "shop://item/7".into(),
        ..Intent::default()
    };
    let extras = [("count".into(), Extra::Int(3)), ("name".into(), Extra::Text("a b".into()))];
    let broadcast =
        Intent { action: "shop.REFRESH".into(), extras: extras.into(), ..Intent::default() };
    vec![
        Event::Tap(widget("add", "Button", "Add")),
        Event::Tap(Target::point(Point { x: 10, y: 20 })),
        Event::LongPress(widget("row", "LinearLayout", "Ideas")),
        Event::Drag {
            from: Target::point(Point { x: 540, y: 1500 }),
            to: Point { x: 540, y: 300 },
            ms: 200,
        },
        Event::Pinch { on: widget("map", "ImageView", ""), direction: PinchDirection::Open },
        Event::Text { on: widget("title", "EditText", ""), text: "one two".into() },
        Event::Key(Key::back()),
        Event::Rotate(Orientation::Landscape),
        Event::Intent(intent),
        Event::System(SystemEvent::Broadcast(broadcast)),
        Event::System(SystemEvent::Connectivity(Connectivity::Off)),
        Event::System(SystemEvent::ProcessDeath),
        Event::Wait(1500),
        Event::Launch,
        Event::Close,
    ]
}

fn script(format: ScriptFormat, events: Vec<Event>) -> retap_export::Script {
    script_with_entry(format, events, None)
}

fn script_with_entry(
    format: ScriptFormat,
    events: Vec<Event>,
    entry: Option<&str>,
) -> retap_export::Script {
    let app = AppIdentity {
        package: "com.example.shop".into(),
        version: "1.0".into(),
        sha256: String::new(),
    };
    let mut trace = Trace::of_events(1, events);
    if let Some(last) = trace.steps.last_mut() {
        last.result.outcome = RecordedOutcome::Crashed {
            id: CrashId(7),
            exception: "java.lang.NullPointerException".into(),
        };
    }
    let exported = ExportedTrace {
        app: &app,
        api: Some(34),
        display: Display::default(),
        entry,
        trace: &trace,
        stack: Some(
            "java.lang.NullPointerException\n\tat com.example.shop.Main.onClick(Main.java:7)",
        ),
        name: "crashes/0000000000000007/minimized.jsonl",
        picture: Some("last.png"),
    };
    write(format, &exported)
}

#[test]
fn every_language_says_every_step_or_that_it_cannot() {
    for format in ScriptFormat::ALL {
        let written = script(format, every_kind());
        let left_out: Vec<String> =
            written.left_out.iter().map(|it| format!("{}: {}", it.number, it.reason)).collect();
        let shown = format!("{}\n--- left out ---\n{}", written.text, left_out.join("\n"));
        insta::assert_snapshot!(format!("{format:?}"), shown);
    }
}

#[test]
fn a_left_out_step_stands_in_the_script_as_a_comment() {
    let written = script(ScriptFormat::Maestro, vec![Event::Wait(10)]);
    assert_eq!(written.left_out.len(), 1);
    assert!(written.text.contains("# LEFT OUT: Maestro cannot wait 10 ms"), "{}", written.text);
}

#[test]
fn hostile_texts_stay_inside_their_quotation_marks() {
    let hostile = "\"; evil(); //'$(evil)`evil`${evil}\n- evil\n*/ \\u0022 evil \u{202e}\u{1b}[2J";
    for format in ScriptFormat::ALL {
        let mut target = widget("add", "Button", hostile);
        target.on.as_mut().unwrap().description = hostile.into();
        let events =
            vec![Event::Tap(target), Event::Text { on: Target::default(), text: hostile.into() }];
        let text = script(format, events).text;
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{format:?}: {text}");
        for line in text.lines() {
            let line = line.trim_start();
            assert!(!line.starts_with("evil") && !line.starts_with("- evil"), "{format:?}: {line}");
        }
    }
}

#[test]
fn places_follow_the_orientation() {
    let tap = || Event::Tap(Target::point(Point { x: 960, y: 540 }));
    let turned = script(ScriptFormat::Maestro, vec![Event::Rotate(Orientation::Landscape), tap()]);
    assert!(turned.text.contains("point: \"50%,50%\""), "{}", turned.text);
}

#[test]
fn a_script_launches_an_app_whose_activity_needs_quotation_marks() {
    for format in [ScriptFormat::Adb, ScriptFormat::UiAutomator] {
        let written = script_with_entry(format, Vec::new(), Some("com.example.shop.Main$Start"));
        assert!(written.text.contains("android.intent.category.LAUNCHER"), "{}", written.text);
        assert!(!written.text.contains("LEFT OUT"), "{}", written.text);
    }
}

#[test]
fn the_shell_types_what_it_would_read_as_a_space_in_parts() {
    let text = Event::Text { on: Target::default(), text: "100%sure %s".into() };
    let written = script(ScriptFormat::Adb, vec![text]);
    let typed: Vec<&str> =
        written.text.lines().filter_map(|line| line.strip_prefix("device 'input text ")).collect();
    assert_eq!(typed, ["100%'", "sure%s%'", "s'"], "{}", written.text);
    assert!(written.left_out.is_empty());
}
