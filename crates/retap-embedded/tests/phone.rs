//! What the phone around an app does: installs it in parts, starts it again after it has exited, and has
//! the other apps that it was asked to have.

use retap_device::{Connect, Device};
use retap_embedded::{Embedded, Notice, Options};
use retap_model::{Event, Key, Observation, Outcome, Selector, SystemEvent, Target};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// One JVM at a time: each takes hundreds of megabytes.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn phone(app: &str, options: Options) -> Box<dyn Device> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(app);
    Embedded::new(apk, options, Arc::new(|_: Notice<'_>| {})).connect().expect("a device").0
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

fn shows(seen: &Observation, text: &str) {
    assert!(seen.screen.texts().any(|shown| shown == text), "no {text:?} in {:?}", seen.screen);
}

#[test]
fn a_bundle_brings_the_resources_and_the_code_of_its_splits() {
    let _alone = alone();
    let mut device = phone("parts.apks", Options::default());
    shows(&device.reset(1).unwrap(), "Good morning");
    let german = Event::System(SystemEvent::Locale("de".into()));
    shows(&device.perform(&german).unwrap(), "Guten Morgen");
    shows(&tap(&mut *device, "extra"), "from another part");
}

#[test]
fn an_app_that_has_exited_can_be_launched_again() {
    let _alone = alone();
    let mut device = phone("exit.apk", Options::default());
    let first = device.reset(1).unwrap();
    tap(&mut *device, "next");
    assert_eq!(tap(&mut *device, "exit").outcome, Outcome::Exited);
    assert_eq!(tap(&mut *device, "next").outcome, Outcome::Missed);
    let again = device.perform(&Event::Launch).unwrap();
    assert_eq!(again.outcome, Outcome::Running);
    assert_eq!(again.screen, first.screen);
    assert_eq!(
        tap(&mut *device, "finish_all").outcome,
        Outcome::Left { package: "com.android.launcher3".into() }
    );
}

#[test]
fn an_intent_for_an_app_that_was_taken_away_finds_nobody() {
    let _alone = alone();
    let gallery = |outside: &[&str]| {
        let outside = outside.iter().map(ToString::to_string).collect();
        let mut device = phone("notes.apk", Options { outside, ..Options::default() });
        device.reset(1).unwrap();
        tap_text(&mut *device, "Ideas");
        device.perform(&Event::Key(Key::menu())).unwrap();
        tap_text(&mut *device, "Attach a picture").outcome
    };
    let with = gallery(&[]);
    assert!(matches!(with, Outcome::Left { .. }), "{with:?}");
    let Outcome::Crashed(crash) = gallery(&["none"]) else { panic!("somebody took the intent") };
    assert!(crash.stack.contains("ActivityNotFoundException"), "{}", crash.stack);
}

/// The stock fixture behind its splash and its welcome.
fn stock() -> Box<dyn Device> {
    let mut device = phone("stock.apk", Options::default());
    device.reset(1).expect("the device lives");
    tap_text(&mut *device, "Begin");
    device
}

#[test]
fn a_splash_is_waited_for_and_a_dialog_of_on_create_lies_in_front() {
    let _alone = alone();
    let mut device = phone("stock.apk", Options::default());
    let first = device.reset(1).unwrap();
    assert!(first.screen.activity.ends_with("MainActivity"), "{:?}", first.screen);
    let front = first.screen.windows.last().expect("a window");
    assert!(front.focused, "{front:?}");
    shows(&first, "Welcome");
    assert!(tap_text(&mut *device, "Begin").screen.windows.iter().all(|w| w.focused));
}

#[test]
fn system_providers_heed_where_clauses() {
    let _alone = alone();
    let mut device = stock();
    let seen = tap(&mut *device, "gallery");
    shows(&seen, "1 changed, long: three, described: none, 1 removed, left: four one");
}

#[test]
fn the_phone_has_its_storage_an_app_picker_and_a_chooser_for_any_thread() {
    let _alone = alone();
    let mut device = stock();
    shows(&tap(&mut *device, "storage"), "storage is mounted");
    let share = tap(&mut *device, "share");
    assert_eq!(share.outcome, Outcome::Left { package: "com.android.intentresolver".into() });
    device.perform(&Event::Key(Key::back())).unwrap();
    let pick = tap(&mut *device, "pick");
    assert_eq!(pick.outcome, Outcome::Left { package: "com.android.settings".into() });
    shows(
        &tap_text(&mut *device, "Choose Settings"),
        "picked ComponentInfo{com.android.settings/com.android.settings.Main}",
    );
}

#[test]
fn old_apps_find_apaches_http_client_and_no_network() {
    let _alone = alone();
    let mut device = stock();
    shows(&tap(&mut *device, "http"), "no answer: org.apache.http.conn.HttpHostConnectException");
}

#[test]
fn what_an_app_prints_never_fails_and_what_it_was_started_with_outlives_it() {
    let _alone = alone();
    let mut device = stock();
    shows(&tap(&mut *device, "print"), "printed");
    let gone = device.perform(&Event::System(SystemEvent::ProcessDeath)).unwrap();
    shows(&gone, "so far CALM");
    shows(&tap(&mut *device, "print"), "printed");
}

#[test]
fn a_loop_that_only_makes_garbage_is_not_responding() {
    let _alone = alone();
    let mut device = phone("hang.apk", Options::default());
    device.reset(1).unwrap();
    let seen = tap(&mut *device, "hoard");
    assert!(matches!(seen.outcome, Outcome::NotResponding { .. }), "{:?}", seen.outcome);
}
