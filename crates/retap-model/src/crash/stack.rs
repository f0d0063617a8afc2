//! Parses a printed stack into exceptions and frames.

/// One exception of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Throwable<'a> {
    pub class: &'a str,
    pub message: &'a str,
    pub frames: Vec<Frame<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Frame<'a> {
    /// `com.app.Main.onClick`
    pub method: &'a str,
    /// `Main.java:17`
    pub place: &'a str,
}

/// Parses the exceptions of a stack, outermost first. Frames that a cause shares with its wrapper
/// (`... 11 more`) are restored. Suppressed exceptions are left out: they are side effects of
/// cleaning up. They stand, indented, before the cause.
pub(super) fn parse_chain(stack: &str) -> Vec<Throwable<'_>> {
    let mut chain: Vec<Throwable<'_>> = Vec::new();
    let mut suppressed: Option<usize> = None;
    for line in stack.lines() {
        let line = strip_logcat(line);
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if line.starts_with("Suppressed:") {
            suppressed = suppressed.or(Some(indent));
        } else if line.starts_with("Caused by:")
            && suppressed.is_some_and(|at| indent < at || at == 0)
        {
            // A cause of the suppressed exception itself is indented like it.
            suppressed = None;
        }
        if suppressed.is_none() {
            add_line(&mut chain, line);
        }
    }
    chain
}

/// Removes what logcat puts before a line: `E/AndroidRuntime(  712): ` or `… E AndroidRuntime: `.
fn strip_logcat(line: &str) -> &str {
    const TAG: &str = "AndroidRuntime";
    let Some((before, after)) = line.split_once(TAG) else { return line };
    let is_prefix = before.ends_with("E/") || before.ends_with("E ");
    let message = after.find(": ").map(|at| after.split_at(at)).filter(|(number, _)| {
        number.chars().all(|c| c.is_ascii_digit() || matches!(c, '(' | ')' | ' '))
    });
    match message {
        Some((_, message)) if is_prefix => &message[2..],
        _ => line,
    }
}

fn add_line<'a>(chain: &mut Vec<Throwable<'a>>, line: &'a str) {
    if let Some(frame) = line.strip_prefix("at ") {
        if let Some(throwable) = chain.last_mut() {
            throwable.frames.push(parse_frame(frame));
        }
    } else if let Some(shared) = parse_shared(line) {
        if let [.., outer, inner] = chain.as_mut_slice() {
            let from = outer.frames.len().saturating_sub(shared);
            inner.frames.extend_from_slice(&outer.frames[from..]);
        }
    } else if chain.is_empty() && line.starts_with("Process: ") {
        // Logcat names the process before the exception.
    } else if chain.is_empty() || line.starts_with("Caused by:") {
        let header = line.strip_prefix("Caused by:").unwrap_or(line).trim();
        let (class, message) = header.split_once(": ").unwrap_or((header, ""));
        let class = class.trim_end_matches(':');
        if is_class_name(class) {
            chain.push(Throwable { class, message, frames: Vec::new() });
        }
    }
}

fn is_class_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-'))
}

/// Returns the frame that a line names, if it names one.
pub(super) fn frame_of_line(line: &str) -> Option<Frame<'_>> {
    strip_logcat(line).trim().strip_prefix("at ").map(parse_frame)
}

fn parse_frame(text: &str) -> Frame<'_> {
    let (method, place) = text.split_once('(').unwrap_or((text, ""));
    // The host's JVM names the module or loader before a slash:
    // `java.base/java.util.ArrayList.get`.
    let method = method.rsplit('/').next().unwrap_or(method);
    let place = place.trim_end_matches(')');
    // A phone adds the position in the dex code where there is no line.
    let place = if place.starts_with("Unknown Source") { "Unknown Source" } else { place };
    Frame { method, place }
}

fn parse_shared(line: &str) -> Option<usize> {
    line.strip_prefix("...")?.trim().strip_suffix("more")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_cause_that_follows_a_suppressed_exception_is_read() {
        let stack = "\
java.io.IOException: outer
\tat com.app.A.a(A.java:1)
\tSuppressed: java.lang.IllegalStateException: closing
\t\tat com.app.Closer.close(Closer.java:9)
\tCaused by: java.lang.Error: of the suppressed one
\t\tat com.app.Closer.fail(Closer.java:5)
Caused by: java.lang.NullPointerException: inner
\tat com.app.B.b(B.java:2)";
        let chain = parse_chain(stack);
        let classes: Vec<&str> = chain.iter().map(|throwable| throwable.class).collect();
        assert_eq!(classes, ["java.io.IOException", "java.lang.NullPointerException"]);
        assert_eq!(chain[0].frames.len(), 1);
    }
}
