//! The interface that every device implements: nine methods, object-safe.

use retap_model::{App, Coverage, Display, Event, Loss, Observation, WorldSeed};
use std::path::Path;

/// A device that runs one app. A crash, a hanging app or a missing widget is an outcome of an
/// observation; an `Err` means that the device itself failed.
pub trait Device: Send {
    /// Describes what kind of device this is and what it can do.
    fn describe(&self) -> &Description;

    /// Installs the app. Callers do this before anything else. Installing another version of the app over it ends the app
    /// and keeps its data, as an update does: `Event::Launch` then starts the new version on them. A device that cannot do
    /// that says so.
    fn install(&mut self, apk: &Path) -> Result<App, DeviceError>;

    /// Clears the app's data, starts a fresh world and launches the app until it is at rest.
    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError>;

    /// Performs one event and waits until the app is at rest. An event whose widget is missing has the
    /// outcome [`Outcome::Missed`](retap_model::Outcome::Missed) and changes nothing.
    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError>;

    /// Saves the whole state, world included, if [`Description::snapshots`] is true.
    fn save(&mut self) -> Result<SnapshotId, DeviceError>;

    /// Restores a snapshot, any number of times. The observation shows the restored screen and covers
    /// nothing.
    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError>;

    /// Drops a snapshot that nobody will restore. Most devices have nothing to do.
    fn forget(&mut self, _snapshot: SnapshotId) -> Result<(), DeviceError> {
        Ok(())
    }

    /// Returns the screen as a PNG.
    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError>;

    /// Reads what a provider of the app offers under an address, as `content read` does on a phone: empty if the app does
    /// not run any more.
    fn read_content(&mut self, _uri: &str) -> Result<Vec<u8>, DeviceError> {
        Err(DeviceError::Unsupported("read from the app's providers"))
    }
}

/// The kind of a device and the features it supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// `embedded`, `adb` or `fake`.
    pub kind: String,
    pub serial: String,
    pub api: Option<u32>,
    pub display: Display,
    pub snapshots: bool,
    pub screenshots: bool,
    /// True if the same app, world seed and events give the same observations. Only then may a rig run a
    /// shared prefix once for several jobs.
    pub deterministic: bool,
}

/// The number of a snapshot, unique on its device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotId(pub u64);

/// A failure of a device, never of the app.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The device is gone. A fresh one may work.
    #[error("the device was lost: {0}")]
    Lost(Loss),
    #[error("this device cannot {0}")]
    Unsupported(&'static str),
    /// The app cannot run on any device of this kind.
    #[error("{0}")]
    App(String),
    /// No device is available: something must be installed, plugged in or configured.
    #[error("{0}")]
    Setup(String),
    #[error("interrupted")]
    Interrupted,
}

impl DeviceError {
    /// Returns the error of a device that is gone for this reason.
    pub fn lost(reason: impl Into<String>) -> Self {
        DeviceError::Lost(Loss::new(reason))
    }
}

/// Makes devices of one kind with one app on them. A lab connects as many as it needs and fresh ones in
/// place of lost ones.
pub trait Connect: Sync {
    /// Starts a device and installs the app.
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError>;

    /// Writes the coverage into the run directory in the formats of other tools, if devices of this kind
    /// have such formats.
    fn keep_coverage(&self, _run: &Path, _covered: &Coverage) -> Result<(), DeviceError> {
        Ok(())
    }
}

impl<F> Connect for F
where
    F: Fn() -> Result<(Box<dyn Device>, App), DeviceError> + Sync,
{
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError> {
        self()
    }
}
