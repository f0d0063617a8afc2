//! Bundles of split APKs: a zip of APKs, whatever tool made it (`.apks` of bundletool, `.xapk`, `.apkm`).
//!
//! Each kind has an index of its own. None is needed, because every APK's manifest says which app
//! and which split it is. A set with several variants holds a split more than once. The first by
//! name is taken, which is the one for the oldest devices.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use super::part::{ApkPart, MANIFEST};
use crate::archive::{Archive, ArchiveEntry};
use crate::error::ApkError;

/// Unpacked parts stay in memory, so together they may be no larger.
const LIMIT: u64 = 1 << 30;

/// Returns true if an archive holds APKs and is none itself.
pub fn is_bundle(archive: &Archive) -> bool {
    archive.entry(MANIFEST).is_none() && apks(archive).next().is_some()
}

/// Returns the base and its splits; nothing if there is no base.
pub fn read_parts(archive: &Archive) -> Result<Vec<ApkPart>, ApkError> {
    let mut found = BTreeMap::new();
    let mut left = LIMIT;
    for entry in apks(archive) {
        let bytes = archive.read(entry, left)?;
        let len = bytes.len() as u64;
        let name = format!("{}!{}", archive.name(), entry.name);
        let mut part = ApkPart { split: None, archive: Archive::from_bytes(name, bytes)? };
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
    // A base sorts before its splits, because `None` sorts before any name.
    Ok(found
        .into_iter()
        .filter(|((of, _), _)| Some(of) == package.as_ref())
        .map(|(_, part)| part)
        .collect())
}

fn apks(archive: &Archive) -> impl Iterator<Item = &ArchiveEntry> {
    archive.entries().filter(|entry| entry.name.to_ascii_lowercase().ends_with(".apk"))
}
