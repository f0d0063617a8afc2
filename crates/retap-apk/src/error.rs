//! The faults an APK can have, worded for the person who passed it.

use std::path::PathBuf;

use thiserror::Error;

use crate::dex::DexError;
use crate::manifest::ManifestError;
use crate::resource::ChunkError;

/// A fault of an APK, or of reading or unpacking it.
#[derive(Debug, Error)]
pub enum ApkError {
    #[error("cannot read {}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{name} is not an APK: it is not a zip archive")]
    NotAZip { name: String },
    #[error("{name} is cut off: {detail}; copy or download it again")]
    Cut { name: String, detail: &'static str },
    #[error("{name} is damaged: {detail}")]
    Damaged { name: String, detail: String },
    #[error("{name} is too big: {what} is {size} bytes, and at most {limit} are read")]
    TooBig { name: String, what: String, size: u64, limit: u64 },
    #[error("{name}: {entry} is encrypted, which no Android device can install")]
    Encrypted { name: String, entry: String },
    #[error("{name} is not an APK: it has no AndroidManifest.xml")]
    NoManifest { name: String },
    #[error(
        "{name} is an app bundle for a store, not an APK: turn it into a set of APKs with \
         `bundletool build-apks`"
    )]
    AppBundle { name: String },
    #[error("{name}: cannot read AndroidManifest.xml: {source}")]
    BadManifest { name: String, source: ManifestError },
    #[error("{name}: cannot read resources.arsc: {source}")]
    BadResources { name: String, source: ChunkError },
    #[error("{name} has no code: no classes.dex, so there is nothing to explore")]
    NoDex { name: String },
    #[error("{name}: cannot read {entry}: {source}")]
    BadDex { name: String, entry: String, source: DexError },
    #[error("{name}: cannot read {entry}: {source}")]
    BadXml { name: String, entry: String, source: ChunkError },
    #[error(
        "{package} has no launcher activity: no enabled activity has an intent filter with \
         android.intent.action.MAIN and android.intent.category.LAUNCHER"
    )]
    NoLauncher { package: String },
    #[error(
        "{name} is a bundle without a base APK: every APK in it is a configuration or feature split"
    )]
    NoBase { name: String },
}
