//! The agent: a Maven project embedded in this binary, built once for each version of its sources.

use crate::setup::cache::Cache;
use crate::setup::maven::{Maven, MavenTask};
use crate::setup::{HostEnvironment, Notify, SetupError};
use retap_apk::sha256_hex;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The project's files as name and content, written by `build.rs`.
static SOURCES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The number of digits of a version.
const VERSION_LEN: usize = 16;

const JAR: &str = "retap-agent.jar";
const LIBRARIES: &str = "lib";
/// What only `retap instrument` needs. No app meets it.
const PACKAGING: &str = "packaging";
/// The prefix of the framework's jar. It comes last on the class path, after the libraries that replace
/// parts of it.
pub const FRAMEWORK_PREFIX: &str = "android-all-";

/// The prefix of the agent's folders in the cache.
const FOLDER_PREFIX: &str = "agent-";

/// Returns the name of the agent's folder in the cache, which depends on its sources.
pub fn folder_name() -> String {
    format!("{FOLDER_PREFIX}{}", version())
}

/// Returns the version of the agent: the first 16 digits of a hash of its sources.
pub fn version() -> String {
    let mut fields = Vec::new();
    for (name, content) in SOURCES {
        fields.extend_from_slice(&(name.len() as u64).to_be_bytes());
        fields.extend_from_slice(name.as_bytes());
        fields.extend_from_slice(&(content.len() as u64).to_be_bytes());
        fields.extend_from_slice(content);
    }
    sha256_hex(&fields)[..VERSION_LEN].to_string()
}

/// Returns the jars to start the agent with, and builds them first if they are missing.
pub fn class_path(
    environment: &HostEnvironment,
    cache: &Cache,
    notify: Notify<'_>,
) -> Result<Vec<PathBuf>, SetupError> {
    let mut jars = packaging_class_path(environment, cache, notify)?;
    jars.retain(|jar| jar.parent().is_none_or(|folder| !folder.ends_with(PACKAGING)));
    Ok(jars)
}

/// Returns the jars to start a tool with that makes or signs APKs.
pub fn packaging_class_path(
    environment: &HostEnvironment,
    cache: &Cache,
    notify: Notify<'_>,
) -> Result<Vec<PathBuf>, SetupError> {
    let cached =
        cache.get_or_make(&folder_name(), notify, |work| build(environment, work, notify))?;
    cache.remove_unused_versions(FOLDER_PREFIX, &cached);
    let mut names: Vec<&str> = cached.inventory.names().collect();
    let rank = |name: &&str| (name.contains(FRAMEWORK_PREFIX), *name != JAR);
    names.sort_by_key(|name| rank(name));
    Ok(names.into_iter().map(|name| cached.folder.join(name)).collect())
}

fn build(environment: &HostEnvironment, work: &Path, notify: Notify<'_>) -> Result<(), SetupError> {
    let maven = Maven::find(environment, "the embedded device")?;
    let failed = |source| SetupError::Cache { path: work.to_owned(), source };
    let project = work.join("project");
    write_sources(&project).map_err(failed)?;
    let task = MavenTask {
        what: "the embedded device",
        megabytes: 800,
        folder: &project,
        arguments: &["package".into(), "-Dmaven.test.skip=true".into()],
    };
    maven.run(&task, notify)?;
    let target = project.join("target");
    let keep = || {
        fs::rename(target.join(JAR), work.join(JAR))?;
        fs::rename(target.join(LIBRARIES), work.join(LIBRARIES))?;
        fs::rename(target.join(PACKAGING), work.join(PACKAGING))?;
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

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    /// Runs the agent's own tests, which need no device, with the Maven that also builds it.
    #[test]
    fn the_agents_own_tests_pass() {
        let work = tempfile::tempdir().unwrap();
        let project = work.path().join("agent");
        write_sources(&project).unwrap();
        copy(&Path::new(ROOT).join("agent/src/test"), &project.join("src/test")).unwrap();
        // Tests find fixture apps where they lie beside the agent in the repository.
        let fixtures = work.path().join("fixtures");
        fs::create_dir(&fixtures).unwrap();
        for apk in ["exit.apk", "modern.apk"] {
            fs::copy(Path::new(ROOT).join("fixtures").join(apk), fixtures.join(apk)).unwrap();
        }
        let environment = HostEnvironment::from_process().unwrap();
        let task = MavenTask {
            what: "the agent's tests",
            megabytes: 800,
            folder: &project,
            arguments: &["test".into()],
        };
        Maven::find(&environment, task.what).unwrap().run(&task, &|_| {}).unwrap();
        let reports = fs::read_dir(project.join("target/surefire-reports")).unwrap();
        let classes = reports.filter(|it| {
            it.as_ref().is_ok_and(|it| it.path().extension().is_some_and(|end| end == "xml"))
        });
        // Fewer reports than test classes would mean that Maven skipped some.
        assert_eq!(classes.count(), count_test_classes(&project.join("src/test")));
    }

    fn count_test_classes(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).unwrap().flatten();
        entries
            .map(|entry| match entry.path() {
                path if path.is_dir() => count_test_classes(&path),
                path => usize::from(path.to_string_lossy().ends_with("Test.java")),
            })
            .sum()
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
