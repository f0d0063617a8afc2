//! Phones that disappear: the connection is cut and the adb server killed at random moments, also while an event is under
//! way, and no event is lost or done twice. `RETAP_SOAK` asks for another number of events.

use crate::phone::{ServedPhone, is_here, is_long_wanted};
use retap_device::Rig;
use retap_model::event::Target;
use retap_model::{Event, Outcome, Selector};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Enough for each kind of failure, within the time of a test.
const EVENTS: u64 = 24;
/// A restart begins a new trace, so that what has to run again stays short.
const LONGEST_TRACE: u64 = 16;

/// Numbers that repeat with their seed. When a cut meets an event is chance all the same.
struct Chance(u64);

impl Chance {
    fn below(&mut self, range: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 31)) % range
    }
}

/// What happened besides the events.
#[derive(Debug, Default)]
struct Disturbances {
    cuts: u64,
    kills: u64,
}

impl Disturbances {
    /// Chooses what happens during an event: mostly nothing, often a cut, sometimes the end of the server.
    fn draw(&mut self, chance: &mut Chance, one_in: u64) -> Option<[&'static str; 1]> {
        if chance.below(one_in) > 0 {
            return None;
        }
        if chance.below(4) == 0 {
            self.kills += 1;
            return Some(["kill-server"]);
        }
        self.cuts += 1;
        Some(["disconnect"])
    }
}

fn id(name: &str) -> Selector {
    Selector { id: name.into(), ..Selector::default() }
}

fn asked() -> Option<u64> {
    std::env::var("RETAP_SOAK").ok().and_then(|text| text.parse().ok())
}

#[test]
fn cut_connections_and_killed_servers_lose_no_event() {
    if is_here() {
        soak(&ServedPhone::of_fake("conform.fake", None), asked().unwrap_or(EVENTS));
    }
}

#[test]
fn cut_connections_and_killed_servers_lose_no_event_of_the_embedded_device() {
    if is_here() && is_long_wanted() {
        soak(&ServedPhone::of_embedded(), asked().unwrap_or(10 * EVENTS));
    }
}

/// Runs traces of random length that end in a crash. The app counts its taps, so that a lost one and one too many show.
fn soak(phone: &ServedPhone, events: u64) {
    let connect = phone.connect("conform.apk");
    let interrupt = AtomicBool::new(false);
    let mut rig = Rig::new(&connect, &interrupt);
    let tap = |name: &str| Event::Tap(Target { on: Some(id(name)), at: None });
    let mut chance = Chance(events);
    let mut disturbances = Disturbances::default();
    // A few hundred disturbances are enough, and each takes the server a second.
    let one_in = (events / 500).clamp(4, 40);
    let (mut done, mut crashes) = (0, 0);
    while done < events {
        rig.reset(1).unwrap();
        let length = (1 + chance.below(LONGEST_TRACE)).min(events - done);
        for number in 1..=length {
            done += 1;
            let is_last = number == length;
            let event = tap(if is_last { "crash" } else { "counter" });
            let disturbance = disturbances.draw(&mut chance, one_in);
            let moment = Duration::from_millis(chance.below(60));
            let seen = std::thread::scope(|scope| {
                if let Some(command) = disturbance {
                    scope.spawn(move || {
                        std::thread::sleep(moment);
                        phone.adb(&command);
                    });
                }
                rig.perform(&event).unwrap().clone()
            });
            if is_last {
                assert!(matches!(seen.outcome, Outcome::Crashed(_)), "{done}: {:?}", seen.outcome);
                crashes += 1;
                continue;
            }
            assert_eq!(seen.outcome, Outcome::Running, "event {done}");
            let shown = id("count").find(&seen.screen).unwrap().widget.widget().text.clone();
            assert_eq!(shown, number.to_string(), "event {done}");
        }
        if done / 1_000 != (done - length) / 1_000 {
            println!("{done} events, {crashes} crashes, {disturbances:?}");
        }
    }
    let cost = rig.cost();
    println!("{done} events, {crashes} crashes, {disturbances:?}, {cost:?}");
    let Disturbances { cuts, kills } = disturbances;
    assert_eq!(done, events);
    assert!(cost.devices_lost > 0 && cost.devices_lost <= cuts + kills, "{cost:?}");
}
