//! A crash and its identity, which decides whether two crashes are the same bug.
//!
//! The identity ignores everything that differs between devices, API levels and runs: messages,
//! wrappers that the framework puts around a cause (`Unable to resume activity …`), framework
//! frames and their line numbers. What remains is the innermost exception's class and the frames of
//! the app's own code in its stack, outermost included. The depth of a recursion does not count,
//! and a stack overflow is named by its cycle: where it begins and ends depends on the machine.

mod recursion;
mod stack;
mod stack_lines;

pub use stack_lines::{LineOrigin, StackLine};

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
    /// Reasons why the crash may not be the app's own, one sentence each: the parts that stand-ins
    /// of the device took in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

/// The confidence that the app crashes in the same way on a phone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Only code of the app, its libraries and the framework took part.
    #[default]
    High,
    /// A stand-in of the device is in the stack, returned the value that was null, or lacked
    /// something before.
    Low,
}

impl std::fmt::Display for Confidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Confidence::High => "high",
            Confidence::Low => "low",
        })
    }
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
    /// Returns a crash without doubts.
    pub fn new(thread: impl Into<String>, stack: impl Into<String>) -> Self {
        Self { thread: thread.into(), stack: stack.into(), doubts: Vec::new() }
    }

    pub fn confidence(&self) -> Confidence {
        if self.doubts.is_empty() { Confidence::High } else { Confidence::Low }
    }

    /// Returns true if a frame of the app or of its libraries is in the stack of any exception of
    /// the chain.
    pub fn has_own_code(&self, package: &str) -> bool {
        parse_chain(&self.stack)
            .iter()
            .any(|throwable| throwable.frames.iter().any(|frame| !is_framework(frame, package)))
    }

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
        self.stack.contains(package) || self.has_own_code(package)
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
mod tests;
