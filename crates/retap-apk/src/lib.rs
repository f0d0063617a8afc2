//! Reads Android packages and runs nothing.
//!
//! ```no_run
//! let apk = retap_apk::Apk::open("notes.apk")?;
//! let app = apk.code()?;
//! let verdict = retap_apk::Verdict::of(&apk, &app.code, 23..=35);
//! println!("{}: {verdict}", apk.manifest.package);
//! # Ok::<(), retap_apk::ApkError>(())
//! ```
//!
//! An APK is somebody else's file, often a hostile one: no read here trusts an offset, a count
//! or a size, memory is bounded, and what is wrong comes back as an [`ApkError`].

mod absence;
mod apk;
mod archive;
mod budget;
mod bundle;
mod bytes;
mod code;
mod dex;
mod error;
mod library;
mod manifest;
mod native;
mod platform;
mod resource;
#[cfg(test)]
mod sample;
mod verdict;

pub use absence::{Absence, absences};
pub use apk::{Apk, AppCode, Part};
pub use archive::{Archive, Entry};
pub use code::{Call, Class, Code, Method, MethodReference, Ownership};
pub use dex::{Dex, DexError, DexHeader};
pub use error::ApkError;
pub use library::{Library, Role};
pub use manifest::{
    Activity, Alias, Application, Component, Data, IntentFilter, LaunchMode, Launcher, Manifest,
    ManifestError, Need, Provider,
};
pub use native::NativeLibrary;
pub use resource::{Attribute, ChunkError, Element, ResourceName, ResourceTable, Value};
pub use verdict::{Obstacle, Verdict, Warning};
