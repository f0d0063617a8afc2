//! Libraries that apps carry inside their APK, recognised by package.
//!
//! Coverage, ownership and the check for native code need to know who wrote a class. A library
//! whose packages a shrinker renamed counts as the app's own, because only the name tells.

use super::platform;

use LibraryRole::{Engine, Ordinary};

/// A library that apps carry.
#[derive(Debug, PartialEq, Eq)]
pub struct Library {
    /// The package as in a class's path: `com/example`.
    pub prefix: &'static str,
    pub name: &'static str,
    pub role: LibraryRole,
}

/// The role of a library in an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryRole {
    /// The app uses it for some of its features.
    Ordinary,
    /// It runs the app: without its native half there is no screen.
    Engine,
}

/// Returns the library of a class's path (`com/example/Main`); none if it is the app's own. Classes
/// in the app's package are its own, so that a library's sample app is not all library.
pub fn find(path: &str, app_package: &str) -> Option<&'static Library> {
    if lies_in(path, &app_package.replace('.', "/")) {
        return None;
    }
    let known = LIBRARIES.iter().filter(|library| lies_in(path, library.prefix));
    let stub = platform::overrides(path).then_some(&PLATFORM_STUBS);
    known.max_by_key(|library| library.prefix.len()).or(stub)
}

fn lies_in(path: &str, package: &str) -> bool {
    path.strip_prefix(package).is_some_and(|rest| !package.is_empty() && rest.starts_with('/'))
}

const fn ordinary(prefix: &'static str, name: &'static str) -> Library {
    Library { prefix, name, role: Ordinary }
}

const fn engine(prefix: &'static str, name: &'static str) -> Library {
    Library { prefix, name, role: Engine }
}

/// The empty classes that D8 adds so that old devices can load code that mentions newer framework
/// classes.
pub static PLATFORM_STUBS: Library = ordinary("", "platform stubs");

static LIBRARIES: &[Library] = &[
    engine("com/badlogic/gdx", "libGDX"),
    engine("com/epicgames", "Unreal Engine"),
    engine("com/facebook/react", "React Native"),
    engine("com/facebook/soloader", "React Native"),
    engine("com/google/androidgamesdk", "Android Game SDK"),
    engine("com/tns", "NativeScript"),
    engine("com/unity3d", "Unity"),
    engine("io/flutter", "Flutter"),
    engine("mono/android", "Xamarin"),
    engine("net/dot/android", ".NET"),
    engine("org/cocos2dx", "Cocos2d-x"),
    engine("org/godotengine", "Godot"),
    engine("org/kivy/android", "Kivy"),
    engine("org/libsdl/app", "SDL"),
    engine("org/qtproject/qt", "Qt"),
    engine("org/qtproject/qt5", "Qt"),
    ordinary("_COROUTINE", "Kotlin"),
    ordinary("android/arch", "Architecture Components"),
    ordinary("android/databinding", "Data Binding"),
    ordinary("android/support", "Android Support Library"),
    ordinary("androidx", "AndroidX"),
    ordinary("bolts", "Bolts"),
    ordinary("butterknife", "Butter Knife"),
    ordinary("coil", "Coil"),
    ordinary("coil3", "Coil"),
    ordinary("com/actionbarsherlock", "ActionBarSherlock"),
    ordinary("com/airbnb/lottie", "Lottie"),
    ordinary("com/amazonaws", "AWS SDK"),
    ordinary("com/android/tools/r8", "R8"),
    ordinary("com/android/volley", "Volley"),
    ordinary("com/bumptech/glide", "Glide"),
    ordinary("com/caverock/androidsvg", "AndroidSVG"),
    ordinary("com/crashlytics", "Crashlytics"),
    ordinary("com/facebook/ads", "Facebook SDK"),
    ordinary("com/facebook/appevents", "Facebook SDK"),
    ordinary("com/facebook/drawee", "Fresco"),
    ordinary("com/facebook/fresco", "Fresco"),
    ordinary("com/facebook/imagepipeline", "Fresco"),
    ordinary("com/facebook/internal", "Facebook SDK"),
    ordinary("com/facebook/login", "Facebook SDK"),
    ordinary("com/facebook/stetho", "Stetho"),
    ordinary("com/fasterxml/jackson", "Jackson"),
    ordinary("com/getkeepsafe/relinker", "ReLinker"),
    ordinary("com/github/mikephil/charting", "MPAndroidChart"),
    ordinary("com/google/ads", "Google Ads"),
    ordinary("com/google/android/datatransport", "Firebase"),
    ordinary("com/google/android/exoplayer2", "ExoPlayer"),
    ordinary("com/google/android/flexbox", "Flexbox"),
    ordinary("com/google/android/gms", "Google Play services"),
    ordinary("com/google/android/material", "Material Components"),
    ordinary("com/google/android/play", "Play Core"),
    ordinary("com/google/android/vending", "Google Play licensing"),
    ordinary("com/google/api", "Google API client"),
    ordinary("com/google/auto", "Auto"),
    ordinary("com/google/common", "Guava"),
    ordinary("com/google/crypto/tink", "Tink"),
    ordinary("com/google/dagger", "Dagger"),
    ordinary("com/google/errorprone", "Error Prone"),
    ordinary("com/google/firebase", "Firebase"),
    ordinary("com/google/gson", "Gson"),
    ordinary("com/google/j2objc", "J2ObjC"),
    ordinary("com/google/protobuf", "Protocol Buffers"),
    ordinary("com/google/thirdparty", "Guava"),
    ordinary("com/google/zxing", "ZXing"),
    ordinary("com/jakewharton", "Jake Wharton's libraries"),
    ordinary("com/journeyapps", "ZXing"),
    ordinary("com/mikepenz", "Mike Penz's libraries"),
    ordinary("com/nineoldandroids", "NineOldAndroids"),
    ordinary("com/nostra13/universalimageloader", "Universal Image Loader"),
    ordinary("com/squareup", "Square's libraries"),
    ordinary("com/tencent/mmkv", "MMKV"),
    ordinary("com/viewpagerindicator", "ViewPagerIndicator"),
    ordinary("com/vladium", "EMMA"),
    ordinary("dagger", "Dagger"),
    ordinary("de/greenrobot", "greenrobot's libraries"),
    ordinary("edu/umd/cs/findbugs", "FindBugs"),
    ordinary("io/fabric", "Fabric"),
    ordinary("io/github/aakira/napier", "Napier"),
    ordinary("io/grpc", "gRPC"),
    ordinary("io/ktor", "Ktor"),
    ordinary("io/netty", "Netty"),
    ordinary("io/objectbox", "ObjectBox"),
    ordinary("io/reactivex", "RxJava"),
    ordinary("io/realm", "Realm"),
    ordinary("io/sentry", "Sentry"),
    ordinary("jakarta", "Jakarta EE"),
    ordinary("javax/annotation", "JSR 305"),
    ordinary("javax/inject", "JSR 330"),
    ordinary("kotlin", "Kotlin"),
    ordinary("kotlinx", "Kotlin"),
    ordinary("net/sqlcipher", "SQLCipher"),
    ordinary("net/zetetic", "SQLCipher"),
    ordinary("okhttp3", "OkHttp"),
    ordinary("okio", "Okio"),
    ordinary("org/acra", "ACRA"),
    ordinary("org/apache", "Apache libraries"),
    ordinary("org/bouncycastle", "Bouncy Castle"),
    ordinary("org/checkerframework", "Checker Framework"),
    ordinary("org/chromium", "Chromium"),
    ordinary("org/codehaus", "Codehaus libraries"),
    ordinary("org/conscrypt", "Conscrypt"),
    ordinary("org/greenrobot", "greenrobot's libraries"),
    ordinary("org/hamcrest", "Hamcrest"),
    ordinary("org/intellij/lang/annotations", "JetBrains annotations"),
    ordinary("org/jacoco", "JaCoCo"),
    ordinary("org/jetbrains/annotations", "JetBrains annotations"),
    ordinary("org/joda/time", "Joda-Time"),
    ordinary("org/jsoup", "jsoup"),
    ordinary("org/junit", "JUnit"),
    ordinary("org/koin", "Koin"),
    ordinary("org/mozilla/javascript", "Rhino"),
    ordinary("org/osmdroid", "osmdroid"),
    ordinary("org/reactivestreams", "Reactive Streams"),
    ordinary("org/slf4j", "SLF4J"),
    ordinary("org/spongycastle", "Spongy Castle"),
    ordinary("org/sqlite", "SQLite bindings"),
    ordinary("org/threeten/bp", "ThreeTen"),
    ordinary("org/webrtc", "WebRTC"),
    ordinary("org/xbill", "dnsjava"),
    ordinary("pl/droidsonroids/gif", "android-gif-drawable"),
    ordinary("retrofit", "Retrofit"),
    ordinary("retrofit2", "Retrofit"),
    ordinary("roboguice", "RoboGuice"),
    ordinary("rx", "RxJava"),
    ordinary("timber/log", "Timber"),
    ordinary("tv/danmaku/ijk", "ijkplayer"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Option<&str>) {
        assert_eq!(
            find(path, "com.google.android.material.catalog").map(|l| l.name),
            expected,
            "{path}"
        );
    }

    #[test]
    fn the_longest_matching_package_decides() {
        check("androidx/core/app/Core", Some("AndroidX"));
        check("androidxtra/Main", None);
        check("rx/Observable", Some("RxJava"));
        check("rx", None);
        check("com/google/android/material/button/Button", Some("Material Components"));
        check("com/google/android/material/catalog/Main", None);
        check("com/google/android/materials/Main", None);
        check("io/flutter/embedding/Engine", Some("Flutter"));
        check("android/app/NewerThing", Some("platform stubs"));
        check("android/support/v4/app/Fragment", Some("Android Support Library"));
        check("Main", None);
    }

    #[test]
    fn the_table_is_sorted_and_has_no_duplicates() {
        for role in [Engine, Ordinary] {
            let prefixes: Vec<_> =
                LIBRARIES.iter().filter(|l| l.role == role).map(|l| l.prefix).collect();
            assert!(prefixes.is_sorted_by(|a, b| a < b), "{role:?}");
        }
    }
}
