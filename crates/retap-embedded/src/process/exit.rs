//! The end of an agent in words: its exit status and the last error in its log.

use super::java::LOG;
use crate::foreign_folder::ForeignFolder;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// The length of a log's end that is searched.
const TAIL_LEN: u64 = 64 << 10;

pub fn describe_status(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("the agent was killed by signal {signal}"),
        (None, Some(code)) => format!("the agent ended with status {code}"),
        (None, None) => "the agent ended".to_string(),
    }
}

/// Returns the first line of the log in an agent's folder.
pub fn read_first_line(folder: &Path) -> Option<String> {
    let end =
        ForeignFolder::open(folder).and_then(|it| it.read_end(LOG.as_ref(), TAIL_LEN)).ok()?;
    String::from_utf8_lossy(&end).lines().next().map(str::to_owned)
}

/// Returns the last line of the log in an agent's folder. If the log ends with a stack trace, returns the exception and its
/// causes, each with its innermost frame.
pub fn read_last_error(folder: &Path) -> Option<String> {
    let tail =
        ForeignFolder::open(folder).and_then(|it| it.read_end(LOG.as_ref(), TAIL_LEN)).ok()?;
    let tail = String::from_utf8_lossy(&tail);
    let mut lines: Vec<&str> = Vec::new();
    let mut frame = None;
    for line in tail.lines().rev().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with("at ") {
            frame = Some(line);
        } else if !line.starts_with("... ") {
            lines.extend(frame.take());
            lines.push(line);
            if !line.starts_with("Caused by: ") {
                break;
            }
        }
    }
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_error_is_the_exception_with_its_causes_and_their_innermost_frames() {
        let folder = tempfile::tempdir().unwrap();
        let last_error_of = |text: &str| {
            std::fs::write(folder.path().join(LOG), text).unwrap();
            read_last_error(folder.path())
        };
        assert_eq!(last_error_of(""), None);
        assert_eq!(last_error_of("a word\nthe last\n\n").as_deref(), Some("the last"));
        let trace = "before\njava.lang.Error: outer\n\tat a.B.c(B.java:1)\n\tat java.Thread.run(T:2)\n\
                     Caused by: inner\n\tat d.E.f(E.java:3)\n\t... 1 more\n";
        assert_eq!(
            last_error_of(trace).as_deref(),
            Some("java.lang.Error: outer at a.B.c(B.java:1) Caused by: inner at d.E.f(E.java:3)")
        );
    }
}
