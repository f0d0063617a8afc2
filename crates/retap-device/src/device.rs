//! The interface that every device implements: eight methods, object-safe.

use retap_model::{App, Coverage, Display, Event, Observation, WorldSeed};
use std::path::Path;

/// Something that can run one app. A crash, an app that hangs, a widget that is gone are outcomes of
/// an observation; an `Err` means that the device itself failed.
pub trait Device: Send {
    fn describe(&self) -> &Description;

    /// Called once, before anything else.
    fn install(&mut self, apk: &Path) -> Result<App, DeviceError>;

    /// Clean data, a fresh world, the app launched and at rest.
    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError>;

    /// One event, run to rest. An event whose widget is not there is answered with
    /// [`Outcome::Missed`](retap_model::Outcome::Missed) and changes nothing.
    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError>;

    /// Keeps the whole state, world included. Only where [`Description::snapshots`] says so.
    fn save(&mut self) -> Result<SnapshotId, DeviceError>;

    /// Goes back to a saved state, any number of times. Answers with what the screen shows then;
    /// nothing counts as covered.
    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError>;

    /// A saved state that nobody will go back to. Most devices have nothing to do.
    fn forget(&mut self, _snapshot: SnapshotId) -> Result<(), DeviceError> {
        Ok(())
    }

    /// The screen as a PNG.
    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// `embedded`, `adb` or `fake`.
    pub kind: String,
    pub serial: String,
    pub api: Option<u32>,
    pub display: Display,
    pub snapshots: bool,
    pub screenshots: bool,
    /// Same app, world seed and events give the same observations. Only then may a prefix that was
    /// run once stand for every other run of it.
    pub deterministic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotId(pub u64);

#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The device is gone; a fresh one may be better.
    #[error("the device was lost: {0}")]
    Lost(String),
    #[error("this device cannot {0}")]
    Unsupported(&'static str),
    /// The app cannot run here, whatever device is tried.
    #[error("{0}")]
    App(String),
    /// The device cannot be had at all: something to install, to plug in or to configure.
    #[error("{0}")]
    Setup(String),
    #[error("interrupted")]
    Interrupted,
}

/// Makes devices of one kind with one app on them: a lab asks for as many as it needs and for fresh
/// ones when it loses some.
pub trait Connect: Sync {
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError>;

    /// Puts into a run's folder what other tools read of its coverage, where devices of this kind
    /// have such a form.
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
