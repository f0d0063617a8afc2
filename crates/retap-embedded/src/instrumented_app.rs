//! An app that `retap instrument` made: what its execution data means.

use crate::app_package::device_error;
use crate::coverage::{ProbeTable, decode_execution_data};
use retap_apk::Apk;
use retap_device::DeviceError;
use retap_model::{Coverage, Units};
use std::path::Path;
use std::sync::Arc;

/// The entries that an instrumented APK has besides its own.
pub const TABLE_ENTRY: &str = "retap/units.table";
/// The ids and names of the classes, in the order of their numbers, for the app itself.
pub const CLASSES_ENTRY: &str = "retap/probes.table";
/// The classes without probes, for JaCoCo's tools.
pub const PLAIN_ENTRY: &str = "retap/classes.jar";
const MAX_TABLE: u64 = 1 << 30;

/// The provider that hands the execution data over.
pub const PROVIDER_CLASS: &str = "dev.retap.probes.CoverageProvider";

/// An instrumented app.
#[derive(Debug)]
pub struct InstrumentedApp {
    package: String,
    table: ProbeTable,
}

impl InstrumentedApp {
    /// Opens an instrumented APK. `None` for any other.
    pub fn open(path: &Path) -> Result<Option<Self>, DeviceError> {
        Self::of(&Apk::open(path).map_err(device_error)?)
    }

    pub(crate) fn of(apk: &Apk) -> Result<Option<Self>, DeviceError> {
        let Some(base) = apk.parts.first() else { return Ok(None) };
        let Some(entry) = base.archive.entry(TABLE_ENTRY) else { return Ok(None) };
        let bytes = base.archive.read(entry, MAX_TABLE).map_err(device_error)?;
        let table = ProbeTable::decode(&bytes)
            .map_err(|error| DeviceError::App(format!("{TABLE_ENTRY} is damaged: {error}")))?;
        Ok(Some(Self { package: apk.manifest.package.clone(), table }))
    }

    /// The units that its coverage counts. Their numbers are those of [`Coverage`].
    pub fn units(&self) -> &Arc<Units> {
        &self.table.units
    }

    /// Returns the address for `adb shell content read --uri`. With `clears` the probes count anew afterwards.
    pub fn execution_data_uri(&self, clears: bool) -> String {
        let end = if clears { "exec/take" } else { "exec" };
        format!("content://{}/{end}", authority(&self.package))
    }

    /// Returns the units that execution data of this app shows.
    pub fn coverage(&self, execution_data: &[u8]) -> Result<Coverage, DeviceError> {
        decode_execution_data(&self.table, execution_data)
            .map_err(|error| DeviceError::App(format!("the execution data is damaged: {error}")))
    }
}

/// Returns the name under which the provider of an app is known.
pub fn authority(package: &str) -> String {
    format!("{package}.retap.coverage")
}
