//! Makes an APK that counts its own coverage on any phone: the counted classes with probes lie in dex files in front of
//! the app's own, and a provider hands the probes over. Everything else is copied as it is.

mod key;
mod repack;
mod request_file;

pub use key::SigningKey;

use crate::app_package::device_error;
use crate::connect::Listener;
use crate::coverage::{CountedClasses, CoverageSelection, ProbeTable};
use crate::instrumented_app::InstrumentedApp;
use crate::private_folder::PrivateFolder;
use crate::process::{ToolFailure, run_packaging_tool};
use crate::setup::{HostEnvironment, Notice, PackagingSetup, set_up_packaging};
use request_file::RequestFile;
use retap_apk::{Apk, AppCode};
use retap_device::DeviceError;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Android 5, the first version whose runtime reads several dex files.
const LOWEST_API: u32 = 21;
/// The highest level that this version of D8 knows.
const HIGHEST_API: u32 = 35;
/// The versions of the dex format, each with the first API level that reads it.
const DEX_VERSIONS: [(u32, u32); 5] = [(41, 34), (40, 30), (39, 28), (38, 26), (37, 24)];

/// The APK to instrument.
#[derive(Debug, Clone)]
pub struct InstrumentRequest {
    pub apk: PathBuf,
    pub output: PathBuf,
    /// Replaces a file that is there.
    pub force: bool,
    /// The classes whose coverage counts.
    pub selection: CoverageSelection,
    /// By default a debug key that is made once and kept.
    pub key: Option<SigningKey>,
}

/// What was made.
#[derive(Debug)]
pub struct InstrumentReport {
    pub package: String,
    /// The number of classes with probes.
    pub classes: usize,
    /// Classes that should count and stay as they are.
    pub left: Vec<LeftClass>,
    pub app: InstrumentedApp,
    /// The keystore that signed the APK.
    pub keystore: PathBuf,
}

/// A class without probes, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftClass {
    pub name: String,
    pub reason: String,
}

/// Instruments an APK.
pub fn instrument(
    request: &InstrumentRequest,
    listener: &Listener,
) -> Result<InstrumentReport, DeviceError> {
    refuse_existing(request)?;
    listener(Notice::Progress("reading the app"));
    let apk = Apk::open(&request.apk).map_err(device_error)?;
    let name = request.apk.display();
    if apk.parts.len() > 1 {
        let message = format!(
            "{name} comes in {} parts, and only a single APK can be instrumented",
            apk.parts.len()
        );
        return Err(DeviceError::App(message));
    }
    if InstrumentedApp::of(&apk)?.is_some() {
        return Err(DeviceError::App(format!("{name} is instrumented already")));
    }
    let AppCode { code, dex } = apk.code().map_err(device_error)?;
    let CountedClasses { classes, libraries } =
        request.selection.apply(&code, &apk.manifest.package);
    if classes.is_empty() {
        let message = crate::app_package::warn_of_no_coverage(&apk.manifest.package, &libraries);
        return Err(DeviceError::App(message));
    }
    let versions = dex.values().flatten().map(|header| header.version);
    let min_api = lowest_level(apk.manifest.min_sdk, versions);
    let setup = set_up_packaging(&HostEnvironment::from_process()?, &**listener)?;
    let key = match &request.key {
        Some(key) => key.clone(),
        None => SigningKey::debug(&setup)?,
    };
    let work = PrivateFolder::create().map_err(|error| cannot_write(&request.output, &error))?;
    listener(Notice::Progress(&format!("inserting probes into {} classes", classes.len())));
    make_dex(&setup, &apk, &classes, min_api, work.path())?;
    let left = read_left(work.path()).map_err(|error| cannot_write(work.path(), &error))?;
    let table =
        ProbeTable::read(work.path()).map_err(|error| DeviceError::Setup(error.to_string()))?;
    listener(Notice::Progress("packing the app"));
    let unsigned = work.path().join("unsigned.apk");
    repack::write(&apk, work.path(), &table, &unsigned)?;
    listener(Notice::Progress("signing the app"));
    sign(&setup, &key, min_api, &unsigned, request)?;
    listener(Notice::Ready);
    let made = InstrumentedApp::open(&request.output)?;
    let app = made.ok_or_else(|| DeviceError::Setup("the table of units is lost".into()))?;
    Ok(InstrumentReport {
        package: apk.manifest.package,
        classes: table.classes.len(),
        left,
        app,
        keystore: key.file,
    })
}

fn refuse_existing(request: &InstrumentRequest) -> Result<(), DeviceError> {
    match request.output.symlink_metadata() {
        Ok(found) if found.is_dir() => {
            Err(DeviceError::App(format!("{} is a directory", request.output.display())))
        }
        Ok(_) if !request.force => Err(already_there(&request.output)),
        _ => Ok(()),
    }
}

fn already_there(output: &Path) -> DeviceError {
    let name = output.display();
    DeviceError::App(format!("{name} exists; nothing is overwritten without --force"))
}

/// Returns the lowest API level that the new dex files must run on: that of the manifest, unless the code itself needs more.
fn lowest_level(min_sdk: u32, dex_versions: impl Iterator<Item = u32>) -> u32 {
    let version = dex_versions.max().unwrap_or_default();
    let of_format = DEX_VERSIONS.iter().find(|(first, _)| version >= *first);
    let needed = of_format.map_or(LOWEST_API, |(_, level)| *level);
    min_sdk.max(needed).clamp(LOWEST_API, HIGHEST_API)
}

fn make_dex(
    setup: &PackagingSetup,
    apk: &Apk,
    classes: &[String],
    min_api: u32,
    work: &Path,
) -> Result<(), DeviceError> {
    let names = work.join("names.txt");
    fs::write(&names, classes.join("\n")).map_err(|error| cannot_write(&names, &error))?;
    let path = apk.path.canonicalize().map_err(|error| cannot_write(&apk.path, &error))?;
    let mut request = RequestFile::default();
    request
        .set("apks", &path.to_string_lossy())
        .set("classes", &names.to_string_lossy())
        .set("folder", &work.to_string_lossy())
        .set("framework", &setup.framework.to_string_lossy())
        .set("min-api", &min_api.to_string());
    let refused = |message: &str| {
        DeviceError::App(format!("{} cannot be instrumented: {message}", apk.path.display()))
    };
    run(setup, "--make-dex", &request, work, refused)
}

/// Signs the APK beside its place and moves it there when it is whole.
fn sign(
    setup: &PackagingSetup,
    key: &SigningKey,
    min_api: u32,
    unsigned: &Path,
    request: &InstrumentRequest,
) -> Result<(), DeviceError> {
    let output = &request.output;
    let place = output.parent().filter(|place| !place.as_os_str().is_empty());
    let signed = tempfile::Builder::new()
        .prefix(".retap-")
        .suffix(".apk")
        .tempfile_in(place.unwrap_or(Path::new(".")))
        .map_err(|error| cannot_write(output, &error))?;
    let path = signed.path().canonicalize().map_err(|error| cannot_write(output, &error))?;
    let mut asked = RequestFile::default();
    asked
        .set("unsigned", &unsigned.to_string_lossy())
        .set("signed", &path.to_string_lossy())
        .set("keystore", &key.file.to_string_lossy())
        .set("alias", key.alias.as_deref().unwrap_or_default())
        .set("password", &key.password)
        .set("min-api", &min_api.to_string());
    let refused =
        |message: &str| DeviceError::App(format!("cannot sign {}: {message}", output.display()));
    let work = unsigned.parent().unwrap_or(unsigned);
    run(setup, "--sign", &asked, work, refused)?;
    persist(signed, request).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => already_there(output),
        _ => cannot_write(output, &error),
    })
}

fn persist(signed: NamedTempFile, request: &InstrumentRequest) -> io::Result<()> {
    fs::set_permissions(signed.path(), Permissions::from_mode(0o644))?;
    let moved = match request.force {
        true => signed.persist(&request.output),
        false => signed.persist_noclobber(&request.output),
    };
    moved.map(drop).map_err(|error| error.error)
}

/// Runs a tool. `refused` words what it says if it fails, unless the machine is at fault.
fn run(
    setup: &PackagingSetup,
    tool: &str,
    request: &RequestFile,
    work: &Path,
    refused: impl Fn(&str) -> DeviceError,
) -> Result<(), DeviceError> {
    let file = work.join("request.properties");
    request.write(&file).map_err(|error| cannot_write(&file, &error))?;
    let arguments = [OsStr::new(tool), file.as_os_str()];
    match run_packaging_tool(setup, arguments.into_iter())? {
        None => Ok(()),
        Some(ToolFailure { message, .. }) if message.contains("No space left on device") => {
            Err(cannot_write(work, &io::ErrorKind::StorageFull.into()))
        }
        Some(ToolFailure { message, .. }) => Err(refused(without_class(&message))),
    }
}

/// Removes the class of an exception from its message, if the message says enough.
fn without_class(message: &str) -> &str {
    match message.split_once(": ") {
        Some((class, text)) if class.ends_with("Exception") && !text.is_empty() => text,
        _ => message,
    }
}

/// Reads which classes stay as they are.
fn read_left(work: &Path) -> io::Result<Vec<LeftClass>> {
    let text = fs::read_to_string(work.join("left.txt"))?;
    let class = |line: &str| {
        let (name, reason) = line.split_once('\t').unwrap_or((line, ""));
        LeftClass { name: name.replace('/', "."), reason: reason.to_owned() }
    };
    Ok(text.lines().map(class).collect())
}

/// A file that cannot be written is bad input: the user chose the place.
fn cannot_write(path: &Path, error: &io::Error) -> DeviceError {
    DeviceError::App(format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_level_is_that_of_the_manifest_unless_the_code_needs_more() {
        let check = |min_sdk, versions: &[u32], expected| {
            assert_eq!(lowest_level(min_sdk, versions.iter().copied()), expected);
        };
        check(16, &[35], 21);
        check(23, &[35, 37], 24);
        check(29, &[39], 29);
        check(21, &[39, 35], 28);
        check(10_000, &[], 35);
    }

    #[test]
    fn a_message_does_not_begin_with_the_class_of_its_exception() {
        assert_eq!(without_class("java.io.IOException: D8: no"), "D8: no");
        assert_eq!(without_class("a.B$KeyException: k.p12 is bad"), "k.p12 is bad");
        assert_eq!(
            without_class("java.lang.NullPointerException"),
            "java.lang.NullPointerException"
        );
        assert_eq!(without_class("Exception in thread: x"), "Exception in thread: x");
    }
}
