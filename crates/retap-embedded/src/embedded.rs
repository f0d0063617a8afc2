//! Makes embedded devices with one app on them.

use crate::coverage::{Selection, Sources, write};
use crate::device::EmbeddedDevice;
use crate::process;
use crate::setup::Notice;
use retap_device::{Connect, Device, DeviceError};
use retap_model::{App, Coverage, Display};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Shared by all devices of a run; called from any of their threads.
pub type Listener = Arc<dyn Fn(Notice<'_>) + Send + Sync>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// By default what the app targets.
    pub api: Option<u32>,
    pub display: Display,
    pub navigation_bar: bool,
    /// How the other apps of the phone differ from a stock phone's, as [`crate::outside_change`] takes it.
    pub outside: Vec<String>,
    /// Whose coverage counts.
    pub selection: Selection,
}

pub struct Embedded {
    apk: PathBuf,
    options: Options,
    listener: Listener,
    warned: AtomicBool,
    /// The first device's, which are every device's.
    coverage: OnceLock<Sources>,
}

impl std::fmt::Debug for Embedded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedded").field("apk", &self.apk).field("options", &self.options).finish()
    }
}

impl Embedded {
    pub fn new(apk: PathBuf, options: Options, listener: Listener) -> Self {
        Self { apk, options, listener, warned: AtomicBool::new(false), coverage: OnceLock::new() }
    }
}

impl Connect for Embedded {
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError> {
        let mut device = EmbeddedDevice::here(self.options.clone(), self.listener.clone())?;
        let app = device.install(&self.apk)?;
        // One device's warnings are every device's.
        if !self.warned.swap(true, Ordering::Relaxed) {
            let gaps = process::gaps();
            let warnings = device.warnings().iter().map(String::as_str).chain(gaps);
            for warning in warnings {
                (self.listener)(Notice::Remark(&format!("warning: {warning}")));
            }
        }
        if let Some(sources) = device.coverage_sources() {
            self.coverage.get_or_init(|| sources);
        }
        Ok((Box::new(device), app))
    }

    fn keep_coverage(&self, run: &Path, covered: &Coverage) -> Result<(), DeviceError> {
        match self.coverage.get() {
            Some(sources) if !sources.table.units.is_empty() => write(sources, run, covered),
            _ => Ok(()),
        }
    }
}
