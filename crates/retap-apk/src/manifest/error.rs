//! The faults a manifest can have.

use thiserror::Error;

use crate::resource::ChunkError;

/// A fault of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ManifestError {
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    #[error("its root element is <{0}>, not <manifest>")]
    NotAManifest(String),
    #[error("it names no package")]
    NoPackage,
    #[error(
        "{0:?} is no name of a package, which has letters, digits, _ and at least one dot, and begins \
         with a letter after each; no Android device can install it"
    )]
    BadPackage(String),
    #[error(
        "{0:?} is no name of a split, which has letters, digits, _ and dots; no Android device can install it"
    )]
    BadSplit(String),
}
