//! What an event costs: at most three round trips, and one where the app is at rest at once.

use crate::phone::{ServedPhone, is_here};
use retap_device::Connect;
use retap_model::event::Target;
use retap_model::{Event, Key, Orientation, Selector};

#[test]
fn an_event_takes_one_round_trip_where_the_app_is_at_rest_at_once() {
    if !is_here() {
        return;
    }
    let phone = ServedPhone::of_fake("conform.fake", None);
    let connect = phone.connect("conform.apk");
    let (mut device, _) = connect.connect().unwrap();
    let on =
        |id: &str| Target { on: Some(Selector { id: id.into(), ..Selector::default() }), at: None };
    let mut before = connect.round_trips();
    let mut count = |name: &str| {
        let now = connect.round_trips();
        println!("{name}: {} round trips", now - before);
        std::mem::replace(&mut before, now).abs_diff(now)
    };
    device.reset(1).unwrap();
    assert_eq!(count("reset"), 1);
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
