//! The sandbox around the agent's process.
//!
//! An APK is somebody else's code, so the process that runs it reaches only what is allowed here.
//! Landlock guards files, seccomp guards system calls, and resource limits bound memory and disk.
//! The process has no privileges and inherits no open file. All of this takes effect between fork
//! and exec, needs no root, and cannot be undone by the process.

#[cfg(target_os = "linux")]
mod inherited_descriptors;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod seccomp;

use std::io;
use std::path::PathBuf;
use std::process::Command;

/// The files that a process may use. Access to all others is denied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedFiles {
    /// Files, and folders with everything below them.
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// Programs that may be executed, if seccomp let the process start one.
    pub run: Vec<PathBuf>,
}

/// Puts the process that this command will start into the sandbox.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub fn confine(command: &mut Command, files: &AllowedFiles) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    let rules = landlock::FileRules::new(files)?;
    let mut filter = seccomp::Filter::new();
    let limits = limits::ResourceLimits::for_this_process();
    let hook = move || {
        limits.set()?;
        rustix::thread::set_no_new_privs(true)?;
        limits::drop_privileges()?;
        rules.enforce()?;
        inherited_descriptors::close_on_exec();
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
pub fn confine(_command: &mut Command, _files: &AllowedFiles) -> io::Result<()> {
    Ok(())
}

/// Returns the protections that this system lacks, in words; empty if the sandbox is complete.
#[cfg(target_os = "linux")]
pub fn missing_protections() -> Vec<&'static str> {
    let files = (!landlock::is_supported())
        .then_some("files are not protected, because this kernel has no Landlock");
    let calls = (!seccomp::is_supported()).then_some(
        "sockets and processes are not refused, because this kernel has no seccomp filters",
    );
    files.into_iter().chain(calls).collect()
}

#[cfg(not(target_os = "linux"))]
pub fn missing_protections() -> Vec<&'static str> {
    vec!["apps are not confined: the sandbox needs Linux"]
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
