//! The number of events per second through a rig, with `layout` hashing and coverage, as an
//! explorer uses it: `cargo bench -p retap-device --bench lab`. The goal is 200,000 on one core.
#![allow(clippy::print_stdout, clippy::unwrap_used)] // a bench prints and may panic
#![allow(clippy::disallowed_methods)] // and, unlike the crate, it has a clock

use retap_device::Rig;
use retap_device::fake::FakeConnect;
use retap_model::{Abstraction, Coverage, Event, Key, Selector, Target};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

const EVENTS: u64 = 1_000_000;
const TRACE_LENGTH: usize = 1_000;

fn main() {
    println!("{:<14} {:>10} {:>12} {:>9}", "app", "events", "events/s", "restarts");
    for app in ["notes.fake", "files-2.3.fake", "vault.fake", "conform.fake"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes").join(app);
        let connect = FakeConnect::load(&path).unwrap();
        let never = AtomicBool::new(false);
        let mut rig = Rig::new(&connect, &never);
        let begun = Instant::now();
        drive(&mut rig);
        let seconds = begun.elapsed().as_secs_f64();
        let cost = rig.cost();
        let rate = cost.events as f64 / seconds;
        println!("{app:<14} {:>10} {rate:>12.0} {:>9}", cost.events, cost.restarts);
    }
}

/// Taps every widget of each screen in turn, by selector, and presses back now and then.
fn drive(rig: &mut Rig<'_>) {
    let mut covered = Coverage::new();
    let mut n = 0;
    while rig.cost().events < EVENTS {
        n += 1;
        let over = rig.events().len() >= TRACE_LENGTH
            || rig.last_observation().is_none_or(|seen| seen.outcome.is_final());
        let seen = if over {
            rig.reset(1).unwrap()
        } else {
            let event = next(rig, n);
            rig.perform(&event).unwrap()
        };
        black_box(Abstraction::Layout.state(&seen.screen));
        covered.union_with(&seen.coverage);
    }
    black_box(covered);
}

fn next(rig: &Rig<'_>, n: usize) -> Event {
    let screen = &rig.last_observation().unwrap().screen;
    let count = screen.actionable().count();
    let chosen = if n.is_multiple_of(7) { None } else { screen.actionable().nth(n % count.max(1)) };
    match chosen {
        Some(widget) => Event::Tap(Target { on: Some(Selector::of(widget)), at: None }),
        None => Event::Key(Key::back()),
    }
}
