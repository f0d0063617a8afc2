//! The lines of a printed stack and whose code they name, for a reader who looks for the app's own.

use super::stack::{Frame, frame_of_line};
use super::{Crash, is_framework, is_library};

/// One line of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackLine<'a> {
    pub text: &'a str,
    pub origin: LineOrigin,
}

/// Whose code a line of a stack names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineOrigin {
    /// A frame of the app's own code.
    Own,
    /// A frame of a library inside the app.
    Library,
    /// A frame of Android or Java.
    Framework,
    /// The exception, a cause, or a line that is no frame.
    Head,
}

impl Crash {
    /// Returns the lines of the stack in the app with this package.
    pub fn lines(&self, package: &str) -> impl Iterator<Item = StackLine<'_>> {
        self.stack.lines().map(move |text| StackLine { text, origin: origin(text, package) })
    }
}

fn origin(line: &str, package: &str) -> LineOrigin {
    match frame_of_line(line) {
        None => LineOrigin::Head,
        Some(frame) if is_framework(&frame, package) => LineOrigin::Framework,
        Some(frame) if is_of_library(&frame, package) => LineOrigin::Library,
        Some(_) => LineOrigin::Own,
    }
}

fn is_of_library(frame: &Frame<'_>, package: &str) -> bool {
    !super::is_within(frame.method, package) && is_library(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_says_whose_code_it_names() {
        let stack = "\
java.lang.IllegalStateException: no
\tat com.app.Main.go(Main.java:7)
\tat androidx.fragment.app.Fragment.start(Fragment.java:9)
\tat android.app.Activity.performResume(Activity.java:1)
\tat java.base/java.util.ArrayList.get(ArrayList.java:427)
\t... 3 more
Caused by: java.io.IOException
\tat org.other.Part.run(Part.java:2)";
        let crash = Crash::new("main", stack);
        let origins: Vec<LineOrigin> = crash.lines("com.app").map(|line| line.origin).collect();
        use LineOrigin::{Framework, Head, Library, Own};
        assert_eq!(origins, [Head, Own, Library, Framework, Framework, Head, Head, Own]);
    }
}
