//! A device with an instrumented app: after each event the app itself hands over what ran. This is how a phone has coverage.

use crate::instrumented_app::InstrumentedApp;
use retap_device::{Connect, Description, Device, DeviceError, SnapshotId};
use retap_model::{App, Coverage, Event, Observation, Outcome, WorldSeed};
use std::path::Path;
use std::sync::Arc;

/// Connects to devices whose coverage the app counts.
pub struct InstrumentedConnect {
    connect: Box<dyn Connect>,
    app: Arc<InstrumentedApp>,
}

impl std::fmt::Debug for InstrumentedConnect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InstrumentedConnect").field("app", &self.app).finish_non_exhaustive()
    }
}

impl InstrumentedConnect {
    /// Wraps a connection. `app` must be the one that it installs.
    pub fn new(connect: Box<dyn Connect>, app: InstrumentedApp) -> Self {
        Self { connect, app: Arc::new(app) }
    }
}

impl Connect for InstrumentedConnect {
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError> {
        let (device, app) = self.connect.connect()?;
        let app = App { units: Arc::clone(self.app.units()), ..app };
        let counts = Some(Arc::clone(&self.app));
        Ok((Box::new(InstrumentedDevice { device, counts }), app))
    }
}

/// A device whose app counts its coverage.
struct InstrumentedDevice {
    device: Box<dyn Device>,
    /// None after another version was installed that counts nothing.
    counts: Option<Arc<InstrumentedApp>>,
}

impl InstrumentedDevice {
    /// Fills in what ran since the last observation.
    fn count(&mut self, mut seen: Observation) -> Result<Observation, DeviceError> {
        let Some(app) = &self.counts else { return Ok(seen) };
        if matches!(seen.outcome, Outcome::Missed | Outcome::DeviceLost(_)) {
            return Ok(seen);
        }
        let data = match self.device.read_content(&app.execution_data_uri(true)) {
            Ok(data) => data,
            Err(error @ (DeviceError::Lost(_) | DeviceError::Interrupted)) => return Err(error),
            Err(error) => {
                seen.host_limitations
                    .push(format!("the app does not hand over its coverage: {error}"));
                return Ok(seen);
            }
        };
        seen.coverage = Arc::new(app.coverage(&data)?);
        Ok(seen)
    }
}

impl Device for InstrumentedDevice {
    fn describe(&self) -> &Description {
        self.device.describe()
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        let app = self.device.install(apk)?;
        self.counts = InstrumentedApp::open(apk)?.map(Arc::new);
        let units = self.counts.as_ref().map(|app| Arc::clone(app.units()));
        Ok(App { units: units.unwrap_or_default(), ..app })
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        let seen = self.device.reset(world_seed)?;
        self.count(seen)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        let seen = self.device.perform(event)?;
        self.count(seen)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        self.device.save()
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        let seen = self.device.restore(snapshot)?;
        // What ran before the snapshot was saved was counted then.
        let seen = self.count(seen)?;
        Ok(Observation { coverage: Arc::new(Coverage::default()), ..seen })
    }

    fn forget(&mut self, snapshot: SnapshotId) -> Result<(), DeviceError> {
        self.device.forget(snapshot)
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        self.device.screenshot()
    }

    fn read_content(&mut self, uri: &str) -> Result<Vec<u8>, DeviceError> {
        self.device.read_content(uri)
    }
}
