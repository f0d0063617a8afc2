//! Libraries that apps carry inside their APK, recognised by package.
//!
//! Coverage, ownership and the verdict on native code ask who wrote a class. Libraries whose
//! packages a shrinker renamed count as the app's own: the name is all there is to go by.

use crate::platform;

use Role::{Engine, Part};

#[derive(Debug, PartialEq, Eq)]
pub struct Library {
    /// Package, as in a class's path: `com/example`.
    pub prefix: &'static str,
    pub name: &'static str,
    pub role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Used by the app, for this or that.
    Part,
    /// Runs the app: without its native half there is no screen.
    Engine,
}

/// The library of a class's path (`com/example/Main`); none if it is the app's own. What lies
/// in the app's package is its own, so that a library's sample app is not all library.
pub fn of(path: &str, app_package: &str) -> Option<&'static Library> {
    if lies_in(path, &app_package.replace('.', "/")) {
        return None;
    }
    let known = LIBRARIES.iter().filter(|library| lies_in(path, library.prefix));
    let stub = platform::shadows(path).then_some(&PLATFORM_STUBS);
    known.max_by_key(|library| library.prefix.len()).or(stub)
}

fn lies_in(path: &str, package: &str) -> bool {
    path.strip_prefix(package).is_some_and(|rest| !package.is_empty() && rest.starts_with('/'))
}

const fn part(prefix: &'static str, name: &'static str) -> Library {
    Library { prefix, name, role: Part }
}

const fn engine(prefix: &'static str, name: &'static str) -> Library {
    Library { prefix, name, role: Engine }
}

/// What D8 adds so that old devices can load code that mentions newer framework classes.
pub static PLATFORM_STUBS: Library = part("", "platform stubs");

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
    part("_COROUTINE", "Kotlin"),
    part("android/arch", "Architecture Components"),
    part("android/databinding", "Data Binding"),
    part("android/support", "Android Support Library"),
    part("androidx", "AndroidX"),
    part("bolts", "Bolts"),
    part("butterknife", "Butter Knife"),
    part("coil", "Coil"),
    part("coil3", "Coil"),
    part("com/actionbarsherlock", "ActionBarSherlock"),
    part("com/airbnb/lottie", "Lottie"),
    part("com/amazonaws", "AWS SDK"),
    part("com/android/tools/r8", "R8"),
    part("com/android/volley", "Volley"),
    part("com/bumptech/glide", "Glide"),
    part("com/caverock/androidsvg", "AndroidSVG"),
    part("com/crashlytics", "Crashlytics"),
    part("com/facebook/ads", "Facebook SDK"),
    part("com/facebook/appevents", "Facebook SDK"),
    part("com/facebook/drawee", "Fresco"),
    part("com/facebook/fresco", "Fresco"),
    part("com/facebook/imagepipeline", "Fresco"),
    part("com/facebook/internal", "Facebook SDK"),
    part("com/facebook/login", "Facebook SDK"),
    part("com/facebook/stetho", "Stetho"),
    part("com/fasterxml/jackson", "Jackson"),
    part("com/getkeepsafe/relinker", "ReLinker"),
    part("com/github/mikephil/charting", "MPAndroidChart"),
    part("com/google/ads", "Google Ads"),
    part("com/google/android/datatransport", "Firebase"),
    part("com/google/android/exoplayer2", "ExoPlayer"),
    part("com/google/android/flexbox", "Flexbox"),
    part("com/google/android/gms", "Google Play services"),
    part("com/google/android/material", "Material Components"),
    part("com/google/android/play", "Play Core"),
    part("com/google/android/vending", "Google Play licensing"),
    part("com/google/api", "Google API client"),
    part("com/google/auto", "Auto"),
    part("com/google/common", "Guava"),
    part("com/google/crypto/tink", "Tink"),
    part("com/google/dagger", "Dagger"),
    part("com/google/errorprone", "Error Prone"),
    part("com/google/firebase", "Firebase"),
    part("com/google/gson", "Gson"),
    part("com/google/j2objc", "J2ObjC"),
    part("com/google/protobuf", "Protocol Buffers"),
    part("com/google/thirdparty", "Guava"),
    part("com/google/zxing", "ZXing"),
    part("com/jakewharton", "Jake Wharton's libraries"),
    part("com/journeyapps", "ZXing"),
    part("com/mikepenz", "Mike Penz's libraries"),
    part("com/nineoldandroids", "NineOldAndroids"),
    part("com/nostra13/universalimageloader", "Universal Image Loader"),
    part("com/squareup", "Square's libraries"),
    part("com/tencent/mmkv", "MMKV"),
    part("com/viewpagerindicator", "ViewPagerIndicator"),
    part("com/vladium", "EMMA"),
    part("dagger", "Dagger"),
    part("de/greenrobot", "greenrobot's libraries"),
    part("edu/umd/cs/findbugs", "FindBugs"),
    part("io/fabric", "Fabric"),
    part("io/github/aakira/napier", "Napier"),
    part("io/grpc", "gRPC"),
    part("io/ktor", "Ktor"),
    part("io/netty", "Netty"),
    part("io/objectbox", "ObjectBox"),
    part("io/reactivex", "RxJava"),
    part("io/realm", "Realm"),
    part("io/sentry", "Sentry"),
    part("jakarta", "Jakarta EE"),
    part("javax/annotation", "JSR 305"),
    part("javax/inject", "JSR 330"),
    part("kotlin", "Kotlin"),
    part("kotlinx", "Kotlin"),
    part("net/sqlcipher", "SQLCipher"),
    part("net/zetetic", "SQLCipher"),
    part("okhttp3", "OkHttp"),
    part("okio", "Okio"),
    part("org/acra", "ACRA"),
    part("org/apache", "Apache libraries"),
    part("org/bouncycastle", "Bouncy Castle"),
    part("org/checkerframework", "Checker Framework"),
    part("org/chromium", "Chromium"),
    part("org/codehaus", "Codehaus libraries"),
    part("org/conscrypt", "Conscrypt"),
    part("org/greenrobot", "greenrobot's libraries"),
    part("org/hamcrest", "Hamcrest"),
    part("org/intellij/lang/annotations", "JetBrains annotations"),
    part("org/jacoco", "JaCoCo"),
    part("org/jetbrains/annotations", "JetBrains annotations"),
    part("org/joda/time", "Joda-Time"),
    part("org/jsoup", "jsoup"),
    part("org/junit", "JUnit"),
    part("org/koin", "Koin"),
    part("org/mozilla/javascript", "Rhino"),
    part("org/osmdroid", "osmdroid"),
    part("org/reactivestreams", "Reactive Streams"),
    part("org/slf4j", "SLF4J"),
    part("org/spongycastle", "Spongy Castle"),
    part("org/sqlite", "SQLite bindings"),
    part("org/threeten/bp", "ThreeTen"),
    part("org/webrtc", "WebRTC"),
    part("org/xbill", "dnsjava"),
    part("pl/droidsonroids/gif", "android-gif-drawable"),
    part("retrofit", "Retrofit"),
    part("retrofit2", "Retrofit"),
    part("roboguice", "RoboGuice"),
    part("rx", "RxJava"),
    part("timber/log", "Timber"),
    part("tv/danmaku/ijk", "ijkplayer"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Option<&str>) {
        assert_eq!(
            of(path, "com.google.android.material.catalog").map(|l| l.name),
            expected,
            "{path}"
        );
    }

    #[test]
    fn the_longest_package_decides() {
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
    fn the_table_is_sorted_and_says_nothing_twice() {
        for role in [Engine, Part] {
            let prefixes: Vec<_> =
                LIBRARIES.iter().filter(|l| l.role == role).map(|l| l.prefix).collect();
            assert!(prefixes.is_sorted_by(|a, b| a < b), "{role:?}");
        }
    }
}
