//! Installing: from an APK to an app on a device, or to one of Android's codes with the reason.

use super::app::Life;
use super::{InstalledApp, PhoneState};
use retap_apk::{Apk, ApkError};
use retap_device::DeviceError;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each app has a device, which takes hundreds of megabytes.
const MAX_APPS: usize = 4;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InstallOptions {
    pub keeps_existing: bool,
    pub may_downgrade: bool,
    pub grants_permissions: bool,
}

/// A refusal: `code` is one of Android's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {reason}")]
pub struct InstallFailure {
    pub code: &'static str,
    pub reason: String,
}

impl InstallFailure {
    pub(super) fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into() }
    }
}

impl PhoneState {
    /// Installs the bytes of an APK.
    pub fn install_bytes(
        &mut self,
        bytes: &[u8],
        options: InstallOptions,
    ) -> Result<String, InstallFailure> {
        self.installs += 1;
        let file = self.folder.path().join(format!("{}.apk", self.installs));
        std::fs::write(&file, bytes).map_err(|error| {
            InstallFailure::new("INSTALL_FAILED_INSUFFICIENT_STORAGE", error.to_string())
        })?;
        let installed = self.install_file(Some(file.clone()), options);
        if installed.is_err() {
            // What cannot be removed goes with the folder.
            let _ = std::fs::remove_file(&file);
        }
        installed
    }

    /// Installs an APK of this machine, or the app that the device carries.
    pub fn install_file(
        &mut self,
        apk: Option<PathBuf>,
        options: InstallOptions,
    ) -> Result<String, InstallFailure> {
        let manifest = match &apk {
            Some(file) => Some(Apk::open(file).map_err(|error| refuse_apk(&error))?.manifest),
            None => None,
        };
        if let Some(manifest) = &manifest {
            let package = &manifest.package;
            self.check_version(package, manifest.version_code, options)?;
            if let Some(app) = self.apps.get_mut(package) {
                update(app, apk.as_deref())?;
                (app.apk, app.manifest) = (apk, Some(manifest.clone()));
                self.grant(package, options);
                let package = package.clone();
                self.leave(&package);
                return Ok(package);
            }
        }
        if self.apps.len() >= MAX_APPS {
            return Err(InstallFailure::new(
                "INSTALL_FAILED_INSUFFICIENT_STORAGE",
                format!("this phone holds {MAX_APPS} apps: uninstall one first"),
            ));
        }
        let (device, app) =
            (self.settings.start)(apk.as_deref()).map_err(|error| refuse_app(&error))?;
        let package = app.identity.package.clone();
        let app = InstalledApp {
            apk,
            manifest,
            app,
            device,
            life: Life::Fresh,
            pid: None,
            last: None,
            granted: BTreeSet::new(),
        };
        self.apps.insert(package.clone(), app);
        self.grant(&package, options);
        Ok(package)
    }

    fn check_version(
        &self,
        package: &str,
        version: u64,
        options: InstallOptions,
    ) -> Result<(), InstallFailure> {
        let Some(before) = self.apps.get(package) else { return Ok(()) };
        if options.keeps_existing {
            return Err(InstallFailure::new(
                "INSTALL_FAILED_ALREADY_EXISTS",
                format!("Attempt to re-install {package} without first uninstalling."),
            ));
        }
        let installed = before.manifest.as_ref().map_or(0, |manifest| manifest.version_code);
        if version < installed && !options.may_downgrade {
            return Err(InstallFailure::new(
                "INSTALL_FAILED_VERSION_DOWNGRADE",
                format!("version {version} is older than version {installed} that is installed"),
            ));
        }
        Ok(())
    }

    fn grant(&mut self, package: &str, options: InstallOptions) {
        if let Some(app) = self.apps.get_mut(package).filter(|_| options.grants_permissions) {
            let all = app.manifest.iter().flat_map(|manifest| manifest.permissions.clone());
            app.granted.extend(all.collect::<Vec<_>>());
        }
    }
}

/// Installs another version over an app, which keeps its data.
fn update(app: &mut InstalledApp, apk: Option<&Path>) -> Result<(), InstallFailure> {
    let launched = app.life != Life::Fresh;
    app.app =
        app.device.install(apk.unwrap_or(Path::new(""))).map_err(|error| refuse_app(&error))?;
    app.life = if launched { Life::Updated } else { Life::Fresh };
    (app.pid, app.last) = (None, None);
    Ok(())
}

fn refuse_apk(error: &ApkError) -> InstallFailure {
    InstallFailure::new("INSTALL_PARSE_FAILED_NOT_APK", error.to_string())
}

/// The device says in words why an app cannot run on it. Android has no code for most of its reasons.
fn refuse_app(error: &DeviceError) -> InstallFailure {
    let code = match error {
        DeviceError::App(reason) if reason.contains("native") => "INSTALL_FAILED_NO_MATCHING_ABIS",
        DeviceError::App(_) => "INSTALL_FAILED_INVALID_APK",
        _ => "INSTALL_FAILED_INTERNAL_ERROR",
    };
    InstallFailure::new(code, error.to_string())
}
