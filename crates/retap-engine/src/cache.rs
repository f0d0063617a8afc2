//! The folder for files that retap can make again: `RETAP_CACHE`, or the user's cache directory.

use std::path::PathBuf;

pub fn dir() -> PathBuf {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("RETAP_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|dir| dir.join("retap")))
        .or_else(|| variable("HOME").map(|home| home.join(".cache/retap")))
        .unwrap_or_else(|| std::env::temp_dir().join("retap"))
}
