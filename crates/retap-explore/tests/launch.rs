//! Explores an app that does not survive its launch.
#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use retap_device::{Description, Device, DeviceError, Rig, SnapshotId};
use retap_explore::{Exploration, ExplorationLimits, InterestingPolicy};
use retap_model::app::AppIdentity;
use retap_model::format::run::Recorder;
use retap_model::{
    App, Coverage, Crash, Display, Event, Observation, Outcome, Screen, Units, WorldSeed,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const LAST_ROOM: usize = 9;

/// A device on which every launch but the first few crashes.
struct CrashingDevice {
    description: Description,
    good_launches: usize,
    has_crashed: bool,
    /// Each event leads into the next room, so that ways back are long.
    room: usize,
}

impl Device for CrashingDevice {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn install(&mut self, _: &Path) -> Result<App, DeviceError> {
        Ok(app())
    }

    fn reset(&mut self, _: WorldSeed) -> Result<Observation, DeviceError> {
        self.has_crashed = self.good_launches == 0;
        self.room = 0;
        self.good_launches = self.good_launches.saturating_sub(1);
        let stack = "java.lang.Error: no floor\n\tat com.example.dies.Door.open(Door.java:7)";
        let crash = Outcome::Crashed(Arc::new(Crash::new("main", stack)));
        Ok(observe(self.room, if self.has_crashed { crash } else { Outcome::Running }))
    }

    fn perform(&mut self, _: &Event) -> Result<Observation, DeviceError> {
        assert!(!self.has_crashed, "the app is gone");
        self.room = (self.room + 1).min(LAST_ROOM);
        Ok(observe(self.room, Outcome::Running))
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        Err(DeviceError::Unsupported("save"))
    }

    fn restore(&mut self, _: SnapshotId) -> Result<Observation, DeviceError> {
        Err(DeviceError::Unsupported("restore"))
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        Err(DeviceError::Unsupported("take screenshots"))
    }
}

fn observe(room: usize, outcome: Outcome) -> Observation {
    let activity = format!("com.example.dies.Room{room}");
    Observation {
        screen: Arc::new(Screen { activity, ..Screen::default() }),
        coverage: Arc::new(Coverage::new()),
        elapsed_ms: 1,
        outcome,
        log: Vec::new(),
        host_limitations: Vec::new(),
    }
}

fn app() -> App {
    let identity =
        AppIdentity { package: "com.example.dies".into(), version: "1".into(), sha256: "0".into() };
    App {
        identity,
        activities: Vec::new(),
        broadcasts: Vec::new(),
        libraries: Default::default(),
        units: Arc::new(Units::default()),
    }
}

fn connect(good_launches: usize) -> Result<(Box<dyn Device>, App), DeviceError> {
    let description = Description {
        kind: "fake".into(),
        serial: "dies".into(),
        api: None,
        display: Display::default(),
        snapshots: false,
        screenshots: false,
        deterministic: true,
    };
    Ok((
        Box::new(CrashingDevice { description, good_launches, has_crashed: false, room: 0 }),
        app(),
    ))
}

/// Explores the app and returns starts, events and different crashes.
fn explore(name: &str, good_launches: usize) -> (u64, u64, usize) {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    let interrupt = AtomicBool::new(false);
    let connect = move || connect(good_launches);
    let mut rig = Rig::new(&connect, &interrupt);
    let mut strategy = common::strategy(name, 1, &app());
    let recorder = Recorder::create(&dir, common::info(&app(), 1), &app().units).unwrap();
    let interesting = InterestingPolicy::default();
    let mut exploration = Exploration::new(recorder, strategy.as_mut(), interesting, &app());
    let limits = ExplorationLimits { max_events: 1000, trace_length: 100 };
    exploration.run(&mut rig, limits, &mut |_| true).unwrap();
    let totals = exploration.totals();
    assert!(dir.join("crashes").read_dir().unwrap().next().is_some());
    (totals.starts, totals.events, totals.crashes.len())
}

#[test]
fn a_run_ends_after_three_failed_launches_and_keeps_the_crash() {
    for name in ["random", "random-restart", "timemachine", "auto"] {
        assert_eq!(explore(name, 0), (3, 0, 1), "{name}");
    }
}

/// Strategies that travel meet the crash on their way back.
#[test]
fn a_launch_that_crashes_later_ends_the_way_back_and_is_kept() {
    for name in ["random-restart", "timemachine", "auto"] {
        let (starts, events, crashes) = explore(name, 1);
        assert!(starts > 1 && events > 0, "{name}: {starts} starts, {events} events");
        assert_eq!(crashes, 1, "{name}");
    }
}
