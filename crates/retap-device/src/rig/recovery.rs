//! The recovery from a lost device: a fresh one takes its place and runs the events that led here again.

use super::{Rig, RigPosition};
use crate::device::{Device, DeviceError, SnapshotId};
use retap_model::{App, Loss, Observation, WorldSeed};

/// An event that loses this many devices in a row is set aside.
const MAX_LOST_ON_EVENT: usize = 3;

/// The rig gives up after this many devices in a row that do not start, or that are lost at the launch.
const MAX_LOST_AT_START: usize = 3;

/// The rig gives up after this many devices that are lost on the way back to one position. Each of them has
/// started, so something outside ends them.
const MAX_LOST_ON_THE_WAY: usize = 10;

impl Rig<'_> {
    /// Asks the device for something at the current position. A lost device is replaced and brought back
    /// here first. Returns the last loss if every device is lost on it; the rig then has no device.
    pub(super) fn ask<T>(
        &mut self,
        what: &mut dyn FnMut(&mut dyn Device) -> Result<T, DeviceError>,
    ) -> Result<Result<T, Loss>, DeviceError> {
        let mut lost = 0;
        loop {
            match what(self.device()?) {
                Ok(answer) => return Ok(Ok(answer)),
                Err(error) => {
                    let loss = self.let_go(error)?;
                    lost += 1;
                    if lost == MAX_LOST_ON_EVENT {
                        return Ok(Err(loss));
                    }
                    self.rerun_position()?;
                }
            }
        }
    }

    /// Launches a clean install. A device that is lost there is replaced.
    pub(super) fn launch(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        let mut lost = 0;
        loop {
            match self.device()?.reset(world_seed) {
                Ok(observation) => return Ok(observation),
                Err(error) => {
                    let loss = self.let_go(error)?;
                    lost += 1;
                    if lost == MAX_LOST_AT_START {
                        let reason = format!("{} ({lost} devices at the launch)", loss.reason);
                        return Err(DeviceError::Lost(Loss { reason, ..loss }));
                    }
                }
            }
        }
    }

    /// Forgets a snapshot. A lost device has forgotten it already.
    pub(super) fn forget_snapshot(&mut self, snapshot: SnapshotId) -> Result<(), DeviceError> {
        match self.device()?.forget(snapshot) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.let_go(error)?;
                self.rerun_position()
            }
        }
    }

    pub(super) fn device(&mut self) -> Result<&mut dyn Device, DeviceError> {
        Ok(self.connected()?.0.as_mut())
    }

    pub(super) fn connected(&mut self) -> Result<&mut (Box<dyn Device>, App), DeviceError> {
        if self.connected.is_none() {
            self.connected = Some(self.start_device()?);
        }
        self.connected.as_mut().ok_or(DeviceError::Unsupported("start"))
    }

    /// Starts a device. One that is lost before it is ready is replaced.
    fn start_device(&mut self) -> Result<(Box<dyn Device>, App), DeviceError> {
        let mut lost = 0;
        loop {
            self.check_interrupt()?;
            match self.connect.connect() {
                Ok(connected) => return Ok(connected),
                Err(error @ DeviceError::Lost(_)) if lost + 1 == MAX_LOST_AT_START => {
                    return Err(error);
                }
                Err(error) => {
                    self.let_go(error)?;
                    lost += 1;
                }
            }
        }
    }

    /// Lets a lost device go, with its snapshots. Other errors are returned.
    pub(super) fn let_go(&mut self, error: DeviceError) -> Result<Loss, DeviceError> {
        let DeviceError::Lost(loss) = error else { return Err(error) };
        self.cost.devices_lost += 1;
        self.saved.clear();
        self.connected = None;
        let count = self.events().len();
        let again = match count {
            1 => "1 event runs again".to_string(),
            count => format!("{count} events run again"),
        };
        self.remarks.push(format!("the device died ({loss}) and is replaced; {again}"));
        Ok(loss)
    }

    /// Brings a fresh device to the current position by running its events again.
    fn rerun_position(&mut self) -> Result<(), DeviceError> {
        let Some(position) = self.position.take() else { return Ok(()) };
        for _ in 0..MAX_LOST_ON_THE_WAY {
            match self.rerun(&position) {
                Ok(()) => {
                    self.position = Some(position);
                    return Ok(());
                }
                Err(error) => self.let_go(error)?,
            };
        }
        let events = position.events.len();
        Err(DeviceError::lost(format!(
            "{MAX_LOST_ON_THE_WAY} devices in a row were lost while they ran {events} events again"
        )))
    }

    fn rerun(&mut self, position: &RigPosition) -> Result<(), DeviceError> {
        self.cost.restarts += 1;
        let launch = self.device()?.reset(position.world_seed)?;
        let mut differs = !is_same(&launch, &position.observations[0]);
        for (event, before) in position.events.iter().zip(&position.observations[1..]) {
            self.check_interrupt()?;
            self.cost.events += 1;
            let again = self.device()?.perform(event)?;
            differs |= !is_same(&again, before);
        }
        if differs && self.device()?.describe().deterministic {
            self.remarks.push("the app behaved differently when its events ran again".into());
        }
        Ok(())
    }
}

fn is_same(a: &Observation, b: &Observation) -> bool {
    a.screen == b.screen && a.outcome == b.outcome && a.elapsed_ms == b.elapsed_ms
}
