//! Several explorers on one run.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Subject, entries, fake, info, strategy};
use retap_device::Lab;
use retap_device::fake::FakeConnect;
use retap_explore::{Exploration, ExplorationLimits, InterestingPolicy, Strategy, TeamSettings};
use retap_model::format::run::Recorder;
use retap_model::format::trace::TraceEntry;
use std::sync::atomic::AtomicBool;

const EXPLORERS: usize = 3;

/// Explores with a team until `watch` returns false or the events are used up, then compares what the run knows with
/// what its directory holds.
fn explore_with_team(name: &str, max_events: u64, watch: &mut dyn FnMut() -> bool) -> u64 {
    let subject = Subject::new(&fake("notes.fake"));
    let connect = FakeConnect::load(&subject.app).unwrap();
    let interrupt = AtomicBool::new(false);
    let mut lab = Lab::new(&connect, EXPLORERS, &interrupt);
    let app = lab.rig().app().unwrap().clone();
    let dir = subject.dir("team");
    let recorder = Recorder::create(&dir, info(&app, 1), &app.units).unwrap();
    let interesting = InterestingPolicy::default();
    let mut coordinator = strategy(name, 1, &app);
    let mut exploration = Exploration::new(recorder, coordinator.as_mut(), interesting, &app);
    let mut strategies: Vec<Box<dyn Strategy>> =
        (1..=EXPLORERS as u64).map(|seed| strategy(name, seed, &app)).collect();
    let limits = ExplorationLimits { max_events, trace_length: 100 };
    let settings = TeamSettings { limits, interesting, shares_traces: name == "auto" };
    exploration.run_team(lab.rigs(), &mut strategies, settings, &mut |_| watch()).unwrap();
    let totals = exploration.totals().clone();
    drop(exploration);

    let steps =
        entries(&dir).iter().filter(|entry| matches!(entry, TraceEntry::Step(_))).count() as u64;
    assert!(steps >= totals.events, "{name}: {steps} steps hold {} events", totals.events);
    let mut strategy = strategy(name, 1, &app);
    let resumed = Exploration::resume(&dir, strategy.as_mut(), interesting, &app).unwrap();
    assert_eq!(resumed.totals(), &totals, "{name}");
    totals.events
}

#[test]
fn a_team_writes_every_event_into_one_run_that_can_be_resumed() {
    for name in ["random", "timemachine", "auto"] {
        let events = explore_with_team(name, 1_000, &mut || true);
        // Each explorer may be in the middle of a move when the last event is counted. A return that is run counts
        // as up to a whole trace of events.
        assert!((1_000..1_000 + 100 * EXPLORERS as u64).contains(&events), "{name}: {events}");
    }
}

#[test]
fn a_team_ends_when_its_watcher_says_so_and_loses_no_trace() {
    let mut calls = 0;
    let events = explore_with_team("random", 1_000_000, &mut || {
        calls += 1;
        calls < 50
    });
    assert!(events < 1_000_000, "{events}");
}
