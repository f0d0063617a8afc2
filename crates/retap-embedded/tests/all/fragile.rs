//! An app that tries to kill or blind its device from inside: what it can reach it may break, the rest of the screen is
//! told, and the device goes on or is lost with a reason.
#![cfg(target_os = "linux")]

use retap_device::{Connect, Device, DeviceError};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::{Event, Flags, Observation, Outcome, Screen, Selector, Target, Widget};
use std::path::PathBuf;
use std::sync::Arc;

fn phone() -> Box<dyn Device> {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fragile.apk");
    // From API level 34 on the framework runs a thread of its own, which the app finds.
    let options = EmbeddedOptions { api: Some(34), ..EmbeddedOptions::default() };
    EmbeddedConnect::new(apk, options, Arc::new(|_: Notice<'_>| {})).connect().expect("a device").0
}

fn tap(id: &str) -> Event {
    let on = Selector { id: id.into(), ..Selector::default() };
    Event::Tap(Target { on: Some(on), at: None })
}

/// Taps a button after a reset, and checks that the app and its counter still work.
fn try_button(device: &mut dyn Device, id: &str) -> Observation {
    device.reset(1).expect("the device lives");
    let observation = device.perform(&tap(id)).expect("the device lives");
    assert_eq!(observation.outcome, Outcome::Running, "{id}");
    let counted = device.perform(&tap("count")).expect("the device lives");
    assert_eq!(text_of(&counted.screen, "outcome"), "count 1", "after {id}");
    observation
}

fn widgets(screen: &Screen) -> impl Iterator<Item = &Widget> {
    screen.windows.iter().flat_map(|window| &window.widgets)
}

fn widget<'s>(screen: &'s Screen, id: &str) -> &'s Widget {
    widgets(screen).find(|widget| widget.short_id() == id).expect("the widget is there")
}

fn text_of(screen: &Screen, id: &str) -> String {
    widget(screen, id).text.clone()
}

/// One JVM for all: each takes hundreds of megabytes.
#[test]
fn a_device_survives_what_an_app_does_to_it_or_is_lost_with_a_reason() {
    let mut device = phone();
    let device = &mut *device;

    let shown = try_button(device, "views").screen;
    assert!(widget(&shown, "place").flags.contains(Flags::CHILDREN_CUT));
    assert_eq!(text_of(&shown, "outcome"), "many views", "what comes before is told");
    let shown = try_button(device, "text").screen;
    let description = &widget(&shown, "place").description;
    assert!(description.ends_with('…') && description.len() < 70_000, "{}", description.len());
    let shown = try_button(device, "getters").screen;
    assert_eq!(text_of(&shown, "outcome"), "bad getters");
    assert!(widgets(&shown).any(|widget| widget.class.ends_with("BadViews$Plain")), "{shown:?}");

    for (button, words) in
        [("stop", "stop refused"), ("suspend", "suspend refused"), ("classes", "found []")]
    {
        assert_eq!(text_of(&try_button(device, button).screen, "outcome"), words);
    }
    for button in ["threads", "reflect"] {
        let threads = text_of(&try_button(device, button).screen, "outcome");
        assert!(threads.starts_with("threads ["), "{threads}");
        assert!(!threads.contains("retap") && !threads.contains("SDK"), "{threads}");
    }
    // A looper that is interrupted goes on waiting for messages, as on a phone.
    assert_eq!(text_of(&try_button(device, "interrupt").screen, "outcome"), "interrupted");

    device.reset(1).expect("the device lives");
    assert_eq!(device.perform(&tap("halt")).expect("it lives").outcome, Outcome::Exited);
    // The scheduler itself waits for a monitor that the app keeps; the watchdog does not wait for the scheduler.
    device.reset(1).expect("the device lives");
    let kept = device.perform(&tap("queue")).expect("it lives").outcome;
    assert!(matches!(kept, Outcome::NotResponding { .. }), "{kept:?}");
    device.reset(1).expect("the device lives");
    let lost = device.perform(&tap("address"));
    let Err(DeviceError::Lost(loss)) = lost else { panic!("{lost:?}") };
    // The first process of a namespace ends with a status where another is killed by its signal.
    let has_ended = |how: &str| loss.reason.starts_with(&format!("the agent {how}"));
    assert!(has_ended("was killed by signal") || has_ended("ended with status"), "{loss}");
}
