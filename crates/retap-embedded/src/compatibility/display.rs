//! Compatibility in words for a person.

use std::collections::BTreeSet;
use std::fmt;

use super::{Compatibility, Obstacle, Warning};
use retap_apk::PREVIEW_API_LEVEL;

/// The number of classes that are named. The rest are counted.
const MAX_NAMED: usize = 5;

impl fmt::Display for Compatibility {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let warnings = match self {
            Compatibility::Runs { api_level, warnings } => {
                write!(f, "runs at API level {api_level}")?;
                warnings
            }
            Compatibility::Refused { obstacles, warnings } => {
                let reasons: Vec<_> = obstacles.iter().map(ToString::to_string).collect();
                write!(f, "cannot run: {}", reasons.join("; "))?;
                warnings
            }
        };
        warnings.iter().try_for_each(|warning| write!(f, "\nwarning: {warning}"))
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Obstacle::NoLauncher => write!(f, "it has no launcher activity"),
            Obstacle::MinSdk { min_sdk: PREVIEW_API_LEVEL, .. } => {
                write!(f, "it needs an unknown preview version of Android")
            }
            Obstacle::MinSdk { min_sdk, newest } => {
                write!(f, "it needs API level {min_sdk}, and {newest} is the newest there is")
            }
            Obstacle::NativeActivity { class } => {
                write!(f, "its launcher activity {class} is native code, which needs a phone")
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Warning::NativeLibraries { files, classes } => write!(
                f,
                "native code does not run here, and a call of it ends the trace as a host limitation: {}, loaded by {}",
                list(files),
                list(classes)
            ),
            Warning::NativeMethods { classes } => {
                let count: usize = classes.values().sum();
                let methods = if count == 1 { "native method" } else { "native methods" };
                let classes = classes.keys().cloned().collect();
                write!(f, "{count} {methods} may be missed, of {}", some(&classes))
            }
            Warning::LibraryIsNative { library, files } => {
                write!(
                    f,
                    "{library} loads native code and will fail where it does: {}",
                    list(files)
                )
            }
            Warning::UnusedNativeLibraries { files } => {
                write!(f, "no code was found that loads {}", list(files))
            }
            Warning::MissingNativeLibrary { name, class } => {
                write!(f, "{class} loads the native library {name}, which is not in the APK")
            }
            Warning::MissingSplits => {
                write!(
                    f,
                    "it was made to be installed with splits, and there are none: resources may be missing"
                )
            }
            Warning::OtherProcesses { components } => {
                write!(
                    f,
                    "components with processes of their own share the app's main thread here, and what Android itself keeps in static fields: {}",
                    some(components)
                )
            }
            Warning::NewerTarget { target_sdk, api_level } => {
                write!(
                    f,
                    "it is made for API level {target_sdk}, newer than the {api_level} it runs at"
                )
            }
        }
    }
}

fn list(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Names the first classes and counts the others.
fn some(classes: &BTreeSet<String>) -> String {
    let mut named: Vec<&str> = classes.iter().take(MAX_NAMED).map(String::as_str).collect();
    let more = format!("{} more classes", classes.len().saturating_sub(MAX_NAMED));
    if classes.len() > MAX_NAMED {
        named.push(&more);
    }
    named.join(", ")
}
