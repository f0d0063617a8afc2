//! Fakes that take as long for an event as a phone would.

use super::fakes;
use retap_device::{Connect, Description, Device, DeviceError, Lab, SnapshotId};
use retap_fleet::{DeviceSetup, TaskResult, Work, Workshop};
use retap_model::{App, Event, Observation, WorldSeed};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A workshop of fakes with a delay.
#[derive(Debug)]
pub struct DelayedFakes {
    pub delay: Duration,
    /// Nanoseconds that all devices took for their events: a busy machine wakes them late.
    pub performed: Arc<AtomicU64>,
}

impl Workshop for DelayedFakes {
    fn connect(&self, _setup: &DeviceSetup, app: &Path) -> Result<Box<dyn Connect>, DeviceError> {
        let (fakes, delay, performed) = (fakes(app)?, self.delay, Arc::clone(&self.performed));
        let connect = move || {
            let (device, app) = fakes.connect()?;
            Ok((
                Box::new(DelayedDevice { device, delay, performed: Arc::clone(&performed) })
                    as Box<dyn Device>,
                app,
            ))
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
    performed: Arc<AtomicU64>,
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
        let began = Instant::now();
        std::thread::sleep(self.delay);
        let observation = self.device.perform(event);
        self.performed.fetch_add(began.elapsed().as_nanos() as u64, Ordering::Relaxed);
        observation
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
