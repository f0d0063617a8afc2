//! The Android framework of one API level: one big jar, fetched when an app first needs that level.

use crate::setup::cache::Cache;
use crate::setup::maven::{Errand, Maven};
use crate::setup::{Machine, Notify, SetupError};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What the agent can run. Robolectric has an API 36 too, for newer JDKs than the one required here.
pub const API_LEVELS: RangeInclusive<u32> = 23..=35;

/// As Robolectric 4.16.1 names them, from API 23 on.
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

/// Which revision of Robolectric's own instrumentation.
const REVISION: &str = "i7";
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

pub fn folder(api: u32) -> String {
    format!("android-{api}")
}

/// The folder with the jar in it, fetched first if need be.
pub fn jars(
    machine: &Machine,
    cache: &Cache,
    api: u32,
    notify: Notify<'_>,
) -> Result<PathBuf, SetupError> {
    let version = version(api).ok_or(SetupError::NoSuchLevel { api })?;
    let part = cache.provide(&folder(api), notify, |work| {
        let what = format!("Android API level {api}");
        let artifact = format!("org.robolectric:android-all-instrumented:{version}-{REVISION}");
        let arguments = [
            COPY.into(),
            format!("-Dartifact={artifact}"),
            format!("-DoutputDirectory={}", work.display()),
        ];
        let errand = Errand { what: &what, megabytes: 500, folder: work, arguments: &arguments };
        Maven::find(machine, &what)?.run(&errand, notify)
    })?;
    Ok(part.folder)
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
