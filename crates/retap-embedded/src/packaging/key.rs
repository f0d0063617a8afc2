//! The key that signs an instrumented APK: the user's own, or a debug key that is made once and kept, so that one
//! instrumented version installs over another.

use super::cannot_write;
use crate::process::{DEBUG_PASSWORD, make_debug_key};
use crate::setup::PackagingSetup;
use retap_device::DeviceError;
use std::fs;
use std::io;
use std::path::PathBuf;

/// The debug key in the cache.
const DEBUG_KEY: &str = "debug.p12";

/// A key in a keystore.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey {
    pub file: PathBuf,
    /// The name of the key; by default the only one.
    pub alias: Option<String>,
    pub password: String,
}

impl std::fmt::Debug for SigningKey {
    /// Leaves the password out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, alias, .. } = self;
        f.debug_struct("SigningKey")
            .field("file", file)
            .field("alias", alias)
            .finish_non_exhaustive()
    }
}

impl SigningKey {
    /// Returns the debug key, which is made if there is none.
    pub(super) fn debug(setup: &PackagingSetup) -> Result<Self, DeviceError> {
        let root = setup.cache.root();
        let file = root.join(DEBUG_KEY);
        if !file.exists() {
            let failed = |error: io::Error| cannot_write(&file, &error);
            let work = tempfile::Builder::new().prefix(".key-").tempdir_in(root).map_err(failed)?;
            let made = work.path().join(DEBUG_KEY);
            make_debug_key(setup, &made)?;
            // Another retap may have been faster, and its key stays.
            match fs::hard_link(&made, &file) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(failed(error));
                }
                _ => {}
            }
        }
        Ok(Self { file, alias: None, password: DEBUG_PASSWORD.into() })
    }
}
