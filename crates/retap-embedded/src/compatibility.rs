//! Whether the embedded device can run an app, at which API level, and if not, why not.
//!
//! It has the framework but no ARM or x86 processor to lend: an app that loads native code of
//! its own cannot run there. Carrying a native library is not loading it; the code decides.

mod native;
mod text;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::apk::Apk;
use crate::code::Code;
use crate::manifest::Manifest;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Verdict {
    Runs { api_level: u32, warnings: Vec<Warning> },
    Refused { obstacles: Vec<Obstacle>, warnings: Vec<Warning> },
}

/// A reason why an app cannot run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "obstacle")]
pub enum Obstacle {
    NoLauncher,
    MinSdk {
        min_sdk: u32,
        newest: u32,
    },
    /// The app cannot do without them, since these classes load them.
    NativeLibraries {
        files: BTreeSet<String>,
        classes: BTreeSet<String>,
    },
    /// The activity is written in native code altogether.
    NativeActivity {
        class: String,
    },
}

/// A reason why an app may not run as it does on a phone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case", tag = "warning")]
pub enum Warning {
    /// A library inside the app loads native code, for those features that need it.
    LibraryIsNative {
        library: &'static str,
        files: BTreeSet<String>,
    },
    UnusedNativeLibraries {
        files: BTreeSet<String>,
    },
    /// Loaded by the app's code but not in the APK.
    MissingNativeLibrary {
        name: String,
        class: String,
    },
    MissingSplits,
    NewerTarget {
        target_sdk: u32,
        api_level: u32,
    },
}

impl Verdict {
    /// The verdict for a device that has these API levels.
    pub fn of(apk: &Apk, code: &Code, levels: RangeInclusive<u32>) -> Self {
        let mut obstacles = Vec::new();
        let mut warnings = BTreeSet::new();
        let api_level = api_level(&apk.manifest, &levels, &mut obstacles, &mut warnings);
        match apk.manifest.launcher() {
            None => obstacles.push(Obstacle::NoLauncher),
            Some(launcher) if code.is_native_activity(&launcher.activity) => {
                obstacles.push(Obstacle::NativeActivity { class: launcher.activity });
            }
            Some(_) => {}
        }
        native::judge(apk, code, &mut obstacles, &mut warnings);
        if apk.manifest.split_required && apk.parts.len() == 1 {
            warnings.insert(Warning::MissingSplits);
        }
        let warnings = warnings.into_iter().collect();
        match obstacles.is_empty() {
            true => Verdict::Runs { api_level, warnings },
            false => Verdict::Refused { obstacles, warnings },
        }
    }
}

/// The app's target, as near as the levels come.
fn api_level(
    manifest: &Manifest,
    levels: &RangeInclusive<u32>,
    obstacles: &mut Vec<Obstacle>,
    warnings: &mut BTreeSet<Warning>,
) -> u32 {
    let (oldest, newest) = (*levels.start(), *levels.end());
    let (min_sdk, target_sdk) = (manifest.min_sdk, manifest.target_sdk);
    if min_sdk > newest {
        obstacles.push(Obstacle::MinSdk { min_sdk, newest });
    } else if target_sdk > newest {
        warnings.insert(Warning::NewerTarget { target_sdk, api_level: newest });
    }
    // A target below the minimum is a mistake that phones forgive.
    target_sdk.max(min_sdk).clamp(oldest, newest)
}

#[cfg(test)]
mod tests;
