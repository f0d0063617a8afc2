//! Parts of a phone that the embedded device does not have, and who in an app asks for them.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::code::{Code, MethodReference};

/// A part that is missing and what an app meets in its place.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    name: &'static str,
    instead: &'static str,
    /// Classes by path, a package if it ends in `/`, or one method as `class.name`.
    places: &'static [&'static str],
}

/// A missing part that an app asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absence {
    pub part: &'static str,
    pub instead: &'static str,
    /// The app's own classes that ask for it.
    pub classes: BTreeSet<String>,
    /// The libraries inside the app that do.
    pub libraries: BTreeSet<&'static str>,
}

/// What the code asks for in vain, in the order of the table.
pub fn absences(code: &Code, app_package: &str) -> Vec<Absence> {
    let mut found: Vec<Absence> = PARTS
        .iter()
        .map(|part| Absence {
            part: part.name,
            instead: part.instead,
            classes: BTreeSet::new(),
            libraries: BTreeSet::new(),
        })
        .collect();
    for (class, method) in code.methods() {
        for called in code.framework_calls(method) {
            for (part, absence) in PARTS.iter().zip(&mut found) {
                if !part.places.iter().any(|place| is_at(&called, place)) {
                    continue;
                }
                match class.library(app_package) {
                    Some(library) => absence.libraries.insert(library.name),
                    None => absence.classes.insert(class.name()),
                };
            }
        }
    }
    found.retain(|absence| !absence.classes.is_empty() || !absence.libraries.is_empty());
    found
}

fn is_at(called: &MethodReference, place: &str) -> bool {
    let path = called.class.trim_start_matches('L').trim_end_matches(';');
    if place.ends_with('/') {
        return path.starts_with(place);
    }
    match place.split_once('.') {
        Some((class, method)) => path == class && *called.name == *method,
        None => path == place || path.strip_prefix(place).is_some_and(|rest| rest.starts_with('$')),
    }
}

const PARTS: &[Part] = &[
    Part {
        name: "web pages",
        instead: "a web view stays blank",
        places: &["android/webkit/WebView"],
    },
    Part {
        name: "network",
        instead: "every connection fails, as without a network",
        places: &[
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
    Part {
        name: "camera",
        instead: "there is none",
        places: &["android/hardware/Camera", "android/hardware/camera2/"],
    },
    Part {
        name: "sensors",
        instead: "they never report",
        places: &["android/hardware/SensorManager"],
    },
    Part {
        name: "position",
        instead: "it is never found",
        places: &["android/location/LocationManager"],
    },
    Part {
        name: "sound and video",
        instead: "players play silence, recorders and codecs do nothing",
        places: &[
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
    Part { name: "speech", instead: "nothing is heard or said", places: &["android/speech/"] },
    Part {
        name: "surfaces and OpenGL",
        instead: "what is drawn there is not seen",
        places: &[
            "android/opengl/",
            "android/renderscript/",
            "android/view/SurfaceHolder",
            "android/view/TextureView",
            "javax/microedition/khronos/",
        ],
    },
    Part {
        name: "radios",
        instead: "Bluetooth, NFC and USB are off",
        places: &["android/bluetooth/", "android/hardware/usb/", "android/nfc/"],
    },
    Part {
        name: "fingers and faces",
        instead: "none can be recognised",
        places: &["android/hardware/biometrics/", "android/hardware/fingerprint/"],
    },
    Part {
        name: "messages sent",
        instead: "they go nowhere",
        places: &["android/telephony/SmsManager"],
    },
    Part {
        name: "other programs",
        instead: "none can be run",
        places: &["java/lang/ProcessBuilder", "java/lang/Runtime.exec"],
    },
    Part {
        name: "code loaded while running",
        instead: "dex files outside the APK are not translated",
        places: &[
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

    fn check(class: &str, name: &str, place: &str, expected: bool) {
        let called =
            MethodReference { class: class.into(), name: name.into(), descriptor: "()V".into() };
        assert_eq!(is_at(&called, place), expected, "{called} at {place}");
    }

    #[test]
    fn a_place_is_a_package_a_class_with_its_inner_ones_or_a_method() {
        check("Landroid/nfc/NfcAdapter;", "enable", "android/nfc/", true);
        check("Landroid/hardware/Camera;", "open", "android/hardware/Camera", true);
        check("Landroid/hardware/Camera$Size;", "equals", "android/hardware/Camera", true);
        check("Landroid/hardware/Cameras;", "open", "android/hardware/Camera", false);
        check("Ljava/lang/Runtime;", "exec", "java/lang/Runtime.exec", true);
        check("Ljava/lang/Runtime;", "gc", "java/lang/Runtime.exec", false);
    }
}
