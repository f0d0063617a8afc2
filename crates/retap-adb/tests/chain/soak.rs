//! Phones that disappear: the connection is cut and the adb server killed again and again, and no event is lost.
//! `RETAP_SOAK` asks for another number of events.

use crate::phone::{ServedPhone, is_here};
use retap_device::Rig;
use retap_model::event::Target;
use retap_model::{Event, Outcome, Selector};
use std::sync::atomic::AtomicBool;

/// Enough for each kind of failure, within the time of a test.
const EVENTS: u64 = 24;
/// A restart begins a new trace, so that what has to run again stays short.
const TRACE: u64 = 12;

fn id(name: &str) -> Selector {
    Selector { id: name.into(), ..Selector::default() }
}

#[test]
fn cut_connections_and_killed_servers_lose_no_event() {
    if !is_here() {
        return;
    }
    let asked = std::env::var("RETAP_SOAK").ok().and_then(|text| text.parse().ok());
    let events: u64 = asked.unwrap_or(EVENTS);
    let phone = ServedPhone::of_fake("conform.fake", None);
    let connect = phone.connect("conform.apk");
    let interrupt = AtomicBool::new(false);
    let mut rig = Rig::new(&connect, &interrupt);
    let tap = |name: &str| Event::Tap(Target { on: Some(id(name)), at: None });
    let (mut done, mut crashes, mut disturbed) = (0, 0, 0);
    while done < events {
        rig.reset(1).unwrap();
        let length = TRACE.min(events - done);
        for number in 1..=length {
            done += 1;
            // Multiples without a common factor reach every place of a trace.
            if done % 7 == 3 {
                phone.adb(&["disconnect", &phone.serial]);
                disturbed += 1;
            } else if done % 11 == 5 {
                phone.adb(&["kill-server"]);
                disturbed += 1;
            }
            if number == length {
                let ended = rig.perform(&tap("crash")).unwrap().outcome.clone();
                assert!(matches!(ended, Outcome::Crashed(_)), "{ended:?}");
                crashes += 1;
                continue;
            }
            let seen = rig.perform(&tap("counter")).unwrap();
            assert_eq!(seen.outcome, Outcome::Running, "event {done}");
            let label = id("count");
            let shown = label.find(&seen.screen).unwrap().widget.widget().text.clone();
            assert_eq!(shown, number.to_string(), "event {done}");
        }
    }
    let lost = rig.cost().devices_lost;
    println!(
        "{done} events, {crashes} crashes, {disturbed} disturbances, {lost} devices lost and replaced"
    );
    assert!(lost > 0 && lost <= disturbed, "{lost} of {disturbed}");
}
