//! Whether the embedded device can run an app, at which API level, and if not, why not.
//!
//! It has the framework but no ARM or x86 processor to lend: an app that loads native code of
//! its own cannot run there. Carrying a native library is not loading it; the code decides.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::apk::Apk;
use crate::code::{Class, Code};
use crate::library::Role;
use crate::manifest::Manifest;
use crate::native::NativeLibrary;

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
    /// `class` loads them.
    NativeLibraries {
        files: Vec<String>,
        class: String,
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
        files: Vec<String>,
    },
    UnusedNativeLibraries {
        files: Vec<String>,
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
        judge_native_code(apk, code, &mut obstacles, &mut warnings);
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

/// Calls that load a native library, and wrappers around them whose own calls don't count.
const LOADERS: &[(&str, &str)] = &[
    ("Ljava/lang/System;", "loadLibrary"),
    ("Ljava/lang/System;", "load"),
    ("Ljava/lang/Runtime;", "loadLibrary"),
    ("Ljava/lang/Runtime;", "load"),
    ("Lcom/getkeepsafe/relinker/ReLinker;", "loadLibrary"),
    ("Lcom/facebook/soloader/SoLoader;", "loadLibrary"),
];
const WRAPPERS: &[&str] = &["Lcom/getkeepsafe/relinker/", "Lcom/facebook/soloader/"];

fn judge_native_code(
    apk: &Apk,
    code: &Code,
    obstacles: &mut Vec<Obstacle>,
    warnings: &mut BTreeSet<Warning>,
) {
    let mut loaded = BTreeSet::new();
    for load in loads(code) {
        let files = load.files(&apk.native_libraries);
        loaded.extend(files.iter().cloned());
        let class = load.class.name();
        match (load.class.library(&apk.manifest.package), load.name) {
            (_, Some(name)) if files.is_empty() => {
                warnings.insert(Warning::MissingNativeLibrary { name: name.to_owned(), class });
            }
            // Loads something from elsewhere: downloaded, or a fallback for other devices.
            _ if files.is_empty() => {}
            (Some(library), _) if library.role == Role::Part => {
                warnings.insert(Warning::LibraryIsNative { library: library.name, files });
            }
            _ => obstacles.push(Obstacle::NativeLibraries { files, class }),
        }
    }
    let idle = apk.native_libraries.iter().map(|library| library.file.clone());
    let files: Vec<_> = idle.filter(|file| !loaded.contains(file)).collect();
    if !files.is_empty() {
        warnings.insert(Warning::UnusedNativeLibraries { files });
    }
}

/// A place in the code that loads a library, and its name where that is a constant.
struct Load<'a> {
    class: &'a Class,
    name: Option<&'a str>,
}

impl Load<'_> {
    /// The files of the APK that may be meant; all of them if only the running app knows.
    fn files(&self, libraries: &[NativeLibrary]) -> Vec<String> {
        let meant = |library: &&NativeLibrary| {
            self.name.is_none_or(|name| name == library.name() || name.ends_with(&library.file))
        };
        libraries.iter().filter(meant).map(|library| library.file.clone()).collect()
    }
}

fn loads(code: &Code) -> impl Iterator<Item = Load<'_>> {
    let is_wrapper =
        |class: &Class| WRAPPERS.iter().any(|prefix| class.descriptor.starts_with(prefix));
    let methods = code.methods().filter(move |(class, _)| !is_wrapper(class));
    methods.flat_map(|(class, method)| {
        let loads = method
            .calls
            .iter()
            .filter(|call| LOADERS.contains(&(&*call.target.class, &*call.target.name)));
        loads.map(move |call| Load { class, name: call.text.as_deref() })
    })
}

impl Code {
    /// `android.app.NativeActivity`, or a subclass of it or of its successor in AndroidX Games.
    fn is_native_activity(&self, name: &str) -> bool {
        const NATIVE: [&str; 2] =
            ["Landroid/app/NativeActivity;", "Lcom/google/androidgamesdk/GameActivity;"];
        let descriptor = format!("L{};", name.replace('.', "/"));
        self.superclasses(&descriptor).any(|class| NATIVE.contains(&class))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let warnings = match self {
            Verdict::Runs { api_level, warnings } => {
                write!(f, "runs at API level {api_level}")?;
                warnings
            }
            Verdict::Refused { obstacles, warnings } => {
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
            Obstacle::MinSdk { min_sdk, newest } => {
                write!(f, "it needs API level {min_sdk}, and {newest} is the newest there is")
            }
            Obstacle::NativeLibraries { files, class } => {
                write!(f, "{class} loads native code, which needs a phone: {}", files.join(", "))
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
            Warning::LibraryIsNative { library, files } => {
                write!(
                    f,
                    "{library} loads native code and will fail where it does: {}",
                    files.join(", ")
                )
            }
            Warning::UnusedNativeLibraries { files } => {
                write!(f, "no code was found that loads {}", files.join(", "))
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
            Warning::NewerTarget { target_sdk, api_level } => {
                write!(
                    f,
                    "it is made for API level {target_sdk}, newer than the {api_level} it runs at"
                )
            }
        }
    }
}
