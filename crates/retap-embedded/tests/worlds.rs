//! Chance on the embedded device: another world seed is another world, the same one is the same again,
//! and over many worlds an app crashes as often as its source says. `RETAP_WORLDS=200` asks more of them.

use retap_device::{Connect, Device};
use retap_embedded::{Embedded, Notice, Options};
use retap_model::{Event, Outcome, Selector, Target, WorldSeed};
use std::path::PathBuf;
use std::sync::Arc;

/// Buttons of the fixture `flaky`, each with another source of chance, and how often they crash.
const BETS: [(&str, f64); 4] =
    [("coin", 1.0 / 2.0), ("hash", 15.0 / 32.0), ("race", 1.0 / 2.0), ("relay", 1.0 / 6.0)];

#[test]
fn an_app_crashes_in_as_many_worlds_as_its_source_says() {
    let worlds: u64 =
        std::env::var("RETAP_WORLDS").ok().and_then(|worlds| worlds.parse().ok()).unwrap_or(12);
    let apk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/flaky.apk");
    let embedded = Embedded::new(apk, Options::default(), Arc::new(|_: Notice<'_>| {}));
    let (mut device, _) = embedded.connect().unwrap();
    for (button, probability) in BETS {
        let lost: Vec<bool> =
            (1..=worlds).map(|world| crashes(device.as_mut(), button, world)).collect();
        let crashed = lost.iter().filter(|&&lost| lost).count() as u64;
        let (low, high) = interval(worlds, probability);
        assert!(
            (low..=high).contains(&crashed),
            "{button}: {crashed} of {worlds} worlds, expected {low} to {high}"
        );
        assert_eq!(
            crashes(device.as_mut(), button, 1),
            lost[0],
            "{button} in the first world again"
        );
    }
}

fn crashes(device: &mut dyn Device, button: &str, world: WorldSeed) -> bool {
    device.reset(world).expect("the device lives");
    let button = Selector { id: button.into(), ..Selector::default() };
    let tap = Event::Tap(Target { on: Some(button), at: None });
    let seen = device.perform(&tap).expect("the device lives");
    matches!(seen.outcome, Outcome::Crashed(_))
}

/// The numbers of successes that come up in all but one of a thousand series.
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
