//! What an event costs: at most three round trips, and one where the app is at rest at once. With `--nocapture` the times
//! are shown too.

use crate::phone::{ServedPhone, is_here, is_long_wanted};
use retap_device::Connect;
use retap_model::event::Target;
use retap_model::{Event, Key, Orientation, Selector};
use std::time::Instant;

fn on(id: &str) -> Target {
    Target { on: Some(Selector { id: id.into(), ..Selector::default() }), at: None }
}

#[test]
fn an_event_takes_one_round_trip_where_the_app_is_at_rest_at_once() {
    if is_here() {
        count_round_trips(&ServedPhone::of_fake("conform.fake", None));
    }
}

#[test]
fn an_event_of_the_embedded_device_takes_one_round_trip() {
    if is_here() && is_long_wanted() {
        count_round_trips(&ServedPhone::of_embedded());
    }
}

fn count_round_trips(phone: &ServedPhone) {
    let connect = phone.connect("conform.apk");
    let mut before = (0, Instant::now());
    let mut count = |name: &str| {
        let now = (connect.round_trips(), Instant::now());
        let (trips, took) = (now.0 - before.0, now.1 - before.1);
        println!("| {name} | {trips} | {:.0} ms |", took.as_secs_f64() * 1_000.0);
        before = now;
        trips
    };
    let (mut device, _) = connect.connect().unwrap();
    assert_eq!(count("connection"), 3);
    device.reset(1).unwrap();
    assert_eq!(count("restart"), 1);
    let events = [
        Event::Tap(on("counter")),
        Event::LongPress(on("hold")),
        Event::Key(Key::back()),
        Event::Text { on: on("input"), text: "two words".into() },
        Event::Rotate(Orientation::Landscape),
        Event::Rotate(Orientation::Portrait),
        Event::Wait(500),
        Event::Key(Key::home()),
        Event::Launch,
    ];
    for event in &events {
        let seen = device.perform(event).unwrap();
        assert_eq!(count(&event.to_string()), 1, "{event}: {:?}", seen.outcome);
    }
    device.perform(&Event::Tap(on("no_such_widget"))).unwrap();
    assert_eq!(count("a missed tap"), 0);
    device.screenshot().unwrap();
    assert_eq!(count("a picture"), 1);
}
