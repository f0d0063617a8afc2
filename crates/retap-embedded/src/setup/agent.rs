//! The agent: a Maven project carried in this binary, built once for each version of its sources.

use crate::setup::cache::Cache;
use crate::setup::inventory::hex;
use crate::setup::maven::{Errand, Maven};
use crate::setup::{Machine, Notify, SetupError};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The project's files: name and content.
static SOURCES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/sources.rs"));

const JAR: &str = "retap-agent.jar";
const LIBRARIES: &str = "lib";
/// Its own framework must not come before the libraries that were made to replace parts of it.
const LAST: &str = "android-all-";

/// Begins the names of its folders in the cache.
const FOLDER: &str = "agent-";

/// The name of its folder in the cache: other sources, another folder.
pub fn folder() -> String {
    format!("{FOLDER}{}", version())
}

/// Names its sources.
pub fn version() -> String {
    let mut hasher = Sha256::new();
    for (name, content) in SOURCES {
        hasher.update((name.len() as u64).to_be_bytes());
        hasher.update(name);
        hasher.update((content.len() as u64).to_be_bytes());
        hasher.update(content);
    }
    hex(&hasher.finalize())[..16].to_string()
}

/// The jars to start the agent with, built first if need be.
pub fn class_path(
    machine: &Machine,
    cache: &Cache,
    notify: Notify<'_>,
) -> Result<Vec<PathBuf>, SetupError> {
    let part = cache.provide(&folder(), notify, |work| build(machine, work, notify))?;
    cache.retire(FOLDER, &part);
    let mut names: Vec<&str> = part.inventory.names().collect();
    let rank = |name: &&str| (name.contains(LAST), *name != JAR);
    names.sort_by_key(|name| rank(name));
    Ok(names.into_iter().map(|name| part.folder.join(name)).collect())
}

fn build(machine: &Machine, work: &Path, notify: Notify<'_>) -> Result<(), SetupError> {
    let maven = Maven::find(machine, "the embedded device")?;
    let failed = |source| SetupError::Cache { path: work.to_owned(), source };
    let project = work.join("project");
    write_sources(&project).map_err(failed)?;
    let errand = Errand {
        what: "the embedded device",
        megabytes: 800,
        folder: &project,
        arguments: &["package".into(), "-Dmaven.test.skip=true".into()],
    };
    maven.run(&errand, notify)?;
    let target = project.join("target");
    let keep = || {
        fs::rename(target.join(JAR), work.join(JAR))?;
        fs::rename(target.join(LIBRARIES), work.join(LIBRARIES))?;
        fs::remove_dir_all(&project)
    };
    keep().map_err(failed)
}

fn write_sources(project: &Path) -> io::Result<()> {
    for (name, content) in SOURCES {
        let file = project.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, content)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../agent");

    /// The agent's own tests, which need no device, by the Maven that also builds it.
    #[test]
    fn its_own_tests_pass() {
        let work = tempfile::tempdir().unwrap();
        write_sources(work.path()).unwrap();
        copy(&Path::new(PROJECT).join("src/test"), &work.path().join("src/test")).unwrap();
        let machine = Machine::here().unwrap();
        let errand = Errand {
            what: "the agent's tests",
            megabytes: 800,
            folder: work.path(),
            arguments: &["test".into()],
        };
        Maven::find(&machine, errand.what).unwrap().run(&errand, &|_| {}).unwrap();
        let reports = fs::read_dir(work.path().join("target/surefire-reports")).unwrap();
        let classes = reports.filter(|it| {
            it.as_ref().is_ok_and(|it| it.path().extension().is_some_and(|end| end == "xml"))
        });
        assert!(classes.count() >= 9, "tests were left out");
    }

    fn copy(from: &Path, to: &Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                copy(&entry.path(), &target)?;
            } else {
                fs::copy(entry.path(), target)?;
            }
        }
        Ok(())
    }
}
