//! An app that tries to break out of the sandbox: each of its eight attempts fails, and the run goes on.
//! Only Linux has the sandbox.
#![cfg(target_os = "linux")]

use retap_device::{Connect, Device};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::{Event, Outcome, Screen, Selector, Target};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

/// The button of each attempt and a part of its expected error, which is a phone's where it has one.
const ATTEMPTS: [(&str, &str); 6] = [
    ("home", "no home directory can be read"),
    ("socket", "ENETUNREACH"),
    ("outside", "java.io.IOException"),
    ("exec", "Cannot run program \"/usr/bin/env\": error=2, No such file or directory"),
    ("disk", "ENOSPC (No space left on device)"),
    ("memory", "java.lang.OutOfMemoryError"),
];

#[test]
fn eight_attempts_to_break_out_fail_and_the_run_goes_on() {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hostile.apk");
    let embedded =
        EmbeddedConnect::new(apk, EmbeddedOptions::default(), Arc::new(|_: Notice<'_>| {}));
    let (mut device, _) = embedded.connect().unwrap();
    let first = device.reset(1).unwrap();
    // A server for the app to reach. If the port is taken, there is one already.
    let server = TcpListener::bind(("127.0.0.1", 48917));
    for (button, words) in ATTEMPTS {
        let shown = attempt(device.as_mut(), button);
        assert!(shown.starts_with("failed: ") && shown.contains(words), "{button}: {shown}");
    }
    if let Ok(server) = server {
        server.set_nonblocking(true).unwrap();
        assert!(server.accept().is_err(), "the app reached this machine");
    }
    // The app may find something harmless to write to. The agent's socket would lose the device.
    let shown = attempt(device.as_mut(), "pipe");
    assert!(!shown.contains("[inherited channel") && !shown.contains("descriptor 0"), "{shown}");
    assert!(attempt(device.as_mut(), "home").starts_with("failed: "));

    let spun = device.perform(&tap("spin")).unwrap();
    assert!(matches!(spun.outcome, Outcome::NotResponding { .. }), "{:?}", spun.outcome);
    assert_eq!(device.reset(1).unwrap().screen, first.screen);
}

/// Taps a button and returns what the app reports.
fn attempt(device: &mut dyn Device, button: &str) -> String {
    let observation = device.perform(&tap(button)).expect("the device lives");
    assert_eq!(observation.outcome, Outcome::Running, "{button}");
    shown_outcome(&observation.screen)
}

fn tap(button: &str) -> Event {
    let button = Selector { id: button.into(), ..Selector::default() };
    Event::Tap(Target { on: Some(button), at: None })
}

/// Returns the text in which the app reports its attempt.
fn shown_outcome(screen: &Screen) -> String {
    let mut widgets = screen.windows.iter().flat_map(|window| &window.widgets);
    widgets
        .find(|widget| widget.short_id() == "outcome")
        .map(|found| found.text.clone())
        .unwrap_or_default()
}
