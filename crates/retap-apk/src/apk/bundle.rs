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

/// The most bytes that the parts of one app have together.
const LIMIT: u64 = 2 << 30;
/// The most bytes that are unpacked in all: so many, and so many times the size of the bundle. APKs are
/// packed already, so that a bundle is hardly smaller than what it holds.
const SMALL: u64 = 64 << 20;
const MAX_RATIO: u64 = 20;
/// The most APKs of a bundle. Sets for every kind of device have hundreds.
const MAX_APKS: usize = 4096;

/// Returns true if an archive holds APKs and is none itself.
pub fn is_bundle(archive: &Archive) -> bool {
    archive.entry(MANIFEST).is_none() && apks(archive).next().is_some()
}

/// Returns the base and its splits; nothing if there is no base.
pub fn read_parts(archive: &Archive) -> Result<Vec<ApkPart>, ApkError> {
    let mut found = BTreeMap::new();
    let count = apks(archive).count();
    if count > MAX_APKS {
        let detail = format!("it holds {count} APKs, and at most {MAX_APKS} are read");
        return Err(ApkError::Damaged { name: archive.name().to_owned(), detail });
    }
    let mut left = LIMIT;
    let mut unpackable = SMALL.saturating_add(archive.len().saturating_mul(MAX_RATIO));
    for entry in apks(archive) {
        let nested = archive.open_nested(entry, left.min(unpackable))?;
        let len = nested.len();
        unpackable -= len;
        let mut part = ApkPart { split: None, archive: nested };
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
