//! World seeds on the embedded device: the same seed gives the same outcome, and over many seeds an app
//! crashes as often as its source says. `RETAP_WORLDS=200` tries more of them.

#![expect(clippy::disallowed_methods, reason = "the number of seeds is the tester's choice")]

use retap_device::{Connect, Device};
use retap_embedded::{EmbeddedConnect, EmbeddedOptions, Notice};
use retap_model::{Event, Outcome, Selector, Target, WorldSeed};
use std::path::PathBuf;
use std::sync::Arc;

/// The buttons of the fixture `flaky`, each with its own source of randomness, and the probability of a
/// crash.
const BUTTONS: [(&str, f64); 4] =
    [("coin", 1.0 / 2.0), ("hash", 15.0 / 32.0), ("race", 1.0 / 2.0), ("relay", 1.0 / 6.0)];

#[test]
fn an_app_crashes_with_as_many_world_seeds_as_its_source_says() {
    let seeds: u64 =
        std::env::var("RETAP_WORLDS").ok().and_then(|worlds| worlds.parse().ok()).unwrap_or(12);
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/flaky.apk");
    let embedded =
        EmbeddedConnect::new(apk, EmbeddedOptions::default(), Arc::new(|_: Notice<'_>| {}));
    let (mut device, _) = embedded.connect().unwrap();
    for (button, probability) in BUTTONS {
        let crashed: Vec<bool> =
            (1..=seeds).map(|seed| crashes(device.as_mut(), button, seed)).collect();
        let crashes_seen = crashed.iter().filter(|&&crashed| crashed).count() as u64;
        let (low, high) = interval(seeds, probability);
        assert!(
            (low..=high).contains(&crashes_seen),
            "{button}: {crashes_seen} of {seeds} seeds, expected {low} to {high}"
        );
        assert_eq!(
            crashes(device.as_mut(), button, 1),
            crashed[0],
            "{button} with the first seed again"
        );
    }
}

fn crashes(device: &mut dyn Device, button: &str, seed: WorldSeed) -> bool {
    device.reset(seed).expect("the device lives");
    let button = Selector { id: button.into(), ..Selector::default() };
    let tap = Event::Tap(Target { on: Some(button), at: None });
    let observation = device.perform(&tap).expect("the device lives");
    matches!(observation.outcome, Outcome::Crashed(_))
}

/// Returns the range of successes that all but one of a thousand series of trials stay in.
fn interval(trials: u64, probability: f64) -> (u64, u64) {
    const TAIL: f64 = 0.0005;
    let odds = probability / (1.0 - probability);
    let mut density = (1.0 - probability).powf(trials as f64);
    let (mut below, mut low, mut high) = (0.0, 0, trials);
    for successes in 0..=trials {
        if below + density < TAIL {
            low = successes + 1;
        }
        below += density;
        if below > 1.0 - TAIL {
            high = successes;
            break;
        }
        density *= odds * (trials - successes) as f64 / (successes + 1) as f64;
    }
    (low, high)
}

#[test]
fn the_interval_is_the_binomial_one() {
    assert_eq!(interval(1, 0.5), (0, 1));
    // By the normal approximation: 100 ± 3.29 · √50.
    let (low, high) = interval(200, 0.5);
    assert!((76..=78).contains(&low) && (122..=124).contains(&high), "{low} to {high}");
}
