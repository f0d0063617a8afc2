//! The files of a run that JaCoCo's tools read: execution data, its classes, and JaCoCo's own XML
//! report, which a Java process makes when the run is over.

use super::{ProbeTable, execution_data};
use crate::foreign_folder::ForeignFolder;
use crate::process::run_agent_tool;
use crate::setup::AgentSetup;
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
/// The agent's name for the file of the classes.
const AGENT_CLASSES: &str = "classes.jar";
/// Far more than the classes of any app have.
const MAX_CLASSES: u64 = 1 << 30;

/// The data of an app that its coverage files are made from.
#[derive(Debug)]
pub struct CoverageSources {
    pub setup: AgentSetup,
    pub table: Arc<ProbeTable>,
    /// The folder with the table and the classes.
    pub folder: PathBuf,
    /// The title of the report.
    pub package: String,
}

/// Writes the files and replaces those of an earlier part of the same run.
pub fn write_jacoco_files(
    sources: &CoverageSources,
    run: &Path,
    covered: &Coverage,
) -> Result<(), DeviceError> {
    let failed = |name: &str| {
        let path = run.join(name);
        move |error: io::Error| DeviceError::Setup(format!("{}: {error}", path.display()))
    };
    let execution = run.join(EXEC);
    fs::write(&execution, execution_data::encode(&sources.table, covered)).map_err(failed(EXEC))?;
    let classes = run.join(CLASSES);
    copy(&sources.folder, &classes).map_err(failed(CLASSES))?;
    let unfinished = run.join("coverage.xml.part");
    let files = [&execution, &classes, &unfinished].map(|path| path.as_os_str());
    let arguments = [OsStr::new("--coverage")].into_iter().chain(files);
    run_agent_tool(&sources.setup, arguments.chain([sources.package.as_ref()]))?;
    fs::rename(&unfinished, run.join(XML)).map_err(failed(XML))
}

/// Copies the classes. A second name of the file would let an edited run change the cache.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_file(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    ForeignFolder::open(from)?.copy(AGENT_CLASSES.as_ref(), to, MAX_CLASSES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn a_run_gets_its_own_copy_of_the_classes() {
        let [cache, run] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        fs::write(cache.path().join(AGENT_CLASSES), "classes").unwrap();
        let classes = run.path().join(CLASSES);
        fs::write(&classes, "of an earlier part of the run").unwrap();
        copy(cache.path(), &classes).unwrap();
        assert_eq!(fs::read_to_string(&classes).unwrap(), "classes");
        assert_eq!(fs::metadata(&classes).unwrap().nlink(), 1);
    }
}
