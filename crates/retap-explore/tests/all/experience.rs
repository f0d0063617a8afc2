//! What one run learnt helps the next one: `--learn-from`.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{Subject, info};
use retap_device::Rig;
use retap_device::fake::FakeConnect;
use retap_explore::{
    Auto, AutoParts, Exploration, ExplorationLimits, InterestingPolicy, Random, Vocabulary, recall,
};
use retap_model::format::run::Recorder;
use std::sync::atomic::AtomicBool;

/// A corridor of useless buttons; the one that leads on is found by a run that tries them all.
const CORRIDOR: &str = "
app com.example.corridor 1.0
snapshots off
rotation off
start hall covers start
screen hall activity Hall
  button a \"A\"
  button b \"B\"
  button c \"C\"
  button d \"D\"
  button e \"E\"
  button f \"F\"
  button door \"Door\"
screen room activity Room
  button g \"G\"
  button h \"H\"
  button i \"I\"
  button j \"J\"
  button trap \"Trap\"
on hall tap door -> room covers door
on room tap trap -> crash fell covers trap
crash fell
  java.lang.IllegalStateException: fell
    at com.example.corridor.Room.fall(Room.java:7)
end
";

/// Returns the number of events after which a run meets the crash, with or without what another run learnt.
fn events_to_crash(subject: &Subject, learns: bool, seed: u64) -> u64 {
    let connect = FakeConnect::load(&subject.app).unwrap();
    let interrupt = AtomicBool::new(false);
    let mut rig = Rig::new(&connect, &interrupt);
    let app = rig.app().unwrap().clone();
    let auto = |seed| {
        Auto::new(Random::new(seed), app.clone(), Vocabulary::default(), AutoParts::default())
    };
    let mut strategy = auto(seed);
    if learns {
        let mut earlier = auto(0);
        recall(&subject.dir("auto-99"), &mut earlier, &app).unwrap();
        strategy = strategy.with_experience(earlier.into_experience());
    }
    let dir = subject.dir(&format!("learns-{learns}-{seed}"));
    let recorder = Recorder::create(&dir, info(&app, seed), &app.units).unwrap();
    let mut exploration =
        Exploration::new(recorder, &mut strategy, InterestingPolicy::NewState, &app);
    let limits = ExplorationLimits { max_events: 300, trace_length: 100 };
    let mut events = 300;
    exploration
        .run(&mut rig, limits, &mut |progress| {
            events = progress.totals.events;
            progress.totals.crashes.is_empty()
        })
        .unwrap();
    events
}

#[test]
fn a_run_that_learns_from_another_is_sooner_where_that_one_was_in_the_end() {
    let subject = Subject::new(CORRIDOR);
    subject.explore("auto", 99, 300);
    let total = |learns| (1..=10).map(|seed| events_to_crash(&subject, learns, seed)).sum::<u64>();
    let (with, without) = (total(true), total(false));
    assert!(with * 2 < without, "{with} events with, {without} without");
}
