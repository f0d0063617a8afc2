//! The papers' own examples, as far as an app can show them. Algorithms are tested with these apps,
//! so the apps must behave as the papers say.

#![allow(clippy::unwrap_used)] // in what the tests share, too

mod common;

use common::{at_start, connect, run, tap};
use retap_device::Device;
use retap_model::{Abstraction, Coverage, Event, Observation, Outcome, StateId, Units};

/// The states and the names of the covered units along a trace of taps.
struct Walk {
    states: Vec<StateId>,
    covered: Vec<String>,
}

fn walk(app: &str, taps: &str) -> Walk {
    let connect = connect(app);
    let mut device = connect.device();
    let units = device.install(&common::path(app)).unwrap().units;
    let mut observations = vec![device.reset(1).unwrap()];
    let events: Vec<Event> = taps.split(' ').map(tap).collect();
    observations.extend(run(&mut device, &events));
    let state = |o: &Observation| Abstraction::Layout.state(&o.screen);
    Walk {
        states: observations.iter().map(state).collect(),
        covered: observations[1..].iter().map(|o| names(&units, &o.coverage)).collect(),
    }
}

fn names(units: &Units, coverage: &Coverage) -> String {
    let names: Vec<&str> =
        coverage.iter().filter_map(|id| units.get(id)).map(|unit| unit.name.as_str()).collect();
    names.join(" ")
}

#[test]
fn in_example_2_1_the_menu_loop_covers_nothing_and_can_go() {
    let long = walk("files-2.1.fake", "menu menu menu option");
    assert_eq!(long.covered, ["", "", "", "Co"]);
    assert_eq!(long.states[0], long.states[2]);
    assert_eq!(long.states[1], long.states[3]);
    let short = walk("files-2.1.fake", "menu option");
    assert_eq!(short.covered, ["", "Co"]);
    assert_eq!(short.states, [long.states[0], long.states[1], long.states[4]]);
}

#[test]
fn in_example_2_2_only_the_loop_covers_the_closing_of_the_menu() {
    let long = walk("files-2.2.fake", "menu menu menu option");
    assert_eq!(long.covered, ["Cp", "Cc", "Cp", "Co"]);
    assert_eq!(walk("files-2.2.fake", "menu option").covered, ["Cp", "Co"]);
}

#[test]
fn in_example_2_3_the_shorter_trace_does_not_replay() {
    let long = walk("files-2.3.fake", "foo foo foo");
    assert_eq!(long.covered, ["Cf1", "Cf1", "Cf2"]);
    assert_eq!(long.states[0], long.states[1]);
    assert_eq!(long.states[1], long.states[2]);
    assert_ne!(long.states[2], long.states[3]);
    let short = walk("files-2.3.fake", "foo foo");
    assert_eq!(short.covered, ["Cf1", "Cf1"]);
    assert_eq!(short.states[2], long.states[0]);
}

#[test]
fn in_example_2_4_one_trace_of_seven_covers_what_three_traces_do() {
    let three = ["a b c d", "a d e c d", "a b c f"].map(|taps| walk("files-2.4.fake", taps));
    let spliced = walk("files-2.4.fake", "a b c d e c f");
    assert_eq!(spliced.covered, ["C1", "C2", "C3", "C4", "C5", "C3", "C6"]);
    for walk in &three {
        assert!(walk.covered.iter().all(|unit| spliced.covered.contains(unit)));
        assert!(walk.states.iter().all(|state| spliced.states.contains(state)));
    }
}

fn dalvik(events: impl Iterator<Item = u32>) -> Outcome {
    let mut device = at_start("dalvik.fake", 1);
    let events: Vec<Event> = events.map(|event| tap(&format!("e{event}"))).collect();
    let last = run(&mut device, &events).pop();
    last.map(|observation| observation.outcome).unwrap()
}

#[test]
fn the_dalvik_explorer_trace_ends_in_its_crash_and_so_does_its_minimum() {
    assert!(matches!(dalvik(2..=36), Outcome::Crashed(_)));
    assert!(matches!(dalvik([22, 23, 36].into_iter()), Outcome::Crashed(_)));
}

#[test]
fn without_any_one_event_of_its_minimum_the_dalvik_explorer_trace_does_not_crash() {
    for left_out in [22, 23, 36] {
        let outcome = dalvik((2..=36).filter(|event| *event != left_out));
        assert!(!outcome.is_final(), "without {left_out}: {outcome:?}");
    }
}

#[test]
fn the_flaky_app_crashes_as_often_as_its_file_says() {
    let runs = 20_000;
    let mut device = connect("flaky.fake").device();
    for (events, expected) in [
        (vec![tap("often")], 0.9),
        (vec![tap("half")], 0.5),
        (vec![tap("rarely")], 0.1),
        (vec![tap("arm_left"), tap("arm_right"), tap("race")], 0.25),
    ] {
        let mut crashes = 0;
        for world_seed in 0..runs {
            device.reset(world_seed).unwrap();
            let last = run(&mut device, &events).pop().unwrap();
            crashes += u32::from(last.outcome.crash().is_some());
        }
        let rate = f64::from(crashes) / runs as f64;
        // Four standard deviations of the worst case.
        assert!((rate - expected).abs() < 0.0142, "{events:?}: {rate} instead of {expected}");
    }
}

#[test]
fn a_dead_end_cannot_be_left_and_a_loop_has_two_states() {
    let mut device = at_start("deadend.fake", 1);
    let home = device.perform(&tap("terms")).unwrap();
    let ways_out = [tap("agree"), key("back"), key("home"), Event::Launch, Event::Close];
    for seen in run(&mut device, &ways_out) {
        assert_eq!((seen.outcome, seen.screen), (Outcome::Running, home.screen.clone()));
    }
    let mut device = at_start("loop.fake", 1);
    let ping = device.perform(&tap("play")).unwrap();
    let seen = run(&mut device, &[tap("ball"), tap("ball"), key("back"), key("back")]);
    assert_ne!(seen[0].screen, ping.screen);
    assert_eq!(seen[1].screen, ping.screen);
    assert_eq!(seen[2].screen, seen[0].screen);
    assert_eq!(seen[3].screen, ping.screen);
}

#[test]
fn the_vault_opens_to_its_eight_digits_only() {
    let digits = ["k3", "k1", "k4", "k1", "k5", "k9", "k2", "k6"];
    let mut device = at_start("vault.fake", 1);
    let mut events = vec![tap("enter")];
    events.extend(digits.map(tap));
    events.push(tap("take"));
    let last = run(&mut device, &events).pop().unwrap();
    assert!(last.outcome.crash().is_some());
    events[5] = tap("k7");
    let mut device = at_start("vault.fake", 1);
    let wrong = run(&mut device, &events[..6]).pop().unwrap();
    assert!(wrong.screen.activity.ends_with("StreetActivity"));
}

#[test]
fn the_path_beside_the_worn_market_is_new_at_every_station() {
    let mut device = at_start("worn.fake", 1);
    let market = run(&mut device, &[tap("market"), tap("to1"), tap("to2"), tap("to5")]);
    assert_eq!(market[1].coverage, market[3].coverage);
    device.reset(1).unwrap();
    let path =
        run(&mut device, &[tap("path"), tap("on"), tap("on"), tap("on"), tap("on"), tap("on")]);
    let mut covered = Coverage::new();
    for seen in &path {
        assert!(seen.coverage.count_new(&covered) > 0);
        covered.union_with(&seen.coverage);
    }
    assert!(path[5].screen.activity.ends_with("SummitActivity"));
}

fn key(name: &str) -> Event {
    Event::Key(retap_model::Key::new(name).unwrap())
}
