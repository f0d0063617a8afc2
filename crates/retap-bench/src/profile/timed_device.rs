//! A device that a bench drives, with a record of its phases if they are wanted.

use super::phase_clock::PhaseClock;
use super::{Phase, Profile};
use retap_device::{Device, DeviceError};
use retap_embedded::{EmbeddedDevice, EmbeddedOptions, Notice};
use retap_engine::Failure;
use retap_model::{App, Event, Observation, WorldSeed};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// An embedded device whose phases are timed.
#[derive(Debug)]
pub struct TimedDevice {
    pub embedded: EmbeddedDevice,
    clock: Option<PhaseClock>,
}

impl TimedDevice {
    /// Makes a device, installs the app and launches it.
    pub fn start(
        apk: &Path,
        options: EmbeddedOptions,
        world_seed: WorldSeed,
    ) -> Result<(Self, App, Observation), DeviceError> {
        let clock = options.records_samples.then(PhaseClock::default);
        let embedded = EmbeddedDevice::on_this_machine(options, Arc::new(|_: Notice<'_>| {}))?;
        let mut started = Self { embedded, clock };
        let (app, first) = started.time(Phase::Start, |device| {
            Ok::<_, DeviceError>((device.install(apk)?, device.reset(world_seed)?))
        })?;
        Ok((started, app, first))
    }

    pub fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        self.time(Phase::Restart, |device| device.reset(world_seed))
    }

    pub fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.time(Phase::Event, |device| device.perform(event))
    }

    fn time<T>(&mut self, phase: Phase, ask: impl FnOnce(&mut EmbeddedDevice) -> T) -> T {
        let begin = SystemTime::now();
        let answer = ask(&mut self.embedded);
        if let Some(clock) = &mut self.clock {
            clock.add(phase, begin, self.embedded.process_id());
        }
        answer
    }

    /// Ends the device. Returns its profile if it recorded one.
    pub fn into_profile(mut self) -> Result<Option<Profile>, Failure> {
        let Some(clock) = self.clock else { return Ok(None) };
        let samples = self.embedded.take_samples()?;
        Profile::new(clock.spans(), &samples).map(Some)
    }
}
