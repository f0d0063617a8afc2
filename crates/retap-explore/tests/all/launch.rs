//! Explores an app that does not survive its launch.
#![allow(clippy::unwrap_used)] // a test may panic

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

/// A device on which every launch crashes.
struct CrashingDevice(Description);

impl Device for CrashingDevice {
    fn describe(&self) -> &Description {
        &self.0
    }

    fn install(&mut self, _: &Path) -> Result<App, DeviceError> {
        Ok(app())
    }

    fn reset(&mut self, _: WorldSeed) -> Result<Observation, DeviceError> {
        let stack = "java.lang.Error: no floor\n\tat com.example.dies.Door.open(Door.java:7)";
        let crash = Crash::new("main", stack);
        Ok(Observation {
            screen: Arc::new(Screen::default()),
            coverage: Arc::new(Coverage::new()),
            elapsed_ms: 1,
            outcome: Outcome::Crashed(Arc::new(crash)),
            log: Vec::new(),
            host_limitations: Vec::new(),
        })
    }

    fn perform(&mut self, _: &Event) -> Result<Observation, DeviceError> {
        panic!("the app is gone")
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

fn connect() -> Result<(Box<dyn Device>, App), DeviceError> {
    let description = Description {
        kind: "fake".into(),
        serial: "dies".into(),
        api: None,
        display: Display::default(),
        snapshots: false,
        screenshots: false,
        deterministic: true,
    };
    Ok((Box::new(CrashingDevice(description)), app()))
}

#[test]
fn a_run_ends_after_three_failed_launches_and_keeps_the_crash() {
    for name in ["random", "random-restart", "timemachine", "auto"] {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join("run");
        let interrupt = AtomicBool::new(false);
        let mut rig = Rig::new(&connect, &interrupt);
        let mut strategy = crate::common::strategy(name, 1, &app());
        let recorder =
            Recorder::create(&dir, crate::common::info(&app(), 1), &app().units).unwrap();
        let interesting = InterestingPolicy::default();
        let mut exploration = Exploration::new(recorder, strategy.as_mut(), interesting, &app());
        let limits = ExplorationLimits { max_events: 1000, trace_length: 100 };
        exploration.run(&mut rig, limits, &mut |_| true).unwrap();
        let totals = exploration.totals();
        assert_eq!((totals.starts, totals.events, totals.crashes.len()), (3, 0, 1), "{name}");
        assert!(dir.join("crashes").read_dir().unwrap().next().is_some());
    }
}
