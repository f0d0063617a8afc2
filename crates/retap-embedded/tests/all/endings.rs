//! The end of an app's process: a crash is a crash whatever handler the app has set, and what the
//! device lacks is none.

use retap_device::{Connect, Device};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::event::Intent;
use retap_model::{Confidence, Event, Observation, Outcome, Selector, SystemEvent, Target};
use std::path::PathBuf;
use std::sync::Arc;

fn phone(app: &str) -> Box<dyn Device> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(app);
    let options = EmbeddedOptions::default();
    EmbeddedConnect::new(apk, options, Arc::new(|_: Notice<'_>| {})).connect().expect("a device").0
}

fn tap(device: &mut dyn Device, id: &str) -> Observation {
    let on = Selector { id: id.into(), ..Selector::default() };
    device.perform(&Event::Tap(Target { on: Some(on), at: None })).expect("the device lives")
}

/// One JVM for all: each takes hundreds of megabytes.
#[test]
fn crashes_of_an_app_that_handles_them_are_reported_and_missing_parts_of_it_are_its_own() {
    const PACKAGE: &str = "dev.retap.fixture.reporter";
    let mut device = phone("reporter.apk");
    for (button, exception, method) in [
        ("exit", "java.lang.IllegalStateException", "exit"),
        ("restart", "java.lang.IllegalArgumentException", "restart"),
        ("swallow", "java.lang.ArithmeticException", "swallow"),
        ("background", "java.lang.UnsupportedOperationException", ""),
        ("missing", "java.lang.ClassNotFoundException", "missing"),
        ("library", "java.lang.UnsatisfiedLinkError", "library"),
        ("files", "java.lang.NullPointerException", "files"),
    ] {
        device.reset(1).expect("the device lives");
        let observation = tap(&mut *device, button);
        let Outcome::Crashed(crash) = &observation.outcome else {
            panic!("{button}: {observation:?}")
        };
        assert_eq!(crash.innermost_class(), exception, "{}", crash.stack);
        assert_eq!(crash.confidence(), Confidence::High, "{button}: {:?}", crash.doubts);
        assert_eq!(observation.host_limitations, [""; 0]);
        let place = crash.place(PACKAGE).unwrap_or_default();
        assert!(place.starts_with(&format!("{PACKAGE}.MainActivity")), "{place}");
        assert!(place.contains(method), "{place}");
        assert!(!crash.stack.contains("dev.retap.agent"), "{}", crash.stack);
    }
    for (button, exception) in [
        ("unshown", "android.app.RemoteServiceException"),
        ("late", "android.view.WindowManager$BadTokenException"),
    ] {
        device.reset(1).expect("the device lives");
        tap(&mut *device, button);
        let later = device.perform(&Event::Wait(12_000)).expect("the device lives");
        let Outcome::Crashed(crash) = &later.outcome else { panic!("{button}: {later:?}") };
        assert_eq!(crash.innermost_class(), exception, "{}", crash.stack);
        assert_eq!(crash.confidence(), Confidence::High, "{button}: {:?}", crash.doubts);
    }
    device.reset(1).expect("the device lives");
    assert_eq!(tap(&mut *device, "spoil").outcome, Outcome::Exited);
    for _ in 0..2 {
        assert_eq!(device.perform(&Event::Launch).expect("it lives").outcome, Outcome::Exited);
    }
    assert_eq!(device.reset(1).expect("the device lives").outcome, Outcome::Running);
}

#[test]
fn a_crash_in_another_process_of_the_app_is_a_crash_that_names_the_process() {
    const PACKAGE: &str = "dev.retap.fixture.checks";
    let mut device = phone("checks.apk");
    device.reset(1).expect("the device lives");
    let intent = Intent {
        action: format!("{PACKAGE}.CRASH"),
        component: format!("{PACKAGE}/{PACKAGE}.process.AwayReceiver"),
        ..Intent::default()
    };
    let event = Event::System(SystemEvent::Broadcast(intent));
    let observation = device.perform(&event).expect("the device lives");
    let Outcome::Crashed(crash) = &observation.outcome else { panic!("{observation:?}") };
    assert_eq!(crash.innermost_class(), "java.lang.IllegalStateException", "{}", crash.stack);
    assert_eq!(crash.thread, format!("main of {PACKAGE}:away"));
    assert_eq!(crash.confidence(), Confidence::High, "{:?}", crash.doubts);
    assert_eq!(device.reset(1).expect("the device lives").outcome, Outcome::Running);
}

#[test]
fn an_app_with_a_native_library_runs_until_it_calls_one_of_its_methods() {
    const LIMITATION: &str = "native method: dev.retap.fixture.nativelib.MainActivity.answer";
    let mut device = phone("native.apk");
    let first = device.reset(1).expect("the device lives");
    assert_eq!((&first.outcome, first.host_limitations.len()), (&Outcome::Running, 0));
    let caught = tap(&mut *device, "caught");
    assert_eq!(caught.outcome, Outcome::Running);
    assert_eq!(caught.host_limitations, [LIMITATION]);
    assert!(caught.screen.texts().any(|text| text == "No answer"));
    let asked = tap(&mut *device, "ask");
    assert_eq!(asked.outcome, Outcome::Exited);
    assert_eq!(asked.host_limitations, [LIMITATION]);
}
