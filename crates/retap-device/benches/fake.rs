//! The number of events per second that the fake performs, by app and by kind of target. Counts
//! come first, because they are the same on every machine.

#![allow(clippy::print_stdout, clippy::unwrap_used)] // a bench prints and may panic
#![allow(clippy::disallowed_methods)] // and, unlike the crate, it has a clock

use retap_device::Device;
use retap_device::fake::FakeDevice;
use retap_model::{Event, Key, Outcome, Point, Selector, Target};
use std::path::Path;
use std::time::Instant;

const EVENTS: u32 = 2_000_000;

fn main() {
    println!(
        "{:<14} {:<9} {:>9} {:>7} {:>8} {:>12}",
        "app", "aim", "events", "resets", "misses", "events/s"
    );
    for app in ["files-2.3", "notes", "conform", "vault"] {
        run(app, "point", &at_points());
        run(app, "widget", &at_widgets(app));
    }
}

fn run(app: &str, aim: &str, events: &[Event]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fakes/{app}.fake"));
    let mut device = FakeDevice::load(&path).unwrap();
    device.reset(1).unwrap();
    let mut misses = 0u64;
    let mut resets = 0u64;
    let mut state = 1u64;
    let started = Instant::now();
    for _ in 0..EVENTS {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let event = &events[(state >> 33) as usize % events.len()];
        let seen = device.perform(event).unwrap();
        misses += u64::from(seen.outcome == Outcome::Missed);
        if !matches!(seen.outcome, Outcome::Running | Outcome::Missed) {
            resets += 1;
            device.reset(resets).unwrap();
        }
    }
    let rate = f64::from(EVENTS) / started.elapsed().as_secs_f64();
    println!("{app:<14} {aim:<9} {EVENTS:>9} {resets:>7} {:>8} {rate:>12.0}", misses);
}

fn at_points() -> Vec<Event> {
    let taps = (0..24).map(|row| Event::Tap(Target::point(Point::new(500, 40 + row * 80))));
    taps.chain([Event::Key(Key::back()), Event::Wait(10)]).collect()
}

/// Returns taps on every widget of the first screen, by id.
fn at_widgets(app: &str) -> Vec<Event> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fakes/{app}.fake"));
    let first = FakeDevice::load(&path).unwrap().reset(1).unwrap();
    let selectors: Vec<Selector> = first.screen.actionable().map(Selector::of).collect();
    let tap = |on| Event::Tap(Target { on: Some(on), at: None });
    selectors.into_iter().map(tap).chain([Event::Key(Key::back())]).collect()
}
