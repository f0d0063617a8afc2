//! An app to install: checked before anything is started, so that an app that cannot run is refused at
//! once and with the reason.

use crate::compatibility::{Compatibility, LOWEST_DEFAULT_LEVEL, Obstacle};
use crate::connect::TestApk;
use crate::coverage::{CountedClasses, CoverageSelection};
use crate::private_folder::PrivateFolder;
use crate::setup::{API_LEVELS, SetupError};
use retap_apk::{Apk, ApkError};
use retap_device::DeviceError;
use retap_model::app::AppIdentity;
use retap_model::{App, Units};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An app that can run on the embedded device, and its files.
#[derive(Debug)]
pub struct AppPackage {
    pub app: App,
    /// The API level it will run at.
    pub api: u32,
    /// The APK, or the base of a bundle and its splits.
    pub files: Vec<PathBuf>,
    /// Reasons why it may behave differently than on a phone.
    pub warnings: Vec<String>,
    /// The classes whose coverage counts, named as in class files.
    pub counted_classes: Vec<String>,
    /// The test APK, if there is one, and the driver that it belongs to, if there is one.
    pub test_apks: Vec<TestFile>,
    /// The folder of an unpacked bundle, which is deleted with this.
    _unpacked: Option<PrivateFolder>,
}

/// An APK whose classes run in the app's process to test it.
#[derive(Debug)]
pub struct TestFile {
    pub path: PathBuf,
    pub sha256: String,
}

impl AppPackage {
    /// Returns a name for the prepared form of the app with its tests.
    pub fn prepared_name(&self) -> String {
        let tests = self.test_apks.iter().map(|test| test.sha256.as_str());
        let all: Vec<&str> = [self.app.identity.sha256.as_str()].into_iter().chain(tests).collect();
        all.join("-")
    }

    /// Opens an app for the API level that was asked for, or else for the one nearest to its target.
    pub fn open(
        path: &Path,
        api: Option<u32>,
        selection: &CoverageSelection,
        tests: Option<&TestApk>,
    ) -> Result<Self, DeviceError> {
        let path = path
            .canonicalize()
            .map_err(|error| DeviceError::App(format!("{}: {error}", path.display())))?;
        let apk = Apk::open(path).map_err(device_error)?;
        let code = apk.code().map_err(device_error)?.code;
        let package = &apk.manifest.package;
        let (best_api, warnings) = match Compatibility::check(&apk, &code, API_LEVELS) {
            Compatibility::Runs { api_level, warnings } => (api_level, warnings),
            // Tests start activities themselves, so that they need no launcher.
            Compatibility::Refused { obstacles, warnings }
                if tests.is_some() && obstacles == [Obstacle::NoLauncher] =>
            {
                let target = apk.manifest.target_sdk.max(apk.manifest.min_sdk);
                let level = target.max(LOWEST_DEFAULT_LEVEL);
                (level.clamp(*API_LEVELS.start(), *API_LEVELS.end()), warnings)
            }
            Compatibility::Refused { obstacles, .. } => {
                let reasons: Vec<String> = obstacles.iter().map(ToString::to_string).collect();
                let reasons = reasons.join("; ");
                let message = format!("{package} cannot run on the embedded device: {reasons}");
                return Err(DeviceError::App(message));
            }
        };
        let mut warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let UnpackedFiles { files, folder } = unpack(&apk)?;
        let files_beside = tests.map(TestApk::files).unwrap_or_default();
        let test_apks = files_beside.into_iter().map(open_test_apk).collect::<Result<_, _>>()?;
        let CountedClasses { classes, libraries } = selection.apply(&code, package);
        if classes.is_empty() {
            warnings.push(warn_of_no_coverage(package, &libraries));
        }
        let api = choose_level(api, best_api, &apk)?;
        if api < LOWEST_DEFAULT_LEVEL {
            warnings.push(format!(
                "API level {api} is less true than {LOWEST_DEFAULT_LEVEL} and above: texts, bitmaps and \
                 nine-patches are not drawn, so widgets may lie elsewhere than on a phone"
            ));
        }
        Ok(Self {
            api,
            app: describe_app(&apk, libraries),
            files,
            warnings,
            counted_classes: classes,
            test_apks,
            _unpacked: folder,
        })
    }
}

fn open_test_apk(path: &Path) -> Result<TestFile, DeviceError> {
    let path = path
        .canonicalize()
        .map_err(|error| DeviceError::App(format!("{}: {error}", path.display())))?;
    let sha256 = Apk::open(&path).map_err(device_error)?.sha256;
    Ok(TestFile { path, sha256 })
}

/// Divides the errors of an APK into faults of the app and faults of this machine.
pub(crate) fn device_error(error: ApkError) -> DeviceError {
    match error {
        ApkError::Write { .. } => DeviceError::Setup(error.to_string()),
        error => DeviceError::App(error.to_string()),
    }
}

fn choose_level(requested: Option<u32>, best: u32, apk: &Apk) -> Result<u32, DeviceError> {
    let Some(api) = requested else { return Ok(best) };
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

fn describe_app(apk: &Apk, libraries: BTreeMap<String, u64>) -> App {
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
        // Filled in when the agent has made its table.
        units: Arc::new(Units::default()),
        libraries,
    }
}

pub(crate) fn warn_of_no_coverage(package: &str, libraries: &BTreeMap<String, u64>) -> String {
    let names: Vec<&str> = libraries.keys().map(String::as_str).collect();
    let reason = match names.is_empty() {
        true => "nothing is left after --include and --exclude".to_owned(),
        false => format!("all of {package} was taken for libraries ({})", names.join(", ")),
    };
    format!("there will be no coverage: {reason}; --include PACKAGE says what counts")
}

/// The files of an app, and the folder they were written to if it was a bundle.
struct UnpackedFiles {
    files: Vec<PathBuf>,
    folder: Option<PrivateFolder>,
}

/// Writes the parts of a bundle to files, because the agent takes files.
fn unpack(apk: &Apk) -> Result<UnpackedFiles, DeviceError> {
    let folder = PrivateFolder::create()
        .map_err(|error| DeviceError::Setup(format!("cannot unpack the bundle: {error}")))?;
    let files = apk.unpack(folder.path()).map_err(device_error)?;
    let is_unpacked = files.iter().any(|file| file.starts_with(folder.path()));
    Ok(UnpackedFiles { files, folder: is_unpacked.then_some(folder) })
}
