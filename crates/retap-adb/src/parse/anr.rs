//! Apps that do not respond, in the log: `ANR in …`.

use super::crash::is_process_of;
use super::logcat::LogcatLine;

/// Returns what the log says of an app that does not respond: the stack if there is one, or else the reason.
pub fn find_anr(lines: &[LogcatLine<'_>], package: &str) -> Option<String> {
    let at = lines.iter().position(|line| {
        let process = line.message.strip_prefix("ANR in ");
        let process = process.map(|rest| rest.split([' ', '(']).next().unwrap_or(rest));
        line.tag == "ActivityManager" && process.is_some_and(|it| is_process_of(it, package))
    })?;
    let first = &lines[at];
    let mut reason = "";
    let mut stack = Vec::new();
    for line in lines[at + 1..].iter().filter(|line| line.pid == first.pid && line.tag == first.tag)
    {
        match line.message {
            message if message.starts_with("ANR in ") => break,
            // What the processors did is long and says nothing of the app.
            message if message.starts_with("Load: ") || message.starts_with("CPU usage") => break,
            message if message.starts_with("Reason: ") => reason = message,
            message
                if ["PID: ", "Parent: ", "Frozen: ", "ErrorId: "]
                    .iter()
                    .any(|word| message.starts_with(word)) => {}
            message if reason.is_empty() && message.trim().is_empty() => {}
            message if !reason.is_empty() => stack.push(message),
            _ => {}
        }
    }
    Some(if stack.is_empty() { reason.to_string() } else { stack.join("\n") + "\n" })
}
