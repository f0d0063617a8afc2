//! Every keyword once, everything that is left out, and the round trip.

use super::*;
use crate::event::{Intent, Key, Orientation, PinchDirection, SystemEvent, Target};
use crate::geometry::Point;
use proptest::prelude::*;

const HEADER: &str = "type= user\ncount= 10\nspeed= 1.0\nstart data >>\n";

fn script(body: &str) -> MonkeyScript {
    read(format!("{HEADER}{body}").as_bytes(), "s").unwrap()
}

fn at(x: i32, y: i32) -> Target {
    Target::point(Point::new(x, y))
}

/// Compares events as sentences, and remarks with their line after the header.
fn check(body: &str, events: &[&str], remarks: &[&str]) {
    let script = script(body);
    let found: Vec<String> = script.events.iter().map(|placed| placed.event.to_string()).collect();
    assert_eq!(found, events, "{body}");
    let found: Vec<String> =
        script.remarks.iter().map(|r| format!("{}: {}", r.number - 4, r.text)).collect();
    assert_eq!(found, remarks, "{body}");
}

#[test]
fn taps_drags_and_pinches_become_events_at_whole_pixels() {
    check("Tap(116.0, 160.9, 0)", &["tap (116, 160)"], &[]);
    check("Tap(1,2)", &["tap (1, 2)"], &[]);
    check("Tap(1,2,1500)", &["long-press (1, 2)"], &[]);
    check("PressAndHold(1,2,1500)", &["long-press (1, 2)"], &[]);
    check("Drag(530.0, 238.0, 592.46704, 255.1, 8)", &["drag (530, 238) to (592, 255)"], &[]);
    check("PinchZoom(90,50,0,50,110,50,200,50,5)", &["pinch open on (100, 50)"], &[]);
    check("PinchZoom(0,50,90,50,200,50,110,50,5)", &["pinch close on (100, 50)"], &[]);
    let still = "two fingers that keep their distance are no pinch";
    check("PinchZoom(0,0,0,9,5,0,5,9,5)", &[], &[&format!("1: {still}")]);
    check("Drag(1,2,3,4,0)", &[], &["1: a gesture of no steps does nothing"]);
}

#[test]
fn a_drag_takes_ten_milliseconds_a_step() {
    let event = Event::Drag { from: at(1, 2), to: Point::new(3, 4), ms: 80 };
    assert_eq!(script("Drag(1,2,3,4,8)").events, [ScriptEvent { line: 5, event }]);
}

#[test]
fn keys_are_known_by_number_and_by_name() {
    check("DispatchPress(4)", &["press back"], &[]);
    check("DispatchPress(KEYCODE_MENU)", &["press menu"], &[]);
    check("DispatchPress(menu)", &["press menu"], &[]);
    check("DispatchPress(8)\nDispatchPress(KEYCODE_8)", &["press 1", "press 8"], &[]);
    check("DispatchPress(9999)", &[], &["1: there is no key \"9999\""]);
    check("DispatchPress(KEYCODE_ANY)", &[], &["1: there is no key \"KEYCODE_ANY\""]);
}

#[test]
fn recorded_touches_add_up_to_one_event() {
    let touch = |time, action, x, y| {
        format!("captureDispatchPointer(100,{time},{action},{x},{y},0.2,0.06,0,0.0,0.0,65539,0)\n")
    };
    let tap = touch(100, 0, 50, 60) + &touch(120, 2, 52, 60) + &touch(150, 1, 52, 60);
    check(&tap, &["tap (50, 60)"], &[]);
    let long = touch(100, 0, 50, 60) + "UserWait(600)\n" + &touch(100, 1, 50, 60);
    check(&long, &["long-press (50, 60)"], &[]);
    let drag = touch(100, 0, 50, 60) + &touch(300, 2, 90, 60) + &touch(400, 1, 90, 160);
    check(&drag, &["drag (50, 60) to (90, 160)"], &[]);
    let event = Event::Drag { from: at(50, 60), to: Point::new(90, 160), ms: 300 };
    assert_eq!(script(&drag).events, [ScriptEvent { line: 5, event }]);
    check(&touch(100, 1, 50, 60), &[], &["1: no finger is down here"]);
    check(&touch(100, 0, 5, 6), &[], &["1: this touch is not ended before the end"]);
    let left = touch(100, 0, 5, 6) + "DispatchPress(4)\n" + &touch(100, 1, 5, 6);
    let remarks = ["1: this touch is not ended before line 6", "3: no finger is down here"];
    check(&left, &["press back"], &remarks);
    let cancelled = touch(100, 0, 5, 6) + &touch(100, 3, 5, 6);
    check(&cancelled, &[], &["2: the touch of line 5 is cancelled"]);
    let second = "1: only one finger that goes down, moves and comes up is understood";
    check(&touch(100, 261, 5, 6), &[], &[second]);
}

#[test]
fn recorded_strokes_add_up_to_one_key() {
    let stroke =
        |action, code, repeat| format!("DispatchKey(1,1,{action},{code},{repeat},0,0,0)\n");
    check(&(stroke(0, 4, 0) + &stroke(1, 4, 0)), &["press back"], &[]);
    let held = stroke(0, 4, 0) + &stroke(0, 4, 1) + &stroke(1, 4, 0);
    check(&held, &["press back"], &["2: the repetition of a held key is left out"]);
    check(&stroke(1, 4, 0), &[], &["1: the key back is not down here"]);
    let other = stroke(0, 4, 0) + &stroke(0, 3, 0) + &stroke(1, 3, 0);
    check(&other, &["press home"], &["1: this key does not come up before line 6"]);
    let shifted = "DispatchKey(1,1,0,29,0,1,0,0)\nDispatchKey(1,1,1,29,0,0,0,0)";
    check(shifted, &["press a"], &["1: shift, alt and other modifiers are left out"]);
}

#[test]
fn the_first_launch_is_the_traces_own_and_later_ones_are_events() {
    let body = "LaunchActivity(com.app, com.app.Main)\nTap(1,2)\nLaunchActivity(com.app,com.app.Main)\n\
                LaunchActivity(com.app,com.app.Other)\n";
    let script = script(body);
    let main = ActivityName { package: "com.app".into(), class: "com.app.Main".into() };
    assert_eq!(script.launch, Some(main));
    assert_eq!(script.events[1].event, Event::Launch);
    assert!(
        matches!(&script.events[2].event, Event::Intent(i) if i.component == "com.app/com.app.Other")
    );
    check("LaunchActivity(a,b,500)", &[], &["1: the alarm time is left out"]);
}

#[test]
fn the_rest_of_the_keywords_is_an_event_or_a_remark() {
    check("RotateScreen(1,0)", &["rotate to landscape"], &[]);
    check("RotateScreen(4,0)", &[], &["1: expected a rotation from 0 to 3, found \"4\""]);
    check("UserWait(500)", &["wait 500 ms"], &[]);
    check(
        "ProfileWait()",
        &["wait 5000 ms"],
        &["1: ProfileWait is taken as Monkey's default of 5 s"],
    );
    let asleep = ["turn the screen off", "wait 30000 ms", "turn the screen on"];
    check("DeviceWakeUp()", &asleep, &[]);
    check("DispatchFlip(true)", &[], &["1: there is no event for flipping the keyboard open"]);
    let trackball = "DispatchTrackball(1,1,2,-5,3,1,1,-1,1,1,0,0)";
    check(trackball, &[], &["1: there is no trackball event"]);
    check("LaunchInstrumentation(t,r)", &[], &["1: instrumentation is not started"]);
    check("LongPress()", &[], &["1: there is no event for holding a key"]);
    for logging in ["PowerLog(a,b)", "WriteLog()"] {
        check(logging, &[], &["1: power logging does nothing to the app"]);
    }
    for measuring in [
        "StartCaptureFramerate()",
        "EndCaptureFramerate(a)",
        "StartCaptureAppFramerate(a)",
        "EndCaptureAppFramerate(a,b)",
    ] {
        check(measuring, &[], &["1: measuring frame rates does nothing to the app"]);
    }
}

#[test]
fn a_shell_command_is_reported_and_not_run() {
    check("RunCmd(rm -rf /sdcard)", &[], &["1: the command `rm -rf /sdcard` is not run"]);
}

#[test]
fn text_goes_to_the_field_tapped_just_before_or_to_the_focus() {
    check("Tap(1,2)\nDispatchString(a%sb)", &["type \"a b\" into (1, 2)"], &[]);
    check(
        "Tap(1,2)\n\nDispatchString(ab)",
        &["tap (1, 2)", "type \"ab\" into what has the focus"],
        &[],
    );
    check("DispatchString()", &[], &["1: there is nothing to type"]);
}

#[test]
fn lines_that_mean_nothing_are_reported_with_their_number() {
    let body = "\n# a comment\nTap(1,2)\nJump(3)\nhello\nTap(1)\nTap(a,b)\n# Tap(3,4)\nTap(1e99,2)\nTap(NaN,2)";
    let remarks = [
        "4: Jump is no keyword of Monkey's",
        "5: expected KEYWORD(ARGUMENTS)",
        "6: Tap takes 2 or 3 arguments, found 1",
        "7: expected a coordinate, found \"a\"",
        "8: this comment is skipped, though Monkey itself might run it",
        "9: expected a coordinate, found \"1e99\"",
        "10: expected a coordinate, found \"NaN\"",
    ];
    check(body, &["tap (1, 2)"], &remarks);
}

#[test]
fn a_file_that_is_no_script_is_refused_with_its_line() {
    let error = |text: &str| read(text.as_bytes(), "s").unwrap_err().to_string();
    let no_header = "s:1: expected a Monkey script with a line `start data >>` after its header";
    assert!(error("Tap(1,2)\n").starts_with(no_header), "{}", error("Tap(1,2)\n"));
    assert!(error("").contains("found `the end of the file`"));
    assert_eq!(
        error("type= user\ncount= many\nstart data >>\n"),
        "s:2: expected a number of events after `count=`, found `many`"
    );
    let nonsense = format!("{HEADER}{}", "x\n".repeat(MAX_REMARKS + 1));
    assert!(error(&nonsense).contains("at most 10000 lines that are no event"));
}

fn entry() -> ActivityName {
    ActivityName { package: "com.app".into(), class: "com.app.Main".into() }
}

fn written(events: &[Event]) -> (String, Vec<String>) {
    let mut out = Vec::new();
    let remarks = write(&mut out, Some(&entry()), events).unwrap();
    let remarks = remarks.left_out.iter().chain(&remarks.less_exact).map(Remark::to_string);
    (String::from_utf8(out).unwrap(), remarks.collect())
}

#[test]
fn a_written_script_looks_like_this() {
    let (text, remarks) = written(&[
        Event::Tap(at(1, 2)),
        Event::Text { on: Target::default(), text: "a b".into() },
        Event::Text { on: at(3, 4), text: "c".into() },
        Event::LongPress(at(5, 6)),
        Event::Key(Key::back()),
        Event::Pinch { on: at(100, 50), direction: PinchDirection::Open },
    ]);
    insta::assert_snapshot!(text, @r"
    type= user
    count= 9
    speed= 1.0
    start data >>
    LaunchActivity(com.app,com.app.Main)
    Tap(1,2)
    # into the field that has the focus
    DispatchString(a%sb)
    Tap(3,4)
    DispatchString(c)
    Tap(5,6,1000)
    DispatchPress(KEYCODE_BACK)
    PinchZoom(50,50,0,50,150,50,200,50,10)
    ");
    assert!(remarks.is_empty(), "{remarks:?}");
}

#[test]
fn what_monkey_cannot_do_is_left_out_and_said() {
    let (text, remarks) = written(&[
        Event::Close,
        Event::System(SystemEvent::LowMemory),
        Event::Tap(Target::default()),
        Event::Text { on: at(1, 2), text: "a,b".into() },
        Event::Text { on: at(1, 2), text: "RunCmd".into() },
        Event::Key(Key::new("no_such_key").unwrap()),
        Event::Intent(Intent { action: "x.VIEW".into(), ..Intent::default() }),
        Event::Wait(u32::MAX),
        Event::Drag { from: at(1, 2), to: Point::new(3, 4), ms: 203 },
    ]);
    insta::assert_snapshot!(remarks.join("\n"), @r#"
    1: Monkey cannot close the app
    2: Monkey cannot run low on memory
    3: Monkey needs coordinates, what has the focus has none
    4: Monkey cannot type "a,b"
    5: Monkey would take RunCmd in "RunCmd" for a command
    6: Monkey knows no key no_such_key
    7: Monkey cannot send the intent x.VIEW
    8: Monkey cannot wait 4294967295 ms
    9: a drag of 203 ms is written as 20 steps of 10 ms
    "#);
    assert!(text.ends_with("Main)\nDrag(1,2,3,4,20)\n"), "{text}");
}

fn expressible() -> impl Strategy<Value = Event> {
    let point = || (any::<i32>(), any::<i32>()).prop_map(|(x, y)| Point::new(x, y));
    let target = move || point().prop_map(Target::point);
    let inside = (-(1 << 30)..1 << 30, any::<i32>()).prop_map(|(x, y)| at(x, y));
    let text = "[ -~]{1,12}".prop_filter("what `input text` takes", |text: &String| {
        !text.contains([',', ')']) && !text.contains("%s")
    });
    prop_oneof![
        target().prop_map(Event::Tap),
        target().prop_map(Event::LongPress),
        (target(), point(), 1..1000u32).prop_map(|(from, to, steps)| Event::Drag {
            from,
            to,
            ms: steps * STEP_MS
        }),
        (inside, any::<bool>()).prop_map(|(on, open)| {
            let direction = if open { PinchDirection::Open } else { PinchDirection::Close };
            Event::Pinch { on, direction }
        }),
        (target(), text.clone()).prop_map(|(on, text)| Event::Text { on, text }),
        text.prop_map(|text| Event::Text { on: Target::default(), text }),
        (1..300usize).prop_filter_map("a key", |code| keycode::key(code).map(Event::Key)),
        prop_oneof![
            Just(Orientation::Portrait),
            Just(Orientation::Landscape),
            Just(Orientation::ReversePortrait),
            Just(Orientation::ReverseLandscape),
        ]
        .prop_map(Event::Rotate),
        (0..i32::MAX as u32).prop_map(Event::Wait),
        Just(Event::Launch),
        "[A-Z][a-z]{1,8}".prop_map(|name| {
            let class = format!("com.app.Other{name}");
            let component = ActivityName { package: "com.app".into(), class };
            Event::Intent(read::launcher_intent(&component))
        }),
    ]
}

proptest! {
    #[test]
    fn what_monkey_can_express_is_read_back_as_it_was(
        events in proptest::collection::vec(expressible(), 0..20),
    ) {
        let (text, remarks) = written(&events);
        prop_assert!(remarks.is_empty(), "{:?}", remarks);
        let script = read(text.as_bytes(), "s").unwrap();
        prop_assert_eq!(&script.remarks, &[], "{}", text);
        prop_assert_eq!(script.launch, Some(entry()));
        let found: Vec<Event> = script.events.into_iter().map(|placed| placed.event).collect();
        prop_assert_eq!(found, events, "{}", text);
    }
}
