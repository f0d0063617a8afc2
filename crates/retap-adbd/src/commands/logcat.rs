//! `logcat` and `log`.

mod options;
mod show;

use crate::phone::{Buffer, LogEntry};
use crate::shell::Invocation;
use options::LogcatOptions;
use std::io;
use std::time::Duration;

/// How often a command that follows the log looks whether its client is still there.
const LOOK: Duration = Duration::from_millis(200);

pub fn run(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let options = match LogcatOptions::parse(&invocation.words()) {
        Ok(options) => options,
        Err(error) => return invocation.complain(&format!("logcat: {error}")),
    };
    let log = invocation.phone.log.clone();
    if options.clears {
        log.clear(&options.buffers);
        return Ok(0);
    }
    if options.asks_size {
        let line = |buffer: &Buffer| {
            format!(
                "{}: ring buffer is 256 KiB (0 B consumed), max entry is 5120 B\n",
                buffer.name()
            )
        };
        let text: String = options.buffers.iter().map(line).collect();
        invocation.print(&text)?;
        return Ok(0);
    }
    let mut shown: Vec<LogEntry> =
        log.entries(0).into_iter().filter(|entry| options.wants(entry)).collect();
    let mut next = log.entries(0).last().map_or(0, |entry| entry.number + 1);
    if let Some(last) = options.last {
        shown.drain(..shown.len().saturating_sub(last));
    }
    let mut begun = Vec::new();
    loop {
        let mut text = String::new();
        for entry in &shown {
            if !begun.contains(&entry.buffer) && options.format.has_dividers() {
                text.push_str(&format!("--------- beginning of {}\n", entry.buffer.name()));
                begun.push(entry.buffer);
            }
            text.push_str(&options.format.show(entry));
        }
        invocation.print(&text)?;
        if options.ends || (invocation.streams.ended)() {
            return Ok(0);
        }
        log.wait(next, LOOK);
        let fresh = log.entries(next);
        next = fresh.last().map_or(next, |entry| entry.number + 1);
        shown = fresh.into_iter().filter(|entry| options.wants(entry)).collect();
    }
}

/// `log [-p LEVEL] [-t TAG] TEXT`: adds a line.
pub fn log(invocation: &mut Invocation<'_, '_>) -> io::Result<u8> {
    let (mut level, mut tag) = ('I', "log".to_string());
    let mut text = Vec::new();
    let mut arguments = invocation.arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-p" => {
                let letter = arguments.next().and_then(|letter| letter.chars().next());
                level = letter.unwrap_or('I').to_ascii_uppercase();
            }
            "-t" => tag = arguments.next().cloned().unwrap_or_default(),
            word => text.push(word.to_string()),
        }
    }
    invocation.phone.log.add(Buffer::Main, 2_000, level, &tag, &text.join(" "));
    Ok(0)
}
