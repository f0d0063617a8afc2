//! The limits of the embedded device, and the apps that meet them.
//!
//! The device has the Android framework but runs no machine code of an app. An app that loads a
//! native library runs until it calls one of its methods. Carrying a native library is not loading
//! it, so the check reads the code.

mod display;
mod missing_features;
mod native_code;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use retap_apk::{Apk, AppComponent, Code, Manifest, NativeLibrary};

pub use missing_features::{MissingFeature, find_missing_features};

/// The answer to whether the embedded device can run an app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compatibility {
    Runs { api_level: u32, warnings: Vec<Warning> },
    Refused { obstacles: Vec<Obstacle>, warnings: Vec<Warning> },
}

/// A reason why an app cannot run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    NoLauncher,
    MinSdk {
        min_sdk: u32,
        newest: u32,
    },
    /// The launcher activity is written in native code altogether.
    NativeActivity {
        class: String,
    },
}

/// A reason why an app may behave differently than on a phone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// These classes of the app, or of the engine that runs it, load these libraries.
    NativeLibraries {
        files: BTreeSet<String>,
        classes: BTreeSet<String>,
    },
    /// The number of native methods by class, in an app that carries native libraries.
    NativeMethods {
        classes: BTreeMap<String, usize>,
    },
    /// A library inside the app loads native code for some of its features.
    LibraryIsNative {
        library: &'static str,
        files: BTreeSet<String>,
    },
    UnusedNativeLibraries {
        files: BTreeSet<String>,
    },
    /// The app's code loads a library that is not in the APK.
    MissingNativeLibrary {
        name: String,
        class: String,
    },
    MissingSplits,
    /// These components ask for processes of their own, which share the app's main thread here.
    OtherProcesses {
        components: BTreeSet<String>,
    },
    NewerTarget {
        target_sdk: u32,
        api_level: u32,
    },
}

/// The contents of an app that decide its compatibility.
#[derive(Debug, Clone, Copy)]
struct AppContents<'a> {
    manifest: &'a Manifest,
    native_libraries: &'a [NativeLibrary],
    has_splits: bool,
    code: &'a Code,
}

/// The reasons collected so far.
#[derive(Debug, Default)]
struct Reasons {
    obstacles: Vec<Obstacle>,
    warnings: BTreeSet<Warning>,
}

impl Compatibility {
    /// Checks an app against a device that has these API levels.
    pub fn check(apk: &Apk, code: &Code, levels: RangeInclusive<u32>) -> Self {
        let contents = AppContents {
            manifest: &apk.manifest,
            native_libraries: &apk.native_libraries,
            has_splits: apk.parts.len() > 1,
            code,
        };
        Self::check_contents(contents, &levels)
    }

    fn check_contents(contents: AppContents<'_>, levels: &RangeInclusive<u32>) -> Self {
        let AppContents { manifest, code, has_splits, .. } = contents;
        let mut reasons = Reasons::default();
        let api_level = choose_api_level(manifest, levels, &mut reasons);
        match manifest.launcher() {
            None => reasons.obstacles.push(Obstacle::NoLauncher),
            Some(launcher) if native_code::is_native_activity(code, &launcher.activity) => {
                reasons.obstacles.push(Obstacle::NativeActivity { class: launcher.activity });
            }
            Some(_) => {}
        }
        native_code::check(contents, &mut reasons);
        if manifest.split_required && !has_splits {
            reasons.warnings.insert(Warning::MissingSplits);
        }
        let components = components_of_other_processes(manifest);
        if !components.is_empty() {
            reasons.warnings.insert(Warning::OtherProcesses { components });
        }
        let Reasons { obstacles, warnings } = reasons;
        let warnings = warnings.into_iter().collect();
        match obstacles.is_empty() {
            true => Compatibility::Runs { api_level, warnings },
            false => Compatibility::Refused { obstacles, warnings },
        }
    }
}

/// Returns the components whose process is not the launcher's, which is where the app runs.
fn components_of_other_processes(manifest: &Manifest) -> BTreeSet<String> {
    let Manifest { package, activities, services, receivers, providers, .. } = manifest;
    let launcher = manifest.launcher().map(|launcher| launcher.activity);
    let components: Vec<&AppComponent> = (activities.iter().map(|activity| &activity.component))
        .chain(services)
        .chain(receivers)
        .chain(providers.iter().map(|provider| &provider.component))
        .collect();
    let process = |component: &AppComponent| -> String {
        component.process.clone().unwrap_or_else(|| package.clone())
    };
    let main = components.iter().find(|component| Some(&component.name) == launcher.as_ref());
    let main = main.map_or_else(|| package.clone(), |component| process(component));
    components
        .into_iter()
        .filter(|component| component.enabled && process(component) != main)
        .map(|component| component.name.clone())
        .collect()
}

/// The lowest level that is chosen without being asked for. Below it the device draws neither texts
/// nor bitmaps nor nine-patches, so that widgets lie elsewhere than on a phone. An app with a lower
/// target still behaves as its target says.
pub const LOWEST_DEFAULT_LEVEL: u32 = 26;

/// Returns the level nearest to the app's target, not below [`LOWEST_DEFAULT_LEVEL`].
fn choose_api_level(
    manifest: &Manifest,
    levels: &RangeInclusive<u32>,
    reasons: &mut Reasons,
) -> u32 {
    let (oldest, newest) = (*levels.start(), *levels.end());
    let (min_sdk, target_sdk) = (manifest.min_sdk, manifest.target_sdk);
    if min_sdk > newest {
        reasons.obstacles.push(Obstacle::MinSdk { min_sdk, newest });
    } else if target_sdk > newest {
        reasons.warnings.insert(Warning::NewerTarget { target_sdk, api_level: newest });
    }
    // A target below the minimum is a mistake that phones accept.
    target_sdk.max(min_sdk).max(LOWEST_DEFAULT_LEVEL).clamp(oldest, newest)
}

#[cfg(test)]
mod tests;
