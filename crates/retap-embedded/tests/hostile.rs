//! An app that tries to break out: each of its eight attempts fails, and the run goes on.
//! Linux only: that is where there is a cage.
#![cfg(target_os = "linux")]

use retap_device::{Connect, Device};
use retap_embedded::{Embedded, Notice, Options};
use retap_model::{Event, Outcome, Screen, Selector, Target};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

/// What each attempt must be told, in the words of a phone where it has some.
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
    let embedded = Embedded::new(apk, Options::default(), Arc::new(|_: Notice<'_>| {}));
    let (mut device, _) = embedded.connect().unwrap();
    let first = device.reset(1).unwrap();
    // Somebody to talk to. If the port is taken, there is somebody already.
    let host = TcpListener::bind(("127.0.0.1", 48917));
    for (button, words) in ATTEMPTS {
        let told = attempt(device.as_mut(), button);
        assert!(told.starts_with("failed: ") && told.contains(words), "{button}: {told}");
    }
    if let Ok(host) = host {
        host.set_nonblocking(true).unwrap();
        assert!(host.accept().is_err(), "the app got through to this machine");
    }
    // It may find something harmless to write to; were it the agent's socket, the device would be lost.
    let told = attempt(device.as_mut(), "pipe");
    assert!(!told.contains("[inherited channel") && !told.contains("descriptor 0"), "{told}");
    assert!(attempt(device.as_mut(), "home").starts_with("failed: "));

    let spun = device.perform(&tap("spin")).unwrap();
    assert!(matches!(spun.outcome, Outcome::NotResponding { .. }), "{:?}", spun.outcome);
    assert_eq!(device.reset(1).unwrap().screen, first.screen);
}

fn attempt(device: &mut dyn Device, button: &str) -> String {
    let observation = device.perform(&tap(button)).expect("the device lives");
    assert_eq!(observation.outcome, Outcome::Running, "{button}");
    outcome(&observation.screen)
}

fn tap(button: &str) -> Event {
    let button = Selector { id: button.into(), ..Selector::default() };
    Event::Tap(Target { on: Some(button), at: None })
}

fn outcome(screen: &Screen) -> String {
    let mut widgets = screen.windows.iter().flat_map(|window| &window.widgets);
    widgets
        .find(|widget| widget.short_id() == "outcome")
        .map(|found| found.text.clone())
        .unwrap_or_default()
}
