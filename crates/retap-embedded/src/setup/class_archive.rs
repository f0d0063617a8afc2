//! The JVM's own archive of the classes that an agent loads, from which it takes them without reading,
//! parsing and linking them. It fits one JVM, one version of the agent and one API level. An agent starts
//! without it too, only more slowly, so a JVM that cannot make it or use it is no error.

use crate::process::run_agent_trial;
use crate::process::{CLASS_ARCHIVE, CLASS_LIST, LOG, make_class_archive, run_agent_tool};
use crate::setup::cache::Cache;
use crate::setup::{AgentSetup, Jdk, Notice, Notify, SetupError};
use retap_apk::sha256_hex;
use retap_device::DeviceError;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The prefix of the folders in the cache.
const PREFIX: &str = "classes-";

/// The jar with the listed classes, which is needed only to make the archive.
const JAR: &str = "classes.jar";

/// The number of digits that stand for a JVM and its class path.
const FINGERPRINT_LEN: usize = 16;

/// Returns the archive for this API level, and makes it first if it is missing. `None` if this JVM cannot
/// make it.
pub fn prepare(
    setup: &AgentSetup,
    cache: &Cache,
    api: u32,
    notify: Notify<'_>,
) -> Result<Option<PathBuf>, SetupError> {
    let Some(framework) = &setup.framework else { return Ok(None) };
    let name = format!("{PREFIX}{api}-{}", fingerprint(&setup.jdk, &setup.class_path));
    let cached = cache.get_or_make(&name, notify, |work| {
        notify(Notice::Progress(&format!("archiving the classes of Android API level {api}")));
        let made = make(setup, &framework.level, api, work);
        finish(work, made).map_err(|source| SetupError::Cache { path: work.to_owned(), source })
    })?;
    cache.remove_unused_versions(PREFIX, &cached);
    let archive = cached.folder.join(CLASS_ARCHIVE);
    Ok(archive.is_file().then_some(archive))
}

/// Makes an archive in `work` and tries it.
fn make(setup: &AgentSetup, level: &Path, api: u32, work: &Path) -> Result<(), DeviceError> {
    run_agent_tool(setup, ["--classes".as_ref(), level.as_ref(), work.as_ref()].into_iter())?;
    make_class_archive(setup, work)?;
    let setup = AgentSetup { class_archive: Some(work.join(CLASS_ARCHIVE)), ..setup.clone() };
    let (api, jars) = (api.to_string(), setup.android_jars.as_os_str());
    run_agent_trial(&setup, ["--trial".as_ref(), api.as_ref(), jars].into_iter())
}

/// Removes what an agent does not need. If no archive could be made, a note of the reason remains, so that
/// it is not tried again at every start.
fn finish(work: &Path, made: Result<(), DeviceError>) -> std::io::Result<()> {
    for name in [JAR, CLASS_LIST, LOG] {
        let file = work.join(name);
        if file.exists() {
            fs::remove_file(file)?;
        }
    }
    if let Err(error) = made {
        let archive = work.join(CLASS_ARCHIVE);
        if archive.exists() {
            fs::remove_file(archive)?;
        }
        fs::write(work.join("failure.txt"), error.to_string())?;
    }
    Ok(())
}

/// Returns digits that change with what the JVM compares before it uses an archive: itself, which an
/// update replaces, and the times of the jars.
fn fingerprint(jdk: &Jdk, class_path: &[PathBuf]) -> String {
    let library = jdk.home.join("lib/server/libjvm.so");
    let state = |path: &Path| {
        fs::metadata(path).map(|it| (it.len(), it.mtime(), it.mtime_nsec())).unwrap_or_default()
    };
    let jars: Vec<_> = class_path.iter().map(|jar| (jar, state(jar))).collect();
    let text = format!("{} {:?} {:?} {jars:?}", jdk.version, jdk.home, state(&library));
    sha256_hex(text.as_bytes())[..FINGERPRINT_LEN].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        entries.map(|it| it.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn only_the_archive_is_kept() {
        let work = tempfile::tempdir().unwrap();
        for name in [JAR, CLASS_LIST, LOG, CLASS_ARCHIVE] {
            fs::write(work.path().join(name), "x").unwrap();
        }
        finish(work.path(), Ok(())).unwrap();
        assert_eq!(files(work.path()), [CLASS_ARCHIVE]);
    }

    #[test]
    fn an_archive_that_failed_its_trial_is_not_kept() {
        let work = tempfile::tempdir().unwrap();
        fs::write(work.path().join(CLASS_ARCHIVE), "x").unwrap();
        finish(work.path(), Err(DeviceError::Setup("no".into()))).unwrap();
        assert_eq!(files(work.path()), ["failure.txt"]);
    }

    #[test]
    fn an_updated_jvm_or_jar_gets_another_archive() {
        let home = tempfile::tempdir().unwrap();
        let library = home.path().join("lib/server/libjvm.so");
        fs::create_dir_all(library.parent().unwrap()).unwrap();
        let jars = [home.path().join("agent.jar")];
        let jdk = Jdk { home: home.path().to_owned(), feature: 17, version: "17.0.15".into() };
        let newer = Jdk { version: "17.0.16".into(), ..jdk.clone() };
        let first = fingerprint(&jdk, &jars);
        assert_eq!(fingerprint(&jdk, &jars), first);
        fs::write(&library, "1").unwrap();
        let second = fingerprint(&jdk, &jars);
        fs::write(&jars[0], "1").unwrap();
        let third = fingerprint(&jdk, &jars);
        assert!(first != second && second != third && fingerprint(&newer, &jars) != third);
    }
}
