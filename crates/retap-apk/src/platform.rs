//! Which classes a phone brings along.

/// Packages of the boot class path, as descriptors begin. An APK may define classes in some of
/// them too (`android.support`), so ask only for classes the APK does not define.
const FRAMEWORK: &[&str] = &[
    "Landroid/",
    "Lcom/android/internal/",
    "Ldalvik/",
    "Ljava/",
    "Ljavax/",
    "Ljunit/",
    "Llibcore/",
    "Lorg/apache/http/",
    "Lorg/json/",
    "Lorg/w3c/dom/",
    "Lorg/xml/sax/",
    "Lorg/xmlpull/",
    "Lsun/misc/",
];

pub fn is_framework(descriptor: &str) -> bool {
    FRAMEWORK.iter().any(|prefix| descriptor.starts_with(prefix))
}
