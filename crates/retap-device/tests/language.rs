//! The meaning of app files, line by line, and the errors of wrong ones.

#![allow(clippy::unwrap_used)] // in what the tests share, too

mod common;

use common::{at_start, is_lost, item, on, run, says, scripted, tap, tap_at, text};
use proptest::prelude::*;
use retap_device::fake::{FakeApp, FakeDevice};
use retap_device::{Device, DeviceError};
use retap_model::event::Intent;
use retap_model::{
    Event, Flags, Key, Orientation, Outcome, Point, SystemEvent, Target, UnitKind, WindowKind,
};

const MAIN: &str = "start main\nscreen main activity Main \"Main\"\n";

fn app(lines: &str) -> FakeDevice {
    scripted(&format!("{MAIN}{lines}"))
}

/// Returns the error of a file that has these lines after its first three.
fn parse_error(lines: &str) -> String {
    FakeApp::parse("x.fake", &format!("app p 1.0\n{MAIN}{lines}")).unwrap_err().to_string()
}

#[test]
fn a_rule_leads_to_its_screen_and_says_what_it_covers_and_takes() {
    let mut device = app("button go \"Go\"\nscreen end activity End\n\
         on main tap go -> end covers a line:b takes 250\nunits method:never");
    let seen = device.perform(&tap("go")).unwrap();
    assert_eq!(seen.screen.activity, "p.End");
    assert_eq!((seen.coverage.len(), seen.elapsed_ms), (2, 250));
}

#[test]
fn units_have_kinds_and_are_branches_by_default() {
    let source = format!("app p\n{MAIN}on main wait -> stay covers a line:b\nunits method:c");
    let units = FakeApp::parse("x", &source).unwrap().describe().units;
    let kinds: Vec<(UnitKind, &str)> = units.iter().map(|(_, u)| (u.kind, &*u.name)).collect();
    assert_eq!(kinds, [(UnitKind::Branch, "a"), (UnitKind::Line, "b"), (UnitKind::Method, "c")]);
}

#[test]
fn variables_guard_rules_and_show_in_texts() {
    let mut device =
        app("var n = 0\nlabel count \"{n} of {1 + 1}\"\nbutton add \"+\" enabled n < 2\n\
         on main tap add -> stay set n = n + 1");
    let seen = run(&mut device, &[tap("add"), tap("add"), tap("add")]);
    assert_eq!(says(&seen[0], "count"), "1 of 2");
    assert_eq!(says(&seen[1], "count"), "2 of 2");
    assert_eq!(seen[2].outcome, Outcome::Missed);
}

#[test]
fn the_first_rule_that_applies_wins() {
    let mut device = app("var n = 0\nlabel l \"{n}\"\nbutton b \"B\"\n\
         on main tap b if n == 1 -> stay set n = 10\non main tap b -> stay set n = n + 1\n\
         on * tap b -> exit");
    let seen = run(&mut device, &[tap("b"), tap("b")]);
    assert_eq!([says(&seen[0], "l"), says(&seen[1], "l")], ["1", "10"]);
}

#[test]
fn fields_fill_checks_toggle_and_lists_scroll_by_themselves() {
    let mut device = app("edit name \"Name\"\ncheck dark \"Dark\"\nlist rows of 100 \"Row {row}\"");
    let seen = device.perform(&text("name", "Bob")).unwrap();
    assert_eq!(says(&seen, "name"), "Bob");
    let dark = |seen: &retap_model::Observation| {
        let window = &seen.screen.windows[0];
        window.widgets.iter().any(|w| w.has(Flags::CHECKED))
    };
    let seen = run(&mut device, &[tap("dark"), tap("dark")]);
    assert!(dark(&seen[0]) && !dark(&seen[1]));
    let drag = |to| Event::Drag { from: item("Row 5"), to: Point::new(500, to), ms: 100 };
    let seen = device.perform(&drag(0)).unwrap();
    assert!(!seen.screen.texts().any(|text| text == "Row 1"));
    assert!(seen.screen.texts().any(|text| text == "Row 9"));
}

#[test]
fn a_drag_has_a_direction_and_a_list_says_which_row() {
    let mut device = app("var at = 0\nlabel l \"{at}\"\nlist rows of 3 \"Row {row}\"\n\
         on main tap rows -> stay set at = row\non main drag l left -> exit");
    assert_eq!(says(&device.perform(&Event::Tap(item("Row 2"))).unwrap(), "l"), "2");
    let drag = |x| Event::Drag { from: on("l"), to: Point::new(x, 80), ms: 100 };
    assert_eq!(device.perform(&drag(1000)).unwrap().outcome, Outcome::Running);
    assert_eq!(device.perform(&drag(10)).unwrap().outcome, Outcome::Exited);
}

#[test]
fn a_dialog_lies_over_the_screen_it_was_opened_from() {
    let mut device = app("button ask \"Ask\"\nscreen sure dialog \"Sure?\"\nbutton yes \"Yes\"\n\
         on main tap ask -> sure\non sure tap yes -> back");
    let asked = device.perform(&tap("ask")).unwrap();
    let kinds: Vec<WindowKind> = asked.screen.windows.iter().map(|w| w.kind).collect();
    assert_eq!(kinds, [WindowKind::Activity, WindowKind::Dialog]);
    assert_eq!(asked.screen.activity, "p.Main");
    assert_eq!(device.perform(&tap("ask")).unwrap().outcome, Outcome::Missed);
    assert_eq!(device.perform(&tap("yes")).unwrap().screen.windows.len(), 1);
}

#[test]
fn back_pops_the_stack_and_then_leaves_and_a_launch_keeps_what_is_stored() {
    let mut device =
        app("store kept = 0\nvar lost = 0\nlabel l \"{kept} {lost}\"\nbutton b \"B\"\n\
         screen next activity Next\non main tap b -> next set kept = 1, lost = 1");
    let back = Event::Key(Key::back());
    let events = [tap("b"), back.clone(), back, Event::Wait(5), Event::Launch];
    let seen = run(&mut device, &events);
    assert_eq!(says(&seen[1], "l"), "1 1");
    assert_eq!(seen[2].outcome, Outcome::Exited);
    assert_eq!(seen[3].outcome, Outcome::Exited);
    assert_eq!(says(&seen[4], "l"), "1 0");
}

#[test]
fn home_and_left_put_another_app_in_front_until_a_launch() {
    let mut device = app("button share \"Share\"\non main tap share -> left com.mail");
    let seen = run(&mut device, &[tap("share"), tap("share"), Event::Launch]);
    assert_eq!(seen[0].outcome, Outcome::Left { package: "com.mail".into() });
    assert_eq!(seen[0].screen.windows[0].kind, WindowKind::Outside);
    assert_eq!(seen[1].outcome, Outcome::Missed);
    assert_eq!(seen[2].outcome, Outcome::Running);
    let home = device.perform(&Event::Key(Key::home())).unwrap();
    assert!(matches!(home.outcome, Outcome::Left { .. }));
}

#[test]
fn crashes_and_hangs_carry_their_stacks_and_end_the_app_until_reset() {
    let mut device = app("button a \"A\"\nbutton b \"B\"\non main tap a -> crash npe\n\
         on main tap b -> hang npe\ncrash npe\n java.lang.NullPointerException\n at p.Main.f(M.java:1)\nend");
    let seen = run(&mut device, &[tap("a"), Event::Launch]);
    let crash = seen[0].outcome.crash().unwrap();
    assert_eq!(crash.stack, "java.lang.NullPointerException\n\tat p.Main.f(M.java:1)\n");
    assert_eq!(seen[1].outcome, Outcome::Exited);
    device.reset(1).unwrap();
    let hung = device.perform(&tap("b")).unwrap().outcome;
    assert!(matches!(hung, Outcome::NotResponding { stack } if stack.contains("p.Main.f")));
}

#[test]
fn intents_and_system_events_find_their_rules() {
    let mut device = app(
        "var n = 0\nlabel l \"{n}\"\non main intent a.VIEW -> stay set n = n + 1\n\
         on main system a.b.TICK -> stay set n = n + 10\non main system low_memory -> stay set n = n + 100",
    );
    let intent = |action: &str| Intent { action: action.into(), ..Intent::default() };
    let seen = run(
        &mut device,
        &[
            Event::Intent(intent("a.VIEW")),
            Event::Intent(intent("a.EDIT")),
            Event::System(SystemEvent::Broadcast(intent("a.b.TICK"))),
            Event::System(SystemEvent::LowMemory),
        ],
    );
    assert_eq!(says(&seen[3], "l"), "111");
    let source = format!("app p\n{MAIN}on main system a.b.TICK -> stay");
    assert_eq!(FakeApp::parse("x", &source).unwrap().describe().broadcasts, ["a.b.TICK"]);
}

#[test]
fn rotation_turns_the_layout_unless_it_is_off() {
    let mut device = app("label l \"{orientation}\"");
    let seen = device.perform(&Event::Rotate(Orientation::Landscape)).unwrap();
    let bounds = seen.screen.windows[0].bounds;
    assert_eq!((says(&seen, "l").as_str(), bounds.right), ("landscape", 1920));
    let mut device = app("label l \"{orientation}\"\nrotation off");
    let seen = device.perform(&Event::Rotate(Orientation::Landscape)).unwrap();
    assert_eq!(says(&seen, "l"), "portrait");
}

#[test]
fn a_touch_where_nothing_is_does_nothing_unless_a_rule_is_about_any_place() {
    let mut device =
        app("button b \"B\"\nscreen any activity Any\non any tap -> main\non main tap b -> any");
    assert_eq!(device.perform(&tap_at(500, 1900)).unwrap().outcome, Outcome::Running);
    let seen = run(&mut device, &[tap("b"), tap_at(500, 1900)]);
    assert_eq!(seen[0].screen.activity, "p.Any");
    assert_eq!(seen[1].screen.activity, "p.Main");
}

#[test]
fn chances_depend_on_the_world_and_can_be_replayed() {
    let lines = "var n = 0\nlabel l \"{n}\"\nbutton b \"B\"\n\
         on main tap b chance 0.5 -> stay set n = n * 2 + 1\non main tap b -> stay set n = n * 2";
    let mut device = app(lines);
    let mut final_number = |world_seed| {
        device.reset(world_seed).unwrap();
        says(&run(&mut device, &vec![tap("b"); 40])[39], "l")
    };
    assert_eq!(final_number(1), final_number(1));
    assert_ne!(final_number(1), final_number(2));
    let mut device = app(&format!("{lines}\ndeterministic off"));
    let mut final_number = || {
        device.reset(1).unwrap();
        says(&run(&mut device, &vec![tap("b"); 40])[39], "l")
    };
    assert_ne!(final_number(), final_number());
}

#[test]
fn faults_strike_at_their_event_of_the_devices_life() {
    let wait = Event::Wait(1);
    let mut device = app("fault lose at event 2");
    assert!(device.perform(&wait).is_ok());
    device.reset(1).unwrap();
    assert!(is_lost(&device.perform(&wait)));
    assert!(device.perform(&wait).is_ok());

    let mut device = app("fault die at event 1");
    assert!(is_lost(&device.perform(&wait)) && is_lost(&device.reset(1)));

    let mut device = app("fault hang at event 1");
    let hung = device.perform(&wait).unwrap().outcome;
    assert!(matches!(hung, Outcome::NotResponding { .. }));

    let mut device =
        app("button b \"B\" \nscreen n activity N\non main tap b -> n\nfault lie at event 1");
    assert_eq!(device.perform(&tap("b")).unwrap().screen.activity, "p.Main");
    assert_eq!(device.perform(&wait).unwrap().screen.activity, "p.N");
}

#[test]
fn a_fault_that_strikes_once_spares_the_next_device() {
    let file = std::env::temp_dir().join(format!("retap-once-{}.fake", std::process::id()));
    std::fs::write(&file, format!("app p\n{MAIN}fault lose at event 1 once")).unwrap();
    let connect = retap_device::fake::FakeConnect::load(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let mut lost = 0;
    for _ in 0..3 {
        let mut device = connect.device();
        device.reset(1).unwrap();
        lost += u32::from(is_lost(&device.perform(&Event::Wait(1))));
    }
    assert_eq!(lost, 1);
}

#[test]
fn a_device_without_snapshots_or_screenshots_says_so() {
    let mut device = app("snapshots off\nscreenshots off");
    assert!(matches!(device.save(), Err(DeviceError::Unsupported(_))));
    assert!(matches!(device.screenshot(), Err(DeviceError::Unsupported(_))));
    assert!(!device.describe().snapshots && !device.describe().screenshots);
}

#[test]
fn a_forgotten_snapshot_cannot_be_restored() {
    let mut device = app("");
    let (one, two) = (device.save().unwrap(), device.save().unwrap());
    device.forget(one).unwrap();
    assert!(is_lost(&device.restore(one)) && device.restore(two).is_ok());
}

#[test]
fn wrong_lines_are_refused_with_their_number_and_what_was_expected() {
    for (lines, part) in [
        ("on main tap go -> stay", "x.fake:4: expected a widget of that screen, found \"go\""),
        ("on * tap go -> stay", "expected a widget of some screen"),
        ("on nowhere wait -> stay", "expected a declared screen, found \"nowhere\""),
        ("on main poke -> stay", "expected one of tap, long"),
        ("on main wait stay", "expected -> or a widget"),
        ("on main wait -> crash x", "expected a declared crash"),
        ("on main wait chance 2 -> stay", "a probability from 0 to 1"),
        ("on main wait -> stay set x = 1", "expected a declared variable"),
        ("on main wait if 1 -> stay", "expected true or false"),
        ("on main key BACK -> stay", "a key in lower case"),
        ("on main rotate sideways -> stay", "portrait, landscape"),
        ("on main system flood -> stay", "low_memory"),
        ("on main wait -> stay covers", "expected a unit"),
        ("on main wait -> stay takes long", "expected milliseconds"),
        ("label x", "expected its \"text\""),
        ("label x \"{y}\"", "expected a declared variable, found \"y\""),
        ("label x \"{typed}\"", "not known here"),
        ("label x \"{\"", "a doubled brace"),
        ("label x \"a\"\nlabel x \"b\"", "two widgets named \"x\""),
        ("label x \"a\" wobbly", "expected when, enabled"),
        ("screen main activity Main", "declared twice"),
        ("screen x window", "activity, dialog, menu, popup or outside"),
        ("var a = 1\nvar a = 2", "declared twice"),
        ("var row = 1", "no word of the language"),
        ("check not \"Not\"", "no word of the language"),
        ("screen back activity Back", "no word of the language"),
        ("var a = b", "expected a number"),
        ("var name = 1\nedit name \"Name\"", "expected \"name\" to be a text"),
        ("crash x\n at y", "expected end after"),
        ("crash x\nend", "expected a stack"),
        ("fault burn at event 1", "expected hang, die, lie or lose"),
        ("snapshots maybe", "expected on or off"),
        ("display big", "1080x1920@480"),
        ("wibble", "expected app, display"),
        ("start main", "expected start only once"),
        ("app q", "expected app only once"),
    ] {
        let message = parse_error(lines);
        assert!(message.contains(part), "{lines}\n  expected {part}\n  found {message}");
        assert!(message.starts_with("x.fake:"), "{message}");
    }
    assert!(FakeApp::parse("x", "").unwrap_err().to_string().contains("app PACKAGE"));
}

#[test]
fn the_broken_files_are_refused_where_they_are_broken() {
    for (name, line) in [("broken-name.fake", 6), ("broken-kind.fake", 7)] {
        let error = FakeDevice::load(&common::path(name)).unwrap_err().to_string();
        assert!(error.contains(&format!("{name}:{line}: expected")), "{error}");
    }
    let missing = FakeDevice::load(&common::path("missing.fake")).unwrap_err().to_string();
    assert!(missing.contains("cannot read"), "{missing}");
}

#[test]
fn the_example_in_the_documentation_is_an_app() {
    let docs = include_str!("../../../docs/fake.md");
    let example = docs.split("```").nth(1).unwrap();
    let app = FakeApp::parse("fake.md", example).unwrap();
    let mut device = FakeDevice::new(app.into(), std::path::Path::new("fake.md"));
    device.reset(1).unwrap();
    let sale = [text("amount", "four"), tap("add"), tap("pay")];
    assert_eq!(run(&mut device, &sale)[2].screen.windows[0].title, "Till (1 sales)");
}

#[test]
fn each_crash_of_the_notes_app_can_be_reached() {
    let long = |text: &str| Event::LongPress(item(text));
    let delete_last = |text: &str| vec![long(text), tap("delete"), tap("yes")];
    let paths = [
        vec![tap("add"), tap("save")],
        [delete_last("Note 2"), delete_last("Note 1")].concat(),
        vec![long("Note 1"), tap("delete"), Event::Rotate(Orientation::Landscape)],
        vec![tap("add"), text("body", "more than twenty letters"), tap("share")],
    ];
    let mut identities = Vec::new();
    for path in paths {
        let mut device = at_start("notes.fake", 1);
        let seen = run(&mut device, &path);
        assert!(seen[..seen.len() - 1].iter().all(|o| o.outcome == Outcome::Running), "{path:?}");
        let crash = seen[seen.len() - 1].outcome.crash().unwrap().clone();
        identities.push(crash.identity("dev.retap.demo.notes"));
    }
    identities.sort();
    identities.dedup();
    assert_eq!(identities.len(), 4);
}

proptest! {
    /// Cut, doubled and garbled files give an app or a message, never a panic.
    #[test]
    fn garbled_files_never_panic(
        cuts in proptest::collection::vec((0usize..4000, 0usize..60, "[ -~\n]{0,8}"), 1..6),
        events in proptest::collection::vec((0i32..1200, 0i32..2000), 0..20),
    ) {
        let mut source = std::fs::read_to_string(common::path("notes.fake")).unwrap();
        for (at, length, with) in cuts {
            let at = at.min(source.len());
            let end = (at + length).min(source.len());
            if source.is_char_boundary(at) && source.is_char_boundary(end) {
                source.replace_range(at..end, &with);
            }
        }
        if let Ok(app) = FakeApp::parse("x", &source) {
            let mut device = FakeDevice::new(app.into(), std::path::Path::new("x"));
            device.reset(1).unwrap();
            for (x, y) in events {
                let at = Target::point(Point::new(x, y));
                device.perform(&Event::Tap(at.clone())).unwrap();
                device.perform(&Event::LongPress(at)).unwrap();
            }
        }
    }

    /// The same world seed and events give the same observations, and a restored snapshot continues
    /// as the saved state did.
    #[test]
    fn notes_is_deterministic(
        taps in proptest::collection::vec((0i32..1100, 0i32..2000, 0u8..6), 1..60),
        cut in 0usize..60,
    ) {
        let event = |&(x, y, kind): &(i32, i32, u8)| {
            let at = Target::point(Point::new(x, y));
            match kind {
                0 => Event::LongPress(at),
                1 => Event::Text { on: at, text: "some text".into() },
                2 => Event::Key(Key::back()),
                3 => Event::Launch,
                _ => Event::Tap(at),
            }
        };
        let events: Vec<Event> = taps.iter().map(event).collect();
        let (head, tail) = events.split_at(cut.min(events.len()));
        let mut device = at_start("notes.fake", 9);
        run(&mut device, head);
        let saved = device.save().unwrap();
        let first = run(&mut device, tail);
        device.restore(saved).unwrap();
        prop_assert_eq!(&run(&mut device, tail), &first);
        let mut other = at_start("notes.fake", 9);
        prop_assert_eq!(&run(&mut other, &events)[head.len()..], &first[..]);
    }
}
