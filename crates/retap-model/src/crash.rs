//! A crash and its identity, which decides whether two crashes are the same bug.
//!
//! The identity ignores everything that differs between devices, API levels and runs: messages,
//! wrappers that the framework puts around a cause (`Unable to resume activity …`), framework
//! frames and their line numbers. What remains is the innermost exception's class and the frames of
//! the app's own code in its stack, outermost included. The depth of a recursion does not count,
//! and a stack overflow is named by its cycle: where it begins and ends depends on the machine.

mod recursion;
mod stack;

use crate::hash::{StableHasher, hex_id};
use recursion::{collapse_repeats, find_cycle};
use serde::{Deserialize, Serialize};
use stack::{Frame, Throwable, parse_chain};

/// An uncaught exception of the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    pub thread: String,
    /// The stack as logcat prints it: exception, frames, `Caused by:` chain.
    pub stack: String,
}

hex_id!(
    /// Sixteen hexadecimal digits, which also name the crash's folder in a run.
    CrashId, u64, 16
);

/// Packages of the device's own code, whose frames differ between devices. Frames of the app's
/// libraries do not.
const FRAMEWORK: [&str; 17] = [
    "android.",
    "com.android.",
    "dalvik.",
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "libcore.",
    "org.apache.harmony.",
    "org.apache.http.",
    "org.json.",
    "org.robolectric.",
    "org.w3c.",
    "org.xml.",
    "org.xmlpull.",
    "dev.retap.agent.",
    "com.sun.",
];

/// Packages of libraries that many apps bring. A crash in one of them is shown at the app's own
/// frame that called it.
const LIBRARIES: [&str; 22] = [
    "androidx.",
    "bolts.",
    "butterknife.",
    "com.bumptech.glide.",
    "com.facebook.",
    "com.fasterxml.",
    "com.google.",
    "com.j256.ormlite.",
    "com.nineoldandroids.",
    "com.squareup.",
    "dagger.",
    "io.reactivex.",
    "io.realm.",
    "kotlin.",
    "kotlinx.",
    "okhttp3.",
    "okio.",
    "org.apache.",
    "org.greenrobot.",
    "org.jsoup.",
    "retrofit2.",
    "rx.",
];

impl Crash {
    /// Returns the identity of the crash in the app with this package.
    pub fn identity(&self, package: &str) -> CrashId {
        let throwable = self.innermost();
        let mut hasher = StableHasher::new("crash");
        hasher.str(throwable.class);
        let own: Vec<Frame<'_>> = throwable
            .frames
            .iter()
            .filter(|frame| !is_framework(frame, package))
            .copied()
            .collect();
        if own.is_empty() {
            for frame in &throwable.frames {
                hasher.str(frame.method);
            }
        } else {
            let is_overflow = throwable.class == "java.lang.StackOverflowError";
            let cycle = if is_overflow { find_cycle(&own) } else { None };
            for frame in cycle.unwrap_or_else(|| collapse_repeats(&own)) {
                hasher.str(frame.method).str(frame.place);
            }
        }
        CrashId(hasher.finish())
    }

    /// Returns true if the app caused the crash: the stack names its package or contains code of
    /// its libraries. An app's classes need not lie in its package.
    pub fn mentions(&self, package: &str) -> bool {
        self.stack.contains(package)
            || parse_chain(&self.stack)
                .iter()
                .any(|throwable| throwable.frames.iter().any(|frame| !is_framework(frame, package)))
    }

    /// Returns the class of the last cause, such as `java.lang.NullPointerException`.
    pub fn innermost_class(&self) -> &str {
        self.innermost().class
    }

    /// Returns the innermost exception's message, or an empty text.
    pub fn message(&self) -> &str {
        self.innermost().message
    }

    /// Returns the frame where a person would look first: the nearest to the throw in the app's own
    /// code, else in any code that the app brings.
    pub fn place(&self, package: &str) -> Option<String> {
        let frames = self.innermost().frames;
        let in_app = |frame: &&Frame<'_>| !is_framework(frame, package);
        let frame = frames
            .iter()
            .find(|frame| is_within(frame.method, package))
            .or_else(|| frames.iter().find(|frame| in_app(frame) && !is_library(frame)))
            .or_else(|| frames.iter().find(in_app))?;
        Some(format!("{}({})", frame.method, frame.place))
    }

    fn innermost(&self) -> Throwable<'_> {
        parse_chain(&self.stack).pop().unwrap_or(Throwable {
            class: "unknown",
            message: "",
            frames: Vec::new(),
        })
    }
}

/// Returns true if the frame is code of the device, not of the app or its libraries.
fn is_framework(frame: &Frame<'_>, package: &str) -> bool {
    // A system app's own package may look like the framework's.
    !is_within(frame.method, package) && FRAMEWORK.iter().any(|p| frame.method.starts_with(p))
}

fn is_library(frame: &Frame<'_>) -> bool {
    LIBRARIES.iter().any(|prefix| frame.method.starts_with(prefix))
}

fn is_within(name: &str, package: &str) -> bool {
    name.strip_prefix(package).is_some_and(|rest| rest.starts_with(['.', '$']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPED: &str = "\
java.lang.RuntimeException: Unable to resume activity {com.app/com.app.Main}: java.lang.NullPointerException: boo
\tat android.app.ActivityThread.performResumeActivity(ActivityThread.java:3128)
\tat java.lang.reflect.Method.invoke(Native Method)
Caused by: java.lang.NullPointerException: boo
\tat com.app.Model.load(Model.java:12)
\tat com.app.Main.onResume(Main.java:40)
\tat android.app.Instrumentation.callActivityOnResume(Instrumentation.java:1269)
\t... 2 more";

    fn crash(stack: &str) -> Crash {
        Crash { thread: "main".into(), stack: stack.into() }
    }

    #[test]
    fn wrappers_messages_and_framework_frames_do_not_change_the_identity() {
        let other_device = "\
java.lang.NullPointerException: Attempt to invoke a method on a null object reference
\tat com.app.Model.load(Model.java:12)
\tat com.app.Main.onResume(Main.java:40)
\tat android.app.Activity.performResume(Activity.java:6119)";
        assert_eq!(crash(WRAPPED).identity("com.app"), crash(other_device).identity("com.app"));
    }

    #[test]
    fn another_line_of_the_app_is_another_crash() {
        let elsewhere = WRAPPED.replace("Model.java:12", "Model.java:13");
        assert_ne!(crash(WRAPPED).identity("com.app"), crash(&elsewhere).identity("com.app"));
    }

    #[test]
    fn another_line_of_the_framework_is_the_same_crash() {
        let elsewhere = WRAPPED.replace("Instrumentation.java:1269", "Instrumentation.java:1");
        assert_eq!(crash(WRAPPED).identity("com.app"), crash(&elsewhere).identity("com.app"));
    }

    #[test]
    fn a_crash_is_the_apps_when_its_package_or_its_code_is_in_the_stack() {
        assert!(crash(WRAPPED).mentions("com.app"));
        assert!(crash(WRAPPED).mentions("com.renamed"));
        let foreign = "java.lang.Error: x\n\tat android.os.Looper.loop(Looper.java:1)";
        assert!(!crash(foreign).mentions("com.app"));
        assert_eq!(crash(WRAPPED).place("com.app").unwrap(), "com.app.Model.load(Model.java:12)");
        assert_eq!(crash(WRAPPED).innermost_class(), "java.lang.NullPointerException");
        assert_eq!(crash(WRAPPED).message(), "boo");
    }

    #[test]
    fn nonsense_has_an_identity_too() {
        for text in ["", "\n\n", "at", "... 9 more", "Caused by:", "at ()", "... x more"] {
            crash(text).identity("com.app");
        }
    }

    #[test]
    fn a_stack_overflow_has_one_identity_however_deep_the_stack_is() {
        let overflow = |frames: &[&str]| {
            let lines: String = frames.iter().map(|f| format!("\tat com.app.{f}\n")).collect();
            crash(&format!("java.lang.StackOverflowError: stack size 8MB\n{lines}"))
        };
        let [a, b] = ["A.select(A.java:3)", "B.changed(B.java:7)"];
        let here = overflow(&[&[a, b].repeat(500)[..], &["Main.onCreate(Main.java:9)"]].concat());
        let there = overflow(&[b, a].repeat(300));
        assert_eq!(here.identity("com.app"), there.identity("com.app"));
    }

    #[test]
    fn the_place_is_in_the_apps_own_code_and_not_in_a_library() {
        let stack = "\
java.lang.IllegalArgumentException: unexpected url
\tat okhttp3.Request$Builder.url(Request.java:145)
\tat kotlin.io.CloseableKt.use(Closeable.kt:20)
\tat com.other.part.Client.post(Client.java:50)
\tat com.app.Login.onClick(Login.java:12)";
        assert_eq!(crash(stack).place("com.app").unwrap(), "com.app.Login.onClick(Login.java:12)");
        let renamed = crash(stack).place("com.renamed").unwrap();
        assert_eq!(renamed, "com.other.part.Client.post(Client.java:50)");
        let only_library = stack.lines().take(2).collect::<Vec<_>>().join("\n");
        let place = crash(&only_library).place("com.app").unwrap();
        assert_eq!(place, "okhttp3.Request$Builder.url(Request.java:145)");
    }
}
