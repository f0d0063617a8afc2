//! The library that the agent's JVM loads first. It replaces `tmpfile` of the C library, which fails in the sandbox.

use std::io;
use std::path::Path;
use std::process::Command;

/// The library, compiled by `build.rs`.
#[cfg(target_os = "linux")]
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

/// The name of its file.
pub const LIBRARY_FILE: &str = "preload.so";

/// Makes the command load the library from a folder.
#[cfg(target_os = "linux")]
pub fn add(command: &mut Command, folder: &Path) -> io::Result<()> {
    let file = folder.join(LIBRARY_FILE);
    std::fs::write(&file, LIBRARY)?;
    command.env("LD_PRELOAD", file);
    Ok(())
}

/// There is no sandbox here, so `tmpfile` works.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "writing the library may fail elsewhere")]
pub fn add(_: &mut Command, _: &Path) -> io::Result<()> {
    Ok(())
}
