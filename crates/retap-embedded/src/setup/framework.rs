//! What an agent would otherwise make at each of its starts, made once: the framework's classes as the
//! agent wants them, and the files of Android's native half, unpacked.

use crate::process::run_to_end;
use crate::setup::cache::Cache;
use crate::setup::{Kit, Notice, Notify, SetupError, agent};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Begin the names of their folders in the cache.
const LEVEL: &str = "framework-";
const RUNTIME: &str = "runtime-";

/// The library of the agent's that carries the native half of most levels.
const CARRIER: &str = "nativeruntime-dist-";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Framework {
    /// What belongs to one API level and one version of the agent.
    pub level: PathBuf,
    /// What all levels share.
    pub runtime: PathBuf,
}

/// Both folders, made first if need be.
pub fn ready(
    kit: &Kit,
    cache: &Cache,
    api: u32,
    notify: Notify<'_>,
) -> Result<Framework, SetupError> {
    let make = |arguments: &[&OsStr]| {
        notify(Notice::Progress(&format!("preparing Android API level {api}")));
        run_to_end(kit, arguments.iter().copied())
            .map_err(|error| SetupError::Framework { api, message: error.to_string() })
    };
    let name = format!("{RUNTIME}{}", carrier(&kit.class_path));
    let runtime =
        cache.provide(&name, notify, |work| make(&["--runtime".as_ref(), work.as_ref()]))?;
    cache.retire(RUNTIME, &runtime);
    let name = format!("{LEVEL}{api}-{}", agent::version());
    let level = cache.provide(&name, notify, |work| {
        let number = api.to_string();
        let jars = kit.android_jars.as_os_str();
        make(&["--framework".as_ref(), number.as_ref(), jars, work.as_ref()])
    })?;
    cache.retire(LEVEL, &level);
    Ok(Framework { level: level.folder, runtime: runtime.folder })
}

/// Its version: the same files for as many versions of the agent as use it.
fn carrier(class_path: &[PathBuf]) -> String {
    let stem = |jar: &Path| Some(jar.file_stem()?.to_str()?.strip_prefix(CARRIER)?.to_owned());
    class_path.iter().find_map(|jar| stem(jar)).unwrap_or_else(agent::version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_native_half_is_named_by_the_library_that_carries_it() {
        let jars = ["lib/nativeruntime-4.16.1.jar", "lib/nativeruntime-dist-compat-1.0.18.jar"];
        assert_eq!(carrier(&jars.map(PathBuf::from)), "compat-1.0.18");
        assert_eq!(carrier(&[]), agent::version());
    }
}
