//! From `--device` to something that can be connected to.

use crate::cli::{DeviceArgs, DeviceChoice};
use crate::console::{Console, Progress};
use crate::failure::Failure;
use crate::suite_folder;
use retap_device::Connect;
use retap_device::fake::FakeConnect;
use retap_embedded::{Embedded, Listener, Notice, Options, Selection};
use retap_model::format::run::{self, RunInfo};
use retap_model::format::trace::Header;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What the flags chose: how to connect, and the file that the app came from.
pub struct Chosen {
    pub connect: Box<dyn Connect>,
    pub apk: PathBuf,
}

pub fn choose(args: &DeviceArgs, apk: Option<&Path>, console: &Console) -> Result<Chosen, Failure> {
    match &args.device {
        DeviceChoice::Fake(file) => {
            if apk.is_some() {
                return Err(Failure::input(
                    "a fake device carries its app: give --device fake:FILE or an APK, not both",
                ));
            }
            if !(args.include.is_empty() && args.exclude.is_empty()) {
                return Err(Failure::input(
                    "--include and --exclude choose among an APK's classes; what a fake app covers \
                     is what its file says",
                ));
            }
            readable(file)?;
            Ok(Chosen { connect: Box::new(FakeConnect::load(file)?), apk: file.clone() })
        }
        DeviceChoice::Embedded => {
            let apk = apk.ok_or_else(|| {
                Failure::input("which app? Name an APK, or a scripted one with --device fake:FILE")
            })?;
            readable(apk)?;
            let options = Options {
                api: args.api,
                display: args.screen.unwrap_or_default(),
                outside: args.outside.clone(),
                selection: Selection {
                    include: args.include.clone(),
                    exclude: args.exclude.clone(),
                },
                ..Options::default()
            };
            let embedded = Embedded::new(apk.to_owned(), options, listener(*console));
            Ok(Chosen { connect: Box::new(embedded), apk: apk.to_owned() })
        }
    }
}

/// As [`choose`], for an app that a trace is of: where none is named, the one that the run or the suite
/// around the trace was made with.
pub fn choose_for_trace(
    args: &DeviceArgs,
    apk: Option<&Path>,
    (trace, header): (&str, &Header),
    console: &Console,
) -> Result<Chosen, Failure> {
    if apk.is_some() || args.is_fake() {
        return choose(args, apk, console);
    }
    let apk = app_of_trace(trace, header).ok_or_else(|| {
        let package = &header.app.package;
        Failure::input(format!("the app of this trace, {package}, was not found: name its APK"))
    })?;
    choose(args, Some(&apk), console)
}

/// The file that the run or suite in a folder above names, if it still holds the same app.
fn app_of_trace(trace: &str, header: &Header) -> Option<PathBuf> {
    let trace = std::path::absolute(trace).ok()?;
    let (folder, apk) =
        trace.ancestors().find_map(|folder| Some((folder, app_named_in(folder)?)))?;
    let named = [folder.join(&apk), apk];
    named.into_iter().find(|apk| sha256(apk).is_some_and(|sha256| sha256 == header.app.sha256))
}

fn app_named_in(folder: &Path) -> Option<PathBuf> {
    if suite_folder::is_suite(folder) {
        return suite_folder::manifest(folder).ok()?.apk;
    }
    let info: RunInfo = run::read_json(&folder.join(run::INFO), "what a run was made with").ok()?;
    Some(info.apk.into())
}

fn sha256(file: &Path) -> Option<String> {
    let digest = Sha256::digest(std::fs::read(file).ok()?);
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Shows what the first device does until it is ready; afterwards the verb has a bar of its own.
fn listener(console: Console) -> Listener {
    let shown: Mutex<Option<Progress>> = Mutex::new(Some(console.progress(None)));
    Arc::new(move |notice| {
        let Ok(mut shown) = shown.lock() else { return };
        match (notice, shown.as_ref()) {
            (Notice::Progress(text), Some(progress)) => progress.update(0, text.to_string()),
            (Notice::Progress(_), None) => {}
            (Notice::Remark(text), Some(progress)) => progress.say(&console, text),
            (Notice::Remark(text), None) => console.remark(text),
            (Notice::Ready, _) => *shown = None,
        }
    })
}

fn readable(file: &Path) -> Result<(), Failure> {
    match std::fs::metadata(file) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(Failure::input(format!("{} is not a file", file.display()))),
        Err(error) => Err(Failure::input(format!("{}: {error}", file.display()))),
    }
}
