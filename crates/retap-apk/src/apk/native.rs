//! Native libraries: `lib/<abi>/<name>.so`, which only a processor of that kind can run.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::archive::Archive;

/// A native library and the processors it was compiled for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NativeLibrary {
    /// `libfoo.so`
    pub file: String,
    pub abis: BTreeSet<String>,
}

/// Returns the libraries of all parts, by name.
pub fn collect<'a>(archives: impl Iterator<Item = &'a Archive>) -> Vec<NativeLibrary> {
    let mut found = BTreeMap::<String, BTreeSet<String>>::new();
    for entry in archives.flat_map(Archive::entries) {
        if let ["lib", abi, file] = *entry.name.split('/').collect::<Vec<_>>()
            && file.ends_with(".so")
        {
            found.entry(file.to_owned()).or_default().insert(abi.to_owned());
        }
    }
    found.into_iter().map(|(file, abis)| NativeLibrary { file, abis }).collect()
}
