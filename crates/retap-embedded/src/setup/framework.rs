//! Files that an agent would otherwise make at every start: the framework's classes, rewritten for the
//! agent, and the unpacked files of Android's native half.

use crate::process::run_agent_tool;
use crate::setup::cache::Cache;
use crate::setup::{AgentSetup, Notice, Notify, SetupError, agent};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Prefixes of the folders in the cache.
const LEVEL_PREFIX: &str = "framework-";
const RUNTIME_PREFIX: &str = "runtime-";

/// The prefix of the agent's library that contains the native half of most levels.
const NATIVE_LIBRARY_PREFIX: &str = "nativeruntime-dist-";

/// The folders with these files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameworkFolders {
    /// The files of one API level and one version of the agent.
    pub level: PathBuf,
    /// The files that all levels share.
    pub runtime: PathBuf,
}

/// Returns both folders, and makes them first if they are missing.
pub fn prepare(
    setup: &AgentSetup,
    cache: &Cache,
    api: u32,
    notify: Notify<'_>,
) -> Result<FrameworkFolders, SetupError> {
    let make = |arguments: &[&OsStr]| {
        notify(Notice::Progress(&format!("preparing Android API level {api}")));
        run_agent_tool(setup, arguments.iter().copied())
            .map_err(|error| SetupError::Framework { api, message: error.to_string() })
    };
    let name = format!("{RUNTIME_PREFIX}{}", native_version(&setup.class_path));
    let runtime =
        cache.get_or_make(&name, notify, |work| make(&["--runtime".as_ref(), work.as_ref()]))?;
    cache.remove_unused_versions(RUNTIME_PREFIX, &runtime);
    let name = format!("{LEVEL_PREFIX}{api}-{}", agent::version());
    let level = cache.get_or_make(&name, notify, |work| {
        let number = api.to_string();
        let jars = setup.android_jars.as_os_str();
        make(&["--framework".as_ref(), number.as_ref(), jars, work.as_ref()])
    })?;
    cache.remove_unused_versions(LEVEL_PREFIX, &level);
    Ok(FrameworkFolders { level: level.folder, runtime: runtime.folder })
}

/// Returns the version of the native half. Versions of the agent with the same library share its files.
fn native_version(class_path: &[PathBuf]) -> String {
    let stem = |jar: &Path| {
        Some(jar.file_stem()?.to_str()?.strip_prefix(NATIVE_LIBRARY_PREFIX)?.to_owned())
    };
    class_path.iter().find_map(|jar| stem(jar)).unwrap_or_else(agent::version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_native_half_is_named_after_the_library_that_contains_it() {
        let jars = ["lib/nativeruntime-4.16.1.jar", "lib/nativeruntime-dist-compat-1.0.18.jar"];
        assert_eq!(native_version(&jars.map(PathBuf::from)), "compat-1.0.18");
        assert_eq!(native_version(&[]), agent::version());
    }
}
