//! `crashes/ID/`: the stack and the shortest known trace that ends in the crash.

use super::{RunError, write_whole};
use crate::crash::{Crash, CrashId};
use crate::format::trace::{Header, write_header, write_trace};
use crate::printable::printable;
use crate::trace::Trace;
use std::fs;
use std::path::Path;

/// Begins a line of `stack.txt` with a doubt.
const DOUBT: &str = "doubt: ";

/// Writes a crash with a trace that ends in it, and replaces a longer trace.
pub fn keep_crash(
    run: &Path,
    id: CrashId,
    crash: &Crash,
    header: &Header,
    trace: &Trace,
) -> Result<(), RunError> {
    let dir = crash_folder(run, id);
    fs::create_dir_all(&dir).map_err(RunError::io(&dir))?;
    let mut bytes = Vec::new();
    let write = |bytes: &mut Vec<u8>| {
        write_header(bytes, header)?;
        write_trace(bytes, trace)
    };
    write(&mut bytes).map_err(RunError::io(&dir))?;
    write_whole(&dir.join("trace.jsonl"), &bytes)?;
    let doubts: String =
        crash.doubts.iter().map(|doubt| format!("{DOUBT}{}\n", one_line(doubt))).collect();
    let stack = format!("thread: {}\n{doubts}{}\n", crash.thread, crash.stack.trim_end());
    // People look at it with `cat`.
    write_whole(&dir.join("stack.txt"), printable(&stack).as_bytes())
}

/// Reads the thread and stack of a crash.
pub fn read_crash(run: &Path, id: CrashId) -> Result<Crash, RunError> {
    let path = crash_folder(run, id).join("stack.txt");
    let text = fs::read_to_string(&path).map_err(RunError::io(&path))?;
    let (first, mut stack) = text.split_once('\n').unwrap_or(("", &text));
    let thread = first.strip_prefix("thread: ").unwrap_or(first).to_string();
    let mut doubts = Vec::new();
    while let Some((doubt, rest)) = stack.strip_prefix(DOUBT).and_then(|it| it.split_once('\n')) {
        doubts.push(doubt.to_string());
        stack = rest;
    }
    Ok(Crash { thread, stack: stack.trim_end().to_string(), doubts })
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Returns the folder of a crash in a run.
pub fn crash_folder(run: &Path, id: CrashId) -> std::path::PathBuf {
    run.join("crashes").join(id.to_string())
}
