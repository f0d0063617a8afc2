//! Haste on the embedded device: faults that nobody meets who waits for the app, planted in the fixture `hasty`.

use retap_device::{Connect, Device};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::event::HastyEvents;
use retap_model::{Event, Key, Observation, Orientation, Outcome, Selector, Target};
use std::path::PathBuf;
use std::sync::Arc;

fn tap(id: &str) -> Event {
    let on = Selector { id: id.into(), ..Selector::default() };
    Event::Tap(Target { on: Some(on), at: None })
}

fn hasty(events: [Event; 2], gap_ms: u32) -> Event {
    Event::Hasty(HastyEvents::new(Vec::from(events), gap_ms).expect("two quick events"))
}

fn run(device: &mut dyn Device, events: &[Event]) -> Observation {
    let mut last = device.reset(1).expect("the device lives");
    for event in events {
        last = device.perform(event).expect("the device lives");
    }
    last
}

#[test]
fn only_haste_meets_a_double_tap_and_a_load_that_is_left() {
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hasty.apk");
    let listener = Arc::new(|_: Notice<'_>| {});
    let connect = EmbeddedConnect::new(apk, EmbeddedOptions::default(), listener);
    let mut device = connect.connect().expect("a device").0;
    let back = Event::Key(Key::back());

    let calm = run(&mut *device, &[tap("send"), back.clone(), tap("send"), tap("load"), back]);
    assert_eq!(calm.outcome, Outcome::Running);

    // Android drops the touches that wait while an activity is started, but not those that come later.
    let double_tap = |gap_ms| [hasty([tap("send"), tap("send")], gap_ms)];
    assert_eq!(run(&mut *device, &double_tap(0)).outcome, Outcome::Running);
    let twice = run(&mut *device, &double_tap(100));
    let Outcome::Crashed(crash) = &twice.outcome else { panic!("{twice:?}") };
    assert!(crash.stack.contains("MainActivity.send"), "{}", crash.stack);

    // Sensors are slower than a thread's start, also in haste.
    let watched = run(&mut *device, &[hasty([tap("watch"), tap("add")], 100)]);
    assert_eq!(watched.outcome, Outcome::Running);

    let turn = Event::Rotate(Orientation::Landscape);
    let calm = run(&mut *device, &[tap("send"), tap("load"), turn.clone()]);
    assert_eq!(calm.outcome, Outcome::Running);
    let left_load = [tap("send"), hasty([tap("load"), turn], 100)];
    let first = run(&mut *device, &left_load);
    let Outcome::Crashed(crash) = &first.outcome else { panic!("{first:?}") };
    assert!(crash.stack.contains("onPostExecute"), "{}", crash.stack);
    assert_eq!(run(&mut *device, &left_load).outcome, first.outcome);
}
