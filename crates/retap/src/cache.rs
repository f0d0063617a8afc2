//! Where things are kept that can be made again: `RETAP_CACHE`, or the user's cache directory.

use std::path::PathBuf;

pub fn dir() -> PathBuf {
    let from =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("RETAP_CACHE")
        .or_else(|| from("XDG_CACHE_HOME").map(|dir| dir.join("retap")))
        .or_else(|| from("HOME").map(|home| home.join(".cache/retap")))
        .unwrap_or_else(|| std::env::temp_dir().join("retap"))
}
