//! The files of a run that JaCoCo's tools read: execution data, the classes it is of, and JaCoCo's own
//! XML report, which a Java process makes when the run is over.

use super::{Table, exec};
use crate::process::run_to_end;
use crate::setup::Kit;
use retap_device::DeviceError;
use retap_model::Coverage;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXEC: &str = "coverage.exec";
const XML: &str = "coverage.xml";
const CLASSES: &str = "coverage-classes.jar";
/// The name that the agent gives the classes.
const PLAIN: &str = "classes.jar";

/// What of the app's coverage goes into a run.
#[derive(Debug)]
pub struct Sources {
    pub kit: Kit,
    pub table: Arc<Table>,
    /// Where the agent keeps the table and the classes.
    pub folder: PathBuf,
    /// The title of the report.
    pub package: String,
}

/// Whatever was there of an earlier part of the same run is replaced.
pub fn write(sources: &Sources, run: &Path, covered: &Coverage) -> Result<(), DeviceError> {
    let failed = |name: &str| {
        let path = run.join(name);
        move |error: io::Error| DeviceError::Setup(format!("{}: {error}", path.display()))
    };
    let exec = run.join(EXEC);
    fs::write(&exec, exec::encode(&sources.table, covered)).map_err(failed(EXEC))?;
    let classes = run.join(CLASSES);
    link(&sources.folder.join(PLAIN), &classes).map_err(failed(CLASSES))?;
    let beside = run.join("coverage.xml.part");
    let files = [&exec, &classes, &beside].map(|path| path.as_os_str());
    let arguments = [OsStr::new("--coverage")].into_iter().chain(files);
    run_to_end(&sources.kit, arguments.chain([sources.package.as_ref()]))?;
    fs::rename(&beside, run.join(XML)).map_err(failed(XML))
}

/// The same file under a second name, or a copy where that cannot be.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
}
