//! The Android framework of one API level: one big jar, fetched when an app first needs the level.

use crate::setup::cache::Cache;
use crate::setup::maven::{Maven, MavenTask};
use crate::setup::{HostEnvironment, Notify, SetupError};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The API levels that the agent can run. Robolectric also has 36, but for newer JDKs than the one
/// required here.
pub const API_LEVELS: RangeInclusive<u32> = 23..=35;

/// The versions of the jars in Robolectric 4.16.1, from API level 23 on.
const VERSIONS: [&str; 13] = [
    "6.0.1_r3-robolectric-r1",
    "7.0.0_r1-robolectric-r1",
    "7.1.0_r7-robolectric-r1",
    "8.0.0_r4-robolectric-r1",
    "8.1.0-robolectric-4611349",
    "9-robolectric-4913185-2",
    "10-robolectric-5803371",
    "11-robolectric-6757853",
    "12-robolectric-7732740",
    "12.1-robolectric-8229987",
    "13-robolectric-9030017",
    "14-robolectric-10818077",
    "15-robolectric-13954326",
];

/// The revision of Robolectric's own instrumentation.
const REVISION: &str = "i7";
const COPY_GOAL: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

/// Returns the name of a level's folder in the cache.
pub fn folder_name(api: u32) -> String {
    format!("android-{api}")
}

/// Returns the folder with the jar, which is fetched first if it is missing.
pub fn jars(
    environment: &HostEnvironment,
    cache: &Cache,
    api: u32,
    notify: Notify<'_>,
) -> Result<PathBuf, SetupError> {
    let version = version(api).ok_or(SetupError::NoSuchLevel { api })?;
    let cached = cache.get_or_make(&folder_name(api), notify, |work| {
        let what = format!("Android API level {api}");
        let artifact = format!("org.robolectric:android-all-instrumented:{version}-{REVISION}");
        let arguments = [
            COPY_GOAL.into(),
            format!("-Dartifact={artifact}"),
            format!("-DoutputDirectory={}", work.display()),
        ];
        let task = MavenTask { what: &what, megabytes: 500, folder: work, arguments: &arguments };
        Maven::find(environment, &what)?.run(&task, notify)
    })?;
    Ok(cached.folder)
}

fn version(api: u32) -> Option<&'static str> {
    VERSIONS.get(api.checked_sub(*API_LEVELS.start())? as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_version_and_no_other_has() {
        assert!(API_LEVELS.into_iter().all(|api| version(api).is_some()));
        assert_eq!(version(28), Some("9-robolectric-4913185-2"));
        assert_eq!((version(22), version(36)), (None, None));
    }
}
