//! Whose code a frame is, told by its package.

/// Whose code a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeOwner {
    App,
    Framework,
    Agent,
    Jdk,
    /// The JVM itself, and the phases of a run.
    Machine,
}

const FRAMEWORK: [&str; 6] =
    ["android.", "com.android.", "com.google.android.collect.", "dalvik.", "libcore.", "org.ccil."];
const AGENT: [&str; 7] = [
    "dev.retap.agent.",
    "org.robolectric.",
    "org.objectweb.asm.",
    "org.jacoco.",
    "com.googlecode.d2j.",
    "com.googlecode.dex2jar.",
    "com.almworks.sqlite4java.",
];
const JDK: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

impl CodeOwner {
    pub const ALL: [CodeOwner; 5] = [
        CodeOwner::App,
        CodeOwner::Framework,
        CodeOwner::Agent,
        CodeOwner::Jdk,
        CodeOwner::Machine,
    ];

    /// Returns the owner of a frame. A package that nobody else has is the app's or one of its libraries'.
    pub fn of(frame: &str) -> Self {
        let is_in = |packages: &[&str]| packages.iter().any(|package| frame.starts_with(package));
        if frame.starts_with('(') || !frame.contains('.') {
            CodeOwner::Machine
        } else if is_in(&FRAMEWORK) {
            CodeOwner::Framework
        } else if is_in(&AGENT) {
            CodeOwner::Agent
        } else if is_in(&JDK) {
            CodeOwner::Jdk
        } else {
            CodeOwner::App
        }
    }

    /// Returns its name in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            CodeOwner::App => "app",
            CodeOwner::Framework => "framework",
            CodeOwner::Agent => "agent",
            CodeOwner::Jdk => "jdk",
            CodeOwner::Machine => "machine",
        }
    }

    /// Returns its name in the legend.
    pub fn name(self) -> &'static str {
        match self {
            CodeOwner::App => "app and its libraries",
            CodeOwner::Framework => "Android framework",
            CodeOwner::Agent => "agent",
            CodeOwner::Jdk => "JDK",
            CodeOwner::Machine => "JVM",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_tell_whose_code_it_is() {
        for (frame, owner) in [
            ("android.view.View.layout", CodeOwner::Framework),
            ("androidx.recyclerview.widget.RecyclerView.onLayout", CodeOwner::App),
            ("org.notes.Main.onCreate", CodeOwner::App),
            ("dev.retap.agent.Server.run", CodeOwner::Agent),
            ("java.lang.Thread.run", CodeOwner::Jdk),
            ("(compiler)", CodeOwner::Machine),
            ("event", CodeOwner::Machine),
        ] {
            assert_eq!(CodeOwner::of(frame), owner, "{frame}");
        }
    }
}
