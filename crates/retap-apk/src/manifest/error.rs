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
}
