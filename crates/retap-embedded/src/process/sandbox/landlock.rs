//! Landlock: the folders and files that the process may open. The rules are made before the fork and
//! enforced in the child.

use super::AllowedFiles;
use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope, path_beneath_rules,
};
use rustix::fs::{Mode, OFlags, open};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

/// The newest version of Landlock that is requested. An older kernel enforces what it supports.
const NEWEST: ABI = ABI::V6;

/// The rules as a kernel object.
#[derive(Debug)]
pub struct FileRules {
    /// None if the kernel has no Landlock.
    ruleset: Option<OwnedFd>,
}

impl FileRules {
    /// Makes rules that allow these files, and the process's own folders that exist already.
    pub fn new<'a>(
        files: &'a AllowedFiles,
        own: impl Iterator<Item = &'a PathBuf>,
    ) -> io::Result<Self> {
        let ruleset = create_ruleset(files, own).map_err(io::Error::other)?;
        Ok(Self { ruleset })
    }

    /// Allows everything.
    pub fn none() -> Self {
        Self { ruleset: None }
    }

    /// Allows a folder that exists only since the fork.
    #[allow(unsafe_code)]
    pub fn add_own_folder(&self, folder: &CStr) -> io::Result<()> {
        /// The kernel's `struct landlock_path_beneath_attr`.
        #[repr(C, packed)]
        struct PathBeneath {
            allowed_access: u64,
            parent_fd: i32,
        }
        const PATH_BENEATH: libc::c_int = 1;
        let Some(ruleset) = &self.ruleset else { return Ok(()) };
        let folder = open(folder, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        let access = write_access() & AccessFs::from_all(ABI::from(version()));
        let rule = PathBeneath { allowed_access: access.bits(), parent_fd: folder.as_raw_fd() };
        let (call, ruleset) = (libc::SYS_landlock_add_rule, ruleset.as_raw_fd());
        // SAFETY: the kernel reads one structure, and both descriptors are open.
        match unsafe { libc::syscall(call, ruleset, PATH_BENEATH, &raw const rule, 0) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Applies the rules to the calling thread and to everything it starts.
    #[allow(unsafe_code)]
    pub fn enforce(&self) -> io::Result<()> {
        let Some(ruleset) = &self.ruleset else { return Ok(()) };
        // SAFETY: a plain system call on a descriptor that lives as long as `self`.
        match unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Returns the version of Landlock that this kernel has; 0 if it has none.
#[allow(unsafe_code)]
pub fn version() -> i32 {
    const VERSION: libc::c_ulong = 1;
    let none = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag the kernel reads no memory and answers with a number.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0, VERSION) };
    i32::try_from(version).unwrap_or(0).max(0)
}

/// Returns what this version of Landlock does not cover, in words.
pub fn uncovered(version: i32) -> Vec<&'static str> {
    // Version 2 only allows what version 1 always denies.
    let since = [
        (1, "files"),
        (3, "cutting files short"),
        (4, "ports"),
        (5, "commands to devices"),
        (6, "sockets without a path and signals"),
    ];
    since.into_iter().filter(|(since, _)| version < *since).map(|(_, what)| what).collect()
}

fn write_access() -> BitFlags<AccessFs> {
    // The process makes no device files and no sockets, and cannot execute what it wrote.
    let forbidden: BitFlags<AccessFs> = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::IoctlDev;
    AccessFs::from_all(NEWEST) & !forbidden
}

fn create_ruleset<'a>(
    files: &'a AllowedFiles,
    own: impl Iterator<Item = &'a PathBuf>,
) -> Result<Option<OwnedFd>, ::landlock::RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        // Without a rule this denies every port, and every socket and process outside.
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(&files.read, read))?
        .add_rules(path_beneath_rules(files.write.iter().chain(own), write_access()))?
        .add_rules(path_beneath_rules(&files.run, AccessFs::Execute | AccessFs::ReadFile))?;
    Ok(ruleset.into())
}
