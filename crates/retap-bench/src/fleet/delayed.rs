//! Fakes that take as long for an event as a phone would.

use super::fakes;
use retap_device::{Connect, Description, Device, DeviceError, Lab, SnapshotId};
use retap_fleet::{DeviceSetup, TaskResult, Work, Workshop};
use retap_model::{App, Event, Observation, WorldSeed};
use std::path::Path;
use std::time::Duration;

/// A workshop of fakes with a delay.
#[derive(Debug)]
pub struct DelayedFakes {
    pub delay: Duration,
}

impl Workshop for DelayedFakes {
    fn connect(&self, _setup: &DeviceSetup, app: &Path) -> Result<Box<dyn Connect>, DeviceError> {
        let (fakes, delay) = (fakes(app)?, self.delay);
        let connect = move || {
            let (device, app) = fakes.connect()?;
            Ok((Box::new(DelayedDevice { device, delay }) as Box<dyn Device>, app))
        };
        Ok(Box::new(connect))
    }

    fn explore(&self, _: &mut Lab<'_>, _: &Path, _: &Work) -> Result<TaskResult, DeviceError> {
        Err(DeviceError::Unsupported("explore in a bench of jobs"))
    }
}

struct DelayedDevice {
    device: Box<dyn Device>,
    delay: Duration,
}

impl Device for DelayedDevice {
    fn describe(&self) -> &Description {
        self.device.describe()
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        self.device.install(apk)
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        self.device.reset(world_seed)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        std::thread::sleep(self.delay);
        self.device.perform(event)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        self.device.save()
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.device.restore(snapshot)
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        self.device.screenshot()
    }
}
