use super::*;
use crate::InterestingPolicy;
use retap_device::{Description, Device, SnapshotId};
use retap_model::app::AppIdentity;
use retap_model::{App, Coverage, Crash, Display, Key, Screen, Units};
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
        Ok(Observation {
            screen: Arc::new(Screen::default()),
            coverage: Arc::new(Coverage::new()),
            elapsed_ms: 1,
            outcome: Outcome::Crashed(Arc::new(Crash::new("main", "java.lang.Error: no floor"))),
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
fn a_return_ends_at_a_launch_that_crashes() {
    let destination = Abstraction::default().state(&Screen::default());
    let back = Event::Key(Key::back());
    let paths = [
        ReturnPath::Recorded(vec![back.clone()]),
        ReturnPath::Shortcut(vec![PathStep { event: back, to: destination }]),
    ];
    for path in &paths {
        let interrupt = AtomicBool::new(false);
        let mut rig = Rig::new(&connect, &interrupt);
        let graph = StateGraph::new(InterestingPolicy::default());
        let attempt = ReturnAttempt {
            world_seed: 1,
            destination,
            path,
            abstraction: Abstraction::default(),
            max_events: 10,
        };
        assert_eq!(attempt.run(&mut rig, &graph).unwrap(), ReturnOutcome::Failed, "{path:?}");
        assert!(rig.last_observation().unwrap().outcome.is_final(), "its trace can be kept");
    }
}
