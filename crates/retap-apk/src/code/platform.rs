//! The packages whose classes Android itself provides.
//!
//! A phone searches the boot class path first, so an app cannot replace classes there. D8 relies
//! on that: apps for old devices carry empty stand-ins for newer framework classes.

/// Packages that belong to Android even if an app defines a class in them, except for libraries.
const ALWAYS: &[&str] = &[
    "android/",
    "com/android/internal/",
    "dalvik/",
    "java/",
    "libcore/",
    "org/json/",
    "org/w3c/dom/",
    "org/xml/sax/",
    "org/xmlpull/",
    "sun/misc/",
];

/// Packages that Android provides in part, or on some phones only. An app that defines such a
/// class uses its own.
const UNLESS_DEFINED: &[&str] = &["javax/", "junit/", "org/apache/http/"];

/// Returns true if Android provides a class that the app does not define.
pub fn provides(path: &str) -> bool {
    overrides(path) || begins_with_any(path, UNLESS_DEFINED)
}

/// Returns true if Android's class is used even if the app defines one of that name.
pub fn overrides(path: &str) -> bool {
    begins_with_any(path, ALWAYS)
}

fn begins_with_any(path: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| path.starts_with(prefix))
}
