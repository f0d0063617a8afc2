//! Which classes a phone brings along.
//!
//! The boot class path is asked first, so an app cannot replace what lies there. D8 relies on
//! it: apps for old devices carry empty stand-ins for newer framework classes.

/// Packages that are the phone's whoever defines a class in them; libraries excepted.
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

/// Packages that are partly the phone's, or on some phones only: an app that defines such a
/// class uses its own.
const UNLESS_DEFINED: &[&str] = &["javax/", "junit/", "org/apache/http/"];

/// Whether a class that the app does not define is the phone's.
pub fn provides(path: &str) -> bool {
    shadows(path) || begins_with_any(path, UNLESS_DEFINED)
}

/// Whether the phone's class is used even if the app defines one of that name.
pub fn shadows(path: &str) -> bool {
    begins_with_any(path, ALWAYS)
}

fn begins_with_any(path: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| path.starts_with(prefix))
}
