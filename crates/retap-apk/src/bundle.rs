//! Bundles of split APKs: a zip of APKs, whoever made it (bundletool's `.apks`, `.xapk`, `.apkm`).
//!
//! Each kind has an index of its own; none is needed, since every APK's manifest says which app
//! and which split it is. Sets with several variants hold a split more than once: the first by
//! name is taken, which is the one for the oldest devices.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use crate::apk::Part;
use crate::archive::{Archive, Entry};
use crate::error::ApkError;

/// Unpacked parts are kept in memory, so together they may be no bigger.
const LIMIT: u64 = 1 << 30;

pub fn is_bundle(archive: &Archive) -> bool {
    archive.entry("AndroidManifest.xml").is_none() && apks(archive).next().is_some()
}

/// The base and its splits; nothing if there is no base.
pub fn parts(archive: &Archive) -> Result<Vec<Part>, ApkError> {
    let mut found = BTreeMap::new();
    let mut left = LIMIT;
    for entry in apks(archive) {
        let bytes = archive.read(entry, left)?;
        let len = bytes.len() as u64;
        let name = format!("{}!{}", archive.name(), entry.name);
        let mut part = Part { split: None, archive: Archive::from_bytes(name, bytes)? };
        let manifest = part.manifest(None)?;
        part.split.clone_from(&manifest.split);
        let key = (manifest.package, manifest.split);
        if let Slot::Vacant(slot) = found.entry(key) {
            slot.insert(part);
            left -= len;
        }
    }
    let base = found.keys().find(|(_, split)| split.is_none());
    let package = base.map(|(package, _)| package.clone());
    // Bases sort before their splits, since no name sorts before a name.
    Ok(found
        .into_iter()
        .filter(|((of, _), _)| Some(of) == package.as_ref())
        .map(|(_, part)| part)
        .collect())
}

fn apks(archive: &Archive) -> impl Iterator<Item = &Entry> {
    archive.entries().filter(|entry| entry.name.to_ascii_lowercase().ends_with(".apk"))
}
