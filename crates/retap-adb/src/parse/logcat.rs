//! `logcat`, in the layouts threadtime, time and brief.

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogcatLine<'a> {
    /// `11-18 08:19:28.123`; empty where the layout has none.
    pub time: &'a str,
    pub pid: u32,
    /// The thread; the process itself where the layout has none.
    pub tid: u32,
    pub level: char,
    pub tag: &'a str,
    pub message: &'a str,
}

/// Parses the lines; what is none, such as `--------- beginning of crash`, is skipped.
pub fn parse_logcat(text: &str) -> Vec<LogcatLine<'_>> {
    text.lines().filter_map(|line| parse_line(line.trim_end_matches('\r'))).collect()
}

fn parse_line(line: &str) -> Option<LogcatLine<'_>> {
    let (time, rest) = split_time(line);
    let head = rest.trim_start();
    let is_brief = head.as_bytes().get(1) == Some(&b'/');
    match (time.is_empty(), is_brief) {
        (_, true) => parse_brief(time, head),
        (false, false) => parse_threadtime(time, head),
        (true, false) => None,
    }
}

/// Splits the date and the time off, if the line begins with them.
fn split_time(line: &str) -> (&str, &str) {
    let is_date = |word: &str| {
        matches!(word.len(), 5 | 10) && word.bytes().all(|b| b.is_ascii_digit() || b == b'-')
    };
    let is_time = |word: &str| {
        word.len() >= 8 && word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.'))
    };
    let Some((date, rest)) = line.split_once(' ') else { return ("", line) };
    let Some((time, rest)) = rest.split_once(' ') else { return ("", line) };
    match is_date(date) && is_time(time) {
        true => (&line[..date.len() + 1 + time.len()], rest),
        false => ("", line),
    }
}

fn parse_threadtime<'a>(time: &'a str, rest: &'a str) -> Option<LogcatLine<'a>> {
    let (pid, rest) = number(rest)?;
    let (tid, rest) = number(rest)?;
    let (level, rest) = rest.trim_start().split_once(' ')?;
    let level = one_letter(level)?;
    let (tag, message) = split_message(rest)?;
    Some(LogcatLine { time, pid, tid, level, tag, message })
}

/// `E/AndroidRuntime( 2001): message`
fn parse_brief<'a>(time: &'a str, rest: &'a str) -> Option<LogcatLine<'a>> {
    let level = one_letter(rest.get(..1)?)?;
    let (tag, rest) = rest.get(2..)?.split_once('(')?;
    let (pid, message) = rest.split_once(')')?;
    let pid = pid.trim().parse().ok()?;
    let message = message.strip_prefix(':')?;
    let message = message.strip_prefix(' ').unwrap_or(message);
    Some(LogcatLine { time, pid, tid: pid, level, tag: tag.trim_end(), message })
}

fn number(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let (number, rest) = text.split_once(' ')?;
    Some((number.parse().ok()?, rest))
}

fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|letter| "VDIWEFA".contains(*letter) && letters.next().is_none())
}

/// The tag is padded and ends before a colon. An empty message leaves no space after it.
fn split_message(text: &str) -> Option<(&str, &str)> {
    match text.split_once(": ") {
        Some((tag, message)) => Some((tag.trim(), message)),
        None => text.strip_suffix(':').map(|tag| (tag.trim(), "")),
    }
}

/// Returns the lines after the last one with this tag and message, or all lines if there is none.
pub fn after_mark<'l, 'a>(
    lines: &'l [LogcatLine<'a>],
    tag: &str,
    message: &str,
) -> &'l [LogcatLine<'a>] {
    let mark = lines.iter().rposition(|line| line.tag == tag && line.message == message);
    &lines[mark.map_or(0, |at| at + 1)..]
}
