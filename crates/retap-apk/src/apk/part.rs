//! One installable archive of an app: the base or a split.

use std::io::Read;

use crate::archive::Archive;
use crate::error::ApkError;
use crate::manifest::Manifest;
use crate::resource::ResourceTable;

pub(super) const MANIFEST: &str = "AndroidManifest.xml";
/// A file that every `.aab` has and no APK.
const STORE_BUNDLE: &str = "BundleConfig.pb";
const RESOURCES: &str = "resources.arsc";
/// Limits on unpacked sizes, each several times the largest seen in the wild.
pub(super) const MANIFEST_LIMIT: u64 = 16 << 20;
const RESOURCES_LIMIT: u64 = 256 << 20;

/// One installable archive.
#[derive(Debug)]
pub struct ApkPart {
    /// The split's name; none for the base.
    pub split: Option<String>,
    pub archive: Archive,
}

impl ApkPart {
    /// Returns the number of bytes of the file.
    pub fn size(&self) -> u64 {
        self.archive.len()
    }

    /// Returns the file as it is.
    pub fn bytes(&self) -> impl Read {
        self.archive.bytes()
    }

    pub(super) fn manifest(&self, table: Option<&ResourceTable>) -> Result<Manifest, ApkError> {
        let name = || self.archive.name().to_owned();
        if self.archive.entry(STORE_BUNDLE).is_some() {
            return Err(ApkError::AppBundle { name: name() });
        }
        if self.archive.entry(MANIFEST).is_none() {
            return Err(ApkError::NoManifest { name: name() });
        }
        let file = self.archive.read_named(MANIFEST, MANIFEST_LIMIT)?;
        Manifest::parse(&file, table)
            .map_err(|source| ApkError::BadManifest { name: name(), source })
    }

    pub(super) fn resources(&self) -> Result<Option<ResourceTable>, ApkError> {
        if self.archive.entry(RESOURCES).is_none() {
            return Ok(None);
        }
        let file = self.archive.read_named(RESOURCES, RESOURCES_LIMIT)?;
        let name = || self.archive.name().to_owned();
        ResourceTable::parse(file)
            .map(Some)
            .map_err(|source| ApkError::BadResources { name: name(), source })
    }

    /// Returns an entry's name within the whole app: `camera!classes.dex` for one of a split.
    pub(super) fn entry_name(&self, entry: &str) -> String {
        match &self.split {
            Some(split) => format!("{split}!{entry}"),
            None => entry.to_owned(),
        }
    }
}
