//! A crash and its identity, which decides whether two crashes are the same bug.
//!
//! The identity ignores everything that differs between devices, API levels and runs: messages,
//! wrappers that the framework puts around a cause (`Unable to resume activity …`), framework
//! frames and their line numbers. What remains is the innermost exception's class and the frames of
//! the app's own code in its stack, outermost included.

use crate::hash::{StableHasher, hex_id};
use serde::{Deserialize, Serialize};

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

impl Crash {
    /// Returns the identity of the crash in the app with this package.
    pub fn identity(&self, package: &str) -> CrashId {
        let throwable = self.innermost();
        let mut hasher = StableHasher::new("crash");
        hasher.str(throwable.class);
        let own = |frame: &&Frame<'_>| !frame.is_framework(package);
        if throwable.frames.iter().any(|frame| own(&frame)) {
            for frame in throwable.frames.iter().filter(own) {
                hasher.str(frame.method).str(frame.place);
            }
        } else {
            for frame in &throwable.frames {
                hasher.str(frame.method);
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
                .any(|throwable| throwable.frames.iter().any(|frame| !frame.is_framework(package)))
    }

    /// Returns the class of the last cause, such as `java.lang.NullPointerException`.
    pub fn innermost_class(&self) -> &str {
        self.innermost().class
    }

    /// Returns the innermost exception's message, or an empty text.
    pub fn message(&self) -> &str {
        self.innermost().message
    }

    /// Returns the app's own frame nearest to the throw, where a person would look first.
    pub fn place(&self, package: &str) -> Option<String> {
        let throwable = self.innermost();
        let frame = throwable.frames.iter().find(|frame| !frame.is_framework(package))?;
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

#[derive(Debug, Clone, PartialEq, Eq)]
struct Throwable<'a> {
    class: &'a str,
    message: &'a str,
    frames: Vec<Frame<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frame<'a> {
    /// `com.app.Main.onClick`
    method: &'a str,
    /// `Main.java:17`
    place: &'a str,
}

impl Frame<'_> {
    fn is_framework(&self, package: &str) -> bool {
        // A system app's own package may look like the framework's.
        !is_within(self.method, package) && FRAMEWORK.iter().any(|p| self.method.starts_with(p))
    }
}

fn is_within(name: &str, package: &str) -> bool {
    name.strip_prefix(package).is_some_and(|rest| rest.starts_with(['.', '$']))
}

/// Parses the exceptions of a stack, outermost first. Frames that a cause shares with its wrapper
/// (`... 11 more`) are restored.
fn parse_chain(stack: &str) -> Vec<Throwable<'_>> {
    let mut chain: Vec<Throwable<'_>> = Vec::new();
    for line in stack.lines() {
        let line = line.trim();
        if let Some(frame) = line.strip_prefix("at ") {
            if let Some(throwable) = chain.last_mut() {
                throwable.frames.push(parse_frame(frame));
            }
        } else if let Some(shared) = parse_shared(line) {
            if let [.., outer, inner] = chain.as_mut_slice() {
                let from = outer.frames.len().saturating_sub(shared);
                inner.frames.extend_from_slice(&outer.frames[from..]);
            }
        } else if line.starts_with("Suppressed:") {
            // A suppressed exception is a side effect of cleaning up, and no cause follows it.
            break;
        } else if chain.is_empty() || line.starts_with("Caused by:") {
            let header = line.strip_prefix("Caused by:").unwrap_or(line).trim();
            let (class, message) = header.split_once(": ").unwrap_or((header, ""));
            let class = class.trim_end_matches(':');
            if is_class_name(class) {
                chain.push(Throwable { class, message, frames: Vec::new() });
            }
        }
    }
    chain
}

fn is_class_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-'))
}

fn parse_frame(text: &str) -> Frame<'_> {
    let (method, place) = text.split_once('(').unwrap_or((text, ""));
    // The host's JVM names the module or loader before a slash:
    // `java.base/java.util.ArrayList.get`.
    let method = method.rsplit('/').next().unwrap_or(method);
    Frame { method, place: place.trim_end_matches(')') }
}

fn parse_shared(line: &str) -> Option<usize> {
    line.strip_prefix("...")?.trim().strip_suffix("more")?.trim().parse().ok()
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
    fn a_cause_gets_back_the_frames_it_shares_with_what_it_caused() {
        let stack = "\
java.lang.IllegalStateException: outer
\tat com.app.A.a(A.java:1)
\tat com.app.B.b(B.java:2)
Caused by: java.io.IOException
\tat com.app.C.c(C.java:3)
\t... 1 more";
        let chain = parse_chain(stack);
        let methods: Vec<_> = chain[1].frames.iter().map(|f| f.method).collect();
        assert_eq!(methods, ["com.app.C.c", "com.app.B.b"]);
    }

    #[test]
    fn modules_in_front_of_a_frame_are_no_part_of_its_name() {
        assert_eq!(
            parse_frame("java.base/java.util.ArrayList.get(ArrayList.java:427)").method,
            "java.util.ArrayList.get"
        );
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
}
