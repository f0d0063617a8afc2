//! Makes embedded devices with one app installed.

use crate::coverage::{CoverageSelection, CoverageSources, write_jacoco_files};
use crate::device::EmbeddedDevice;
use crate::process::{self, SandboxLayers};
use crate::setup::Notice;
use retap_device::{Connect, Device, DeviceError};
use retap_model::{App, Coverage, Display};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A function that shows notices. All devices of a run share it and call it from any of their threads.
pub type Listener = Arc<dyn Fn(Notice<'_>) + Send + Sync>;

/// The properties of the devices to make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmbeddedOptions {
    /// The API level; by default the one that the app targets.
    pub api: Option<u32>,
    pub display: Display,
    pub navigation_bar: bool,
    /// Changes to a stock phone's set of other apps, as [`crate::parse_outside_change`] accepts them.
    pub outside: Vec<String>,
    /// The classes whose coverage counts.
    pub selection: CoverageSelection,
    /// Loads the app's classes anew for each clean install, which must make no difference but to the speed.
    pub reloads_classes: bool,
    /// Records what the JVM's threads do, for [`EmbeddedDevice::take_samples`].
    pub records_samples: bool,
    /// The tests that the app runs under, for [`EmbeddedDevice::start_tests`].
    pub tests: Option<TestApk>,
    /// All of them, but in tests that show that each holds by itself. No flag sets it.
    #[doc(hidden)]
    pub sandbox_layers: SandboxLayers,
}

/// Where the tests of an app lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestApk {
    /// In an APK beside the app's, whose instrumentation belongs to the app or to a driver: a third APK.
    Beside { test: PathBuf, driver: Option<PathBuf> },
    /// In the app's own APK, as in the tests of a library.
    Within,
}

impl TestApk {
    /// Returns the files beside the app's.
    pub fn files(&self) -> Vec<&Path> {
        match self {
            TestApk::Beside { test, driver } => {
                [test].into_iter().chain(driver).map(PathBuf::as_path).collect()
            }
            TestApk::Within => Vec::new(),
        }
    }
}

/// Connects to new embedded devices that have one app installed.
pub struct EmbeddedConnect {
    apk: PathBuf,
    options: EmbeddedOptions,
    listener: Listener,
    has_warned: AtomicBool,
    /// Those of the first device, which are the same for every device.
    coverage: OnceLock<CoverageSources>,
}

impl std::fmt::Debug for EmbeddedConnect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EmbeddedConnect")
            .field("apk", &self.apk)
            .field("options", &self.options)
            .finish()
    }
}

impl EmbeddedConnect {
    pub fn new(apk: PathBuf, options: EmbeddedOptions, listener: Listener) -> Self {
        Self {
            apk,
            options,
            listener,
            has_warned: AtomicBool::new(false),
            coverage: OnceLock::new(),
        }
    }
}

impl Connect for EmbeddedConnect {
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError> {
        let mut device =
            EmbeddedDevice::on_this_machine(self.options.clone(), self.listener.clone())?;
        let app = device.install(&self.apk)?;
        // The warnings are the same for every device.
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            let missing = process::protections().missing;
            let warnings = device.warnings().iter().chain(&missing);
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
            Some(sources) if !sources.table.units.is_empty() => {
                write_jacoco_files(sources, run, covered)
            }
            _ => Ok(()),
        }
    }
}
