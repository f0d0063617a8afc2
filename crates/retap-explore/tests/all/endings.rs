//! Explores an app that stores something it does not survive, and that needs what this device lacks.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Explored, Subject, entries, fake, info, strategy};
use retap_device::fake::FakeConnect;
use retap_device::{Connect, Lab, Rig};
use retap_explore::{
    Exploration, ExplorationLimits, ExplorationTotals, InterestingPolicy, SeededStrategy, Strategy,
    TeamSettings,
};
use retap_model::format::run::Recorder;
use retap_model::format::trace::TraceEntry;
use retap_model::observation::RecordedOutcome;
use retap_model::{App, Event, Selector, Target};
use std::sync::atomic::AtomicBool;

const STRATEGIES: [&str; 4] = ["random", "random-restart", "timemachine", "auto"];
const EVENTS: u64 = 400;

const LIMITS: ExplorationLimits = ExplorationLimits { max_events: EVENTS, trace_length: 1000 };

fn subject() -> (Subject, FakeConnect, App) {
    let subject = Subject::new(&fake("spoilt.fake"));
    let connect = FakeConnect::load(&subject.app).unwrap();
    let app = connect.connect().unwrap().1;
    (subject, connect, app)
}

fn explore_with(strategy: &mut dyn Strategy) -> (ExplorationTotals, Vec<TraceEntry>) {
    let (subject, connect, app) = subject();
    let dir = subject.dir("run");
    let interrupt = AtomicBool::new(false);
    let mut rig = Rig::new(&connect, &interrupt);
    let recorder = Recorder::create(&dir, info(&app, 1), &app.units).unwrap();
    let mut exploration = Exploration::new(recorder, strategy, InterestingPolicy::default(), &app);
    exploration.run(&mut rig, LIMITS, &mut |_| true).unwrap();
    (exploration.totals().clone(), entries(&dir))
}

/// Explores with two explorers, and returns their traces.
fn explore_with_team(name: &str) -> Vec<TraceEntry> {
    let (subject, connect, app) = subject();
    let dir = subject.dir("run");
    let interrupt = AtomicBool::new(false);
    let mut lab = Lab::new(&connect, 2, &interrupt);
    let recorder = Recorder::create(&dir, info(&app, 1), &app.units).unwrap();
    let interesting = InterestingPolicy::default();
    let mut coordinator = strategy(name, 1, &app);
    let mut exploration = Exploration::new(recorder, coordinator.as_mut(), interesting, &app);
    let mut strategies = [1, 2].map(|seed| strategy(name, seed, &app));
    let settings = TeamSettings { limits: LIMITS, interesting, shares_traces: name == "auto" };
    exploration.run_team(lab.rigs(), &mut strategies, settings, &mut |_| true).unwrap();
    drop(exploration);
    entries(&dir)
}

/// Checks that the app exited, and that a clean install followed soon whenever it did so at each launch.
#[track_caller]
fn assert_installs_again(name: &str, entries: &[TraceEntry]) {
    let (mut in_a_row, mut longest, mut exits) = (0, 0, 0);
    for entry in entries {
        let (TraceEntry::Start { result, .. } | TraceEntry::Step(retap_model::Step { result, .. })) =
            entry;
        let is_exit = result.outcome == RecordedOutcome::Exited;
        in_a_row = if is_exit { in_a_row + 1 } else { 0 };
        longest = longest.max(in_a_row);
        exits += u64::from(is_exit);
    }
    assert!(exits > 0, "{name} never tapped the first button");
    assert!(longest <= 3, "{name} met {longest} exits in a row");
}

#[test]
fn an_app_that_exits_at_every_launch_gets_a_clean_install() {
    let (subject, _, app) = subject();
    for name in STRATEGIES {
        assert_installs_again(name, &subject.explore(name, 1, EVENTS).entries);
        assert_installs_again(&format!("a team of {name}"), &explore_with_team(name));
        let on = Selector { id: "spoil".into(), ..Selector::default() };
        let spoil = Event::Tap(Target { on: Some(on), at: None });
        let seed_trace = std::iter::once(spoil).chain(std::iter::repeat_n(Event::Launch, 50));
        let inner = strategy(name, 1, &app);
        let mut seeded = SeededStrategy::new(vec![seed_trace.collect()], inner);
        assert_installs_again(&format!("a seeded {name}"), &explore_with(&mut seeded).1);
    }
}

#[test]
fn an_event_that_leads_to_a_host_limitation_is_not_tried_again() {
    let (subject, ..) = subject();
    for name in STRATEGIES {
        let Explored { totals, entries, .. } = subject.explore(name, 1, EVENTS);
        let limited = totals.host_limitations.values().sum::<u64>();
        assert_eq!(limited, 1, "{name}");
        let follows = entries.windows(2).find(|pair| match &pair[0] {
            TraceEntry::Step(step) => !step.result.host_limitations.is_empty(),
            TraceEntry::Start { .. } => false,
        });
        let Some([_, TraceEntry::Start { .. }]) = follows else {
            panic!("{name} went on after a host limitation");
        };
    }
}
