//! Drawing, window focus, web views and natives of graphics, checked through the fixture `drawn`.

use retap_device::{Connect, Device};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::{Event, Observation, Outcome, Selector, Target};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// One JVM at a time: each takes hundreds of megabytes.
static ALONE: Mutex<()> = Mutex::new(());

fn run_alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Starts the fixture and opens one of its screens.
fn open(screen: &str) -> Box<dyn Device> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/drawn.apk");
    let notices = Arc::new(|_: Notice<'_>| {});
    let mut device = EmbeddedConnect::new(apk, EmbeddedOptions::default(), notices)
        .connect()
        .expect("a device")
        .0;
    device.reset(1).expect("the device lives");
    if !screen.is_empty() {
        tap(&mut *device, screen);
    }
    device
}

fn tap(device: &mut dyn Device, id: &str) -> Observation {
    tap_on(device, Selector { id: id.into(), ..Selector::default() })
}

fn tap_text(device: &mut dyn Device, text: &str) -> Observation {
    tap_on(device, Selector { text: text.into(), ..Selector::default() })
}

fn tap_on(device: &mut dyn Device, on: Selector) -> Observation {
    device.perform(&Event::Tap(Target { on: Some(on), at: None })).expect("the device lives")
}

fn assert_shows(observation: &Observation, text: &str) {
    let screen = &observation.screen;
    assert!(screen.texts().any(|shown| shown == text), "no {text:?} in {screen:?}");
}

#[test]
fn a_crash_while_drawing_belongs_to_the_event_that_shows_the_view() {
    let _alone = run_alone();
    let mut device = open("");
    for (button, place) in [
        ("show", "Portrait.onDraw"),
        ("child", "Frame.dispatchDraw"),
        ("drawable", "Colourless.draw"),
    ] {
        let Outcome::Crashed(crash) = tap(&mut *device, button).outcome else {
            panic!("{button} does not crash")
        };
        assert!(crash.stack.contains(place), "{}", crash.stack);
        assert!(crash.stack.contains("ViewRootImpl.performDraw"), "{}", crash.stack);
        device.reset(1).unwrap();
    }
}

#[test]
fn frames_draw_what_is_dirty_and_drive_animations() {
    let _alone = run_alone();
    let mut device = open("frames");
    let redrawn = tap(&mut *device, "redraw");
    assert_shows(&redrawn, "drawn 2 and 1, accelerated true, dirty false, observed");
    assert_shows(&tap(&mut *device, "animate"), "started, faded");
    assert_shows(&tap(&mut *device, "rows"), "started, rows came");
    assert_eq!(tap(&mut *device, "spin").outcome, Outcome::Running);
}

#[test]
fn windows_get_the_focus_after_their_first_frame_and_give_it_back() {
    let _alone = run_alone();
    let mut device = open("focus");
    let first = tap(&mut *device, "show");
    assert_shows(&first, "create resume attached layout predraw draw focus");
    tap(&mut *device, "popup");
    assert_shows(&tap(&mut *device, "show"), "shown blur focus");
}

#[test]
fn a_web_view_shows_local_pages_and_follows_their_links() {
    let _alone = run_alone();
    let mut device = open("web");
    let home = tap(&mut *device, "asset");
    assert_shows(&home, "Welcome");
    assert_shows(&home, "Some plain text, and a");
    assert_shows(&tap_text(&mut *device, "link"), "The second page");
    assert_shows(&tap(&mut *device, "back"), "Own action");
    assert_shows(
        &tap(&mut *device, "network"),
        "asked, started http://nowhere.test/, error -2, title Webpage not available, progress 100, \
         finished http://nowhere.test/ [Webpage not available]",
    );
}

#[test]
fn natives_of_graphics_and_input_answer_as_on_a_phone() {
    let _alone = run_alone();
    let mut device = open("");
    assert_shows(
        &tap(&mut *device, "graphics"),
        "camera ok; velocity ok; region decoder ok; movie ok; yuv ok; nine patch ok; \
         region parcel ok",
    );
}
