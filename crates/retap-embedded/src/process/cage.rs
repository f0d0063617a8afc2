//! The cage around the agent's process: an APK is somebody else's code, so the process that runs it
//! can reach only what is named here. Files by Landlock, system calls by seccomp, amounts by resource
//! limits, no privileges, no file left open. All of it is put on between fork and exec, needs no root, and cannot be
//! taken off again.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod fence;
#[cfg(target_os = "linux")]
mod heirlooms;
#[cfg(target_os = "linux")]
mod limits;

use std::io;
use std::path::PathBuf;
use std::process::Command;

/// The files that a process may use; all others are as if locked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Permits {
    /// Files and folders with all that is in them.
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// Programs that may be started, if the process could start one.
    pub run: Vec<PathBuf>,
}

/// Puts the cage around the process that this command will start.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub fn enclose(command: &mut Command, permits: &Permits) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    let fence = fence::Fence::around(permits)?;
    let mut filter = calls::Filter::new();
    let limits = limits::Limits::here();
    let hook = move || {
        limits.set()?;
        rustix::thread::set_no_new_privs(true)?;
        limits::drop_privileges()?;
        fence.close()?;
        heirlooms::close();
        filter.install()
    };
    // SAFETY: between fork and exec the hook only makes system calls on what was made before; it
    // neither allocates nor locks.
    unsafe {
        command.pre_exec(hook);
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub fn enclose(_command: &mut Command, _permits: &Permits) -> io::Result<()> {
    Ok(())
}

/// What this system lacks to hold an app, in words; empty where the cage is whole.
#[cfg(target_os = "linux")]
pub fn gaps() -> Vec<&'static str> {
    let files = (!fence::is_known_here())
        .then_some("files are not fenced in, because this kernel has no Landlock");
    let calls = (!calls::is_known_here()).then_some(
        "sockets and processes are not refused, because this kernel has no seccomp filters",
    );
    files.into_iter().chain(calls).collect()
}

#[cfg(not(target_os = "linux"))]
pub fn gaps() -> Vec<&'static str> {
    vec!["nothing is fenced in: that needs Linux"]
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
