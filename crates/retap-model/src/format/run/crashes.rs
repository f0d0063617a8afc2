//! `crashes/ID/`: the stack and the shortest known trace that ends in the crash.

use super::{RunError, write_whole};
use crate::crash::{Crash, CrashId};
use crate::format::trace::{Header, write_header, write_trace};
use crate::trace::Trace;
use std::fs;
use std::path::Path;

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
    let stack = format!("thread: {}\n{}\n", crash.thread, crash.stack.trim_end());
    write_whole(&dir.join("stack.txt"), stack.as_bytes())
}

/// Reads the thread and stack of a crash.
pub fn read_crash(run: &Path, id: CrashId) -> Result<Crash, RunError> {
    let path = crash_folder(run, id).join("stack.txt");
    let text = fs::read_to_string(&path).map_err(RunError::io(&path))?;
    let (first, stack) = text.split_once('\n').unwrap_or(("", &text));
    let thread = first.strip_prefix("thread: ").unwrap_or(first).to_string();
    Ok(Crash { thread, stack: stack.trim_end().to_string() })
}

/// Returns the folder of a crash in a run.
pub fn crash_folder(run: &Path, id: CrashId) -> std::path::PathBuf {
    run.join("crashes").join(id.to_string())
}
