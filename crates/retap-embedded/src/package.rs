//! An APK as the device takes it: judged before anything is started, so that an app that cannot run
//! is refused at once and with the reason.

use crate::coverage::{Counted, Selection};
use crate::setup::{API_LEVELS, SetupError};
use retap_apk::{Apk, ApkError, Verdict};
use retap_device::DeviceError;
use retap_model::app::AppIdentity;
use retap_model::{App, Units};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

#[derive(Debug)]
pub struct Package {
    pub app: App,
    /// The level it will run at.
    pub api: u32,
    /// The APK, or the base of a bundle and its splits.
    pub files: Vec<PathBuf>,
    /// Why it may not run as it does on a phone.
    pub warnings: Vec<String>,
    /// The classes whose coverage counts, as in class files.
    pub counted: Vec<String>,
    /// Where a bundle was unpacked; goes with this.
    _unpacked: Option<TempDir>,
}

impl Package {
    /// At the API level that the app targets, or the one asked for.
    pub fn open(path: &Path, api: Option<u32>, selection: &Selection) -> Result<Self, DeviceError> {
        let path = path
            .canonicalize()
            .map_err(|error| DeviceError::App(format!("{}: {error}", path.display())))?;
        let apk = Apk::open(path).map_err(refused)?;
        let code = apk.code().map_err(refused)?.code;
        let package = &apk.manifest.package;
        let (fitting, warnings) = match Verdict::of(&apk, &code, API_LEVELS) {
            Verdict::Runs { api_level, warnings } => (api_level, warnings),
            Verdict::Refused { obstacles, .. } => {
                let reasons: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
                let reasons = reasons.join("; ");
                let message = format!("{package} cannot run on the embedded device: {reasons}");
                return Err(DeviceError::App(message));
            }
        };
        let mut warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let (files, unpacked) = unpack(&apk)?;
        let Counted { classes, libraries } = selection.of(&code, package);
        if classes.is_empty() {
            warnings.push(no_class_counts(package, &libraries));
        }
        Ok(Self {
            api: level(api, fitting, &apk)?,
            app: describe(&apk, libraries),
            files,
            warnings,
            counted: classes,
            _unpacked: unpacked,
        })
    }
}

pub(crate) fn refused(error: ApkError) -> DeviceError {
    match error {
        ApkError::Write { .. } => DeviceError::Setup(error.to_string()),
        error => DeviceError::App(error.to_string()),
    }
}

fn level(asked: Option<u32>, fitting: u32, apk: &Apk) -> Result<u32, DeviceError> {
    let Some(api) = asked else { return Ok(fitting) };
    if !API_LEVELS.contains(&api) {
        return Err(SetupError::NoSuchLevel { api }.into());
    }
    let needed = apk.manifest.min_sdk;
    if api < needed {
        let package = &apk.manifest.package;
        return Err(DeviceError::App(format!("{package} needs API level {needed}, not {api}")));
    }
    Ok(api)
}

fn describe(apk: &Apk, libraries: BTreeMap<String, u64>) -> App {
    let manifest = &apk.manifest;
    let actions: BTreeSet<String> = manifest
        .receivers
        .iter()
        .filter(|receiver| receiver.enabled)
        .flat_map(|receiver| &receiver.filters)
        .flat_map(|filter| filter.actions.iter().cloned())
        .collect();
    App {
        identity: AppIdentity {
            package: manifest.package.clone(),
            version: manifest
                .version_name
                .clone()
                .unwrap_or_else(|| manifest.version_code.to_string()),
            sha256: apk.sha256.clone(),
        },
        activities: manifest.activities.iter().map(|a| a.component.name.clone()).collect(),
        broadcasts: actions.into_iter().collect(),
        // Known when the agent has made its table.
        units: Arc::new(Units::default()),
        libraries,
    }
}

fn no_class_counts(package: &str, libraries: &BTreeMap<String, u64>) -> String {
    let names: Vec<&str> = libraries.keys().map(String::as_str).collect();
    let found = match names.is_empty() {
        true => "nothing is left after --include and --exclude".to_owned(),
        false => format!("all of {package} was taken for libraries ({})", names.join(", ")),
    };
    format!("there will be no coverage: {found}; --include PACKAGE says what counts")
}

/// The agent takes files: a bundle's parts are written out first.
fn unpack(apk: &Apk) -> Result<(Vec<PathBuf>, Option<TempDir>), DeviceError> {
    let folder = tempfile::Builder::new()
        .prefix("retap-bundle-")
        .tempdir()
        .map_err(|error| DeviceError::Setup(format!("cannot unpack the bundle: {error}")))?;
    let files = apk.unpack(folder.path()).map_err(refused)?;
    let unpacked = files.iter().any(|file| file.starts_with(folder.path()));
    Ok((files, unpacked.then_some(folder)))
}
