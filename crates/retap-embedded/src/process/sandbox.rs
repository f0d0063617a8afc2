//! The sandbox around the agent's process.
//!
//! An APK is somebody else's code, so the process that runs it reaches only what is allowed here.
//! Namespaces hide the machine, Landlock guards files, seccomp guards system calls, and resource
//! limits bound memory and disk. The process has no privileges and inherits no open file. All of this
//! takes effect between fork and exec, needs no root, and cannot be undone by the process.
//! `docs/threats.md` says which layer stops what.

mod confined;
mod layers;
mod protections;

#[cfg(target_os = "linux")]
mod birth;
#[cfg(target_os = "linux")]
mod inherited_descriptors;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod trial;
#[cfg(target_os = "linux")]
mod view;

pub use confined::{ConfinedProcess, start_confined};
pub use layers::SandboxLayers;
pub use protections::{Protections, protections};

use std::path::PathBuf;

/// The files that a process may use. Access to all others is denied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedFiles {
    /// Files, and folders with everything below them.
    pub read: Vec<PathBuf>,
    pub write: Vec<PathBuf>,
    /// Programs that may be executed, if seccomp let the process start one.
    pub run: Vec<PathBuf>,
    /// Folders that belong to the process.
    pub own: Vec<OwnFolder>,
}

/// An empty folder that belongs to a process, with its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFolder {
    pub path: PathBuf,
    pub max_bytes: u64,
    pub max_files: u64,
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
