//! Turns device settings into a connection: something that can start devices, and the app's file.

use crate::{Context, Failure, suite_folder};
use retap_adb::{AdbConnect, AdbEnvironment, AdbOptions};
use retap_device::Connect;
use retap_device::fake::FakeConnect;
use retap_embedded::{
    CoverageSelection, EmbeddedConnect, EmbeddedOptions, InstrumentedApp, InstrumentedConnect,
};
use retap_model::format::run::{self, RunInfo};
use retap_model::format::trace::Header;
use retap_model::{Abstraction, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Which device to use, and how it is set up.
#[derive(Debug, Clone)]
pub struct DeviceSettings {
    pub kind: DeviceKind,
    /// Serials of phones and emulators, for a device over adb.
    pub serials: Vec<String>,
    /// Android API level; by default what the app targets.
    pub api: Option<u32>,
    pub display: Option<Display>,
    /// Changes to the phone's other apps.
    pub outside: Vec<String>,
    /// The abstraction that was asked for, if any.
    pub abstraction: Option<Abstraction>,
    /// Classes and packages whose coverage counts; by default the app's own.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceKind {
    Embedded,
    /// A phone or an emulator over adb.
    Adb,
    Fake(PathBuf),
}

impl FromStr for DeviceKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "embedded" => Ok(Self::Embedded),
            None if text == "adb" => Ok(Self::Adb),
            Some(("fake", file)) if !file.is_empty() => Ok(Self::Fake(file.into())),
            _ => Err(format!("expected embedded, adb or fake:FILE, found {text:?}")),
        }
    }
}

impl DeviceSettings {
    /// Fills in what was not asked for from the header of a recorded trace.
    pub fn as_recorded(mut self, header: &Header) -> Self {
        self.api = self.api.or(header.api);
        self.display = self.display.or(Some(header.display));
        if self.outside.is_empty() {
            self.outside.clone_from(&header.outside);
        }
        self
    }

    /// Returns the abstraction that new recordings use.
    pub fn recorded_abstraction(&self) -> Abstraction {
        self.abstraction.unwrap_or(Abstraction::Layout)
    }

    pub fn is_fake(&self) -> bool {
        matches!(self.kind, DeviceKind::Fake(_))
    }
}

/// A way to start devices with one app, and the file the app came from.
pub struct Connection {
    pub connect: Box<dyn Connect>,
    pub apk: PathBuf,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("apk", &self.apk).finish_non_exhaustive()
    }
}

/// Connects to the chosen device with this app.
pub fn connect(
    settings: &DeviceSettings,
    apk: Option<&Path>,
    context: Context<'_>,
) -> Result<Connection, Failure> {
    match &settings.kind {
        DeviceKind::Fake(file) => connect_fake(settings, file, apk),
        DeviceKind::Embedded => connect_embedded(settings, apk, context),
        DeviceKind::Adb => connect_adb(settings, apk),
    }
}

fn connect_fake(
    settings: &DeviceSettings,
    file: &Path,
    apk: Option<&Path>,
) -> Result<Connection, Failure> {
    if apk.is_some() {
        return Err(Failure::input(
            "a fake device carries its own app: give --device fake:FILE or an APK, not both",
        ));
    }
    if !(settings.include.is_empty() && settings.exclude.is_empty()) {
        return Err(Failure::input(
            "--include and --exclude select classes of an APK; a fake app names what it covers in its file",
        ));
    }
    check_readable(file)?;
    Ok(Connection { connect: Box::new(FakeConnect::load(file)?), apk: file.to_owned() })
}

fn connect_adb(settings: &DeviceSettings, apk: Option<&Path>) -> Result<Connection, Failure> {
    let apk =
        apk.ok_or_else(|| Failure::input("no app given: name the APK that the phone is to run"))?;
    check_readable(apk)?;
    if !(settings.include.is_empty() && settings.exclude.is_empty()) {
        return Err(Failure::input(
            "--include and --exclude select classes whose coverage counts, which an app on a phone counts itself: give them to `retap instrument`",
        ));
    }
    let environment = AdbEnvironment::from_process().map_err(Failure::input)?;
    let options = AdbOptions::new(environment, settings.serials.clone());
    let connect: Box<dyn Connect> = Box::new(AdbConnect::new(apk.to_owned(), options));
    // A file that is no APK is refused by the device, in its words.
    let connect = match InstrumentedApp::open(apk) {
        Ok(Some(app)) => Box::new(InstrumentedConnect::new(connect, app)),
        _ => connect,
    };
    Ok(Connection { connect, apk: apk.to_owned() })
}

fn connect_embedded(
    settings: &DeviceSettings,
    apk: Option<&Path>,
    context: Context<'_>,
) -> Result<Connection, Failure> {
    let apk = apk.ok_or_else(|| {
        Failure::input("no app given: name an APK, or a fake app with --device fake:FILE")
    })?;
    check_readable(apk)?;
    let options = EmbeddedOptions {
        api: settings.api,
        display: settings.display.unwrap_or_default(),
        outside: settings.outside.clone(),
        selection: CoverageSelection {
            include: settings.include.clone(),
            exclude: settings.exclude.clone(),
        },
        ..EmbeddedOptions::default()
    };
    let embedded =
        EmbeddedConnect::new(apk.to_owned(), options, context.reporter.device_listener());
    Ok(Connection { connect: Box::new(embedded), apk: apk.to_owned() })
}

/// A trace as the user named it, with its header.
#[derive(Debug, Clone, Copy)]
pub struct NamedTrace<'a> {
    pub name: &'a str,
    pub header: &'a Header,
}

/// Connects to a device for a trace. Where no app is named, the run or suite around the trace names it.
pub fn connect_for_trace(
    settings: &DeviceSettings,
    apk: Option<&Path>,
    trace: NamedTrace<'_>,
    context: Context<'_>,
) -> Result<Connection, Failure> {
    if apk.is_some() || settings.is_fake() {
        return connect(settings, apk, context);
    }
    let apk = find_app(trace).ok_or_else(|| {
        let package = &trace.header.app.package;
        Failure::input(format!("the app of this trace, {package}, was not found: name its APK"))
    })?;
    connect(settings, Some(&apk), context)
}

/// Returns the class of the activity that the launcher starts, if the trace's app is found and has one.
pub fn find_launcher(trace: NamedTrace<'_>) -> Option<String> {
    let launcher = retap_apk::Apk::open(find_app(trace)?).ok()?.launcher().ok()?;
    Some(launcher.component)
}

/// Returns the file that the nearest run or suite names, if it still holds the trace's app.
fn find_app(trace: NamedTrace<'_>) -> Option<PathBuf> {
    let path = std::path::absolute(trace.name).ok()?;
    let (folder, apk) =
        path.ancestors().find_map(|folder| Some((folder, app_named_in(folder)?)))?;
    let wanted = &trace.header.app.sha256;
    let files = [folder.join(&apk), apk];
    files.into_iter().find(|file| sha256(file).as_ref() == Some(wanted))
}

fn app_named_in(folder: &Path) -> Option<PathBuf> {
    if suite_folder::is_suite(folder) {
        return suite_folder::read_manifest(folder).ok()?.apk;
    }
    let info: RunInfo = run::read_json(&folder.join(run::INFO), "the settings of a run").ok()?;
    Some(info.apk.into())
}

fn sha256(file: &Path) -> Option<String> {
    Some(retap_apk::sha256_hex(&std::fs::read(file).ok()?))
}

fn check_readable(file: &Path) -> Result<(), Failure> {
    match std::fs::metadata(file) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(Failure::input(format!("{} is not a file", file.display()))),
        Err(error) => Err(Failure::input(format!("{}: {error}", file.display()))),
    }
}
