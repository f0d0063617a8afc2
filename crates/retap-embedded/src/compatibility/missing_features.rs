//! Features of a phone that the embedded device lacks, and the code of an app that uses them.

use std::collections::BTreeSet;

use retap_apk::{ClassMethod, Code, MethodReference};

/// A feature that the device lacks, and the app's experience of that.
#[derive(Debug, PartialEq, Eq)]
struct UnavailableFeature {
    name: &'static str,
    instead: &'static str,
    /// The framework API of the feature: classes by path, a package if it ends in `/`, or one method
    /// as `class.name`.
    api: &'static [&'static str],
}

/// A missing feature that an app uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingFeature {
    pub feature: &'static str,
    /// The app's experience of the lack.
    pub instead: &'static str,
    /// The app's own classes that use the feature.
    pub classes: BTreeSet<String>,
    /// The libraries inside the app that use the feature.
    pub libraries: BTreeSet<&'static str>,
}

/// Returns the missing features that the code uses, in the order of the table.
pub fn find_missing_features(code: &Code, app_package: &str) -> Vec<MissingFeature> {
    let mut found: Vec<MissingFeature> = UNAVAILABLE
        .iter()
        .map(|unavailable| MissingFeature {
            feature: unavailable.name,
            instead: unavailable.instead,
            classes: BTreeSet::new(),
            libraries: BTreeSet::new(),
        })
        .collect();
    for ClassMethod { class, method } in code.methods() {
        for called in code.framework_calls(method) {
            for (unavailable, missing) in UNAVAILABLE.iter().zip(&mut found) {
                if !unavailable.api.iter().any(|api| belongs_to(&called, api)) {
                    continue;
                }
                match class.library(app_package) {
                    Some(library) => missing.libraries.insert(library.name),
                    None => missing.classes.insert(class.name()),
                };
            }
        }
    }
    found.retain(|missing| !missing.classes.is_empty() || !missing.libraries.is_empty());
    found
}

/// Returns true if a method belongs to a package, a class or one of its inner classes, or is `api`.
fn belongs_to(called: &MethodReference, api: &str) -> bool {
    let path = called.class.trim_start_matches('L').trim_end_matches(';');
    if api.ends_with('/') {
        return path.starts_with(api);
    }
    match api.split_once('.') {
        Some((class, method)) => path == class && *called.name == *method,
        None => path == api || path.strip_prefix(api).is_some_and(|rest| rest.starts_with('$')),
    }
}

const UNAVAILABLE: &[UnavailableFeature] = &[
    UnavailableFeature {
        name: "web pages",
        instead: "a web view stays blank",
        api: &["android/webkit/WebView"],
    },
    UnavailableFeature {
        name: "network",
        instead: "every connection fails, as without a network",
        api: &[
            "java/net/DatagramSocket",
            "java/net/HttpURLConnection",
            "java/net/ServerSocket",
            "java/net/Socket",
            "java/net/URL.openConnection",
            "java/net/URL.openStream",
            "javax/net/",
            "org/apache/http/",
        ],
    },
    UnavailableFeature {
        name: "the platform's JUnit 3 cases",
        instead: "tests that extend android.test's classes fail",
        api: &["android/test/"],
    },
    UnavailableFeature {
        name: "camera",
        instead: "another app always uses it",
        api: &["android/hardware/camera2/"],
    },
    UnavailableFeature {
        name: "sensors",
        instead: "they never report",
        api: &["android/hardware/SensorManager"],
    },
    UnavailableFeature {
        name: "position",
        instead: "it is never found",
        api: &["android/location/LocationManager"],
    },
    UnavailableFeature {
        name: "sound and video",
        instead: "players play silence, recorders and codecs do nothing",
        api: &[
            "android/media/AudioRecord",
            "android/media/AudioTrack",
            "android/media/MediaCodec",
            "android/media/MediaExtractor",
            "android/media/MediaPlayer",
            "android/media/MediaRecorder",
            "android/media/SoundPool",
            "android/media/audiofx/",
            "android/widget/VideoView",
        ],
    },
    UnavailableFeature {
        name: "speech",
        instead: "nothing is heard or said",
        api: &["android/speech/"],
    },
    UnavailableFeature {
        name: "surfaces and OpenGL",
        instead: "what is drawn there is not seen",
        api: &[
            "android/opengl/",
            "android/renderscript/",
            "android/view/SurfaceHolder",
            "android/view/TextureView",
            "javax/microedition/khronos/",
        ],
    },
    UnavailableFeature {
        name: "radios",
        instead: "Bluetooth, NFC and USB are off",
        api: &["android/bluetooth/", "android/hardware/usb/", "android/nfc/"],
    },
    UnavailableFeature {
        name: "fingers and faces",
        instead: "none can be recognised",
        api: &["android/hardware/biometrics/", "android/hardware/fingerprint/"],
    },
    UnavailableFeature {
        name: "messages sent",
        instead: "they go nowhere",
        api: &["android/telephony/SmsManager"],
    },
    UnavailableFeature {
        name: "other programs",
        instead: "none can be run",
        api: &["java/lang/ProcessBuilder", "java/lang/Runtime.exec"],
    },
    UnavailableFeature {
        name: "code loaded while running",
        instead: "dex files outside the APK are not translated",
        api: &[
            "dalvik/system/BaseDexClassLoader",
            "dalvik/system/DexClassLoader",
            "dalvik/system/DexFile",
            "dalvik/system/InMemoryDexClassLoader",
            "dalvik/system/PathClassLoader",
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(class: &str, name: &str, api: &str, expected: bool) {
        let called =
            MethodReference { class: class.into(), name: name.into(), descriptor: "()V".into() };
        assert_eq!(belongs_to(&called, api), expected, "{called} in {api}");
    }

    #[test]
    fn an_api_is_a_package_a_class_with_its_inner_ones_or_a_method() {
        check("Landroid/nfc/NfcAdapter;", "enable", "android/nfc/", true);
        check("Landroid/hardware/Camera;", "open", "android/hardware/Camera", true);
        check("Landroid/hardware/Camera$Size;", "equals", "android/hardware/Camera", true);
        check("Landroid/hardware/Cameras;", "open", "android/hardware/Camera", false);
        check("Ljava/lang/Runtime;", "exec", "java/lang/Runtime.exec", true);
        check("Ljava/lang/Runtime;", "gc", "java/lang/Runtime.exec", false);
    }
}
