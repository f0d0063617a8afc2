//! Landlock: the folders and files that the process may open. The rules are made before the fork and
//! enforced in the child.

use super::AllowedFiles;
use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope, path_beneath_rules,
};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// The newest version of Landlock that is requested. An older kernel enforces what it supports.
const NEWEST: ABI = ABI::V6;

/// The rules as a kernel object.
#[derive(Debug)]
pub struct FileRules {
    /// None if the kernel has no Landlock.
    ruleset: Option<OwnedFd>,
}

impl FileRules {
    pub fn new(files: &AllowedFiles) -> io::Result<Self> {
        let ruleset = create_ruleset(files).map_err(io::Error::other)?;
        Ok(Self { ruleset })
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

/// Returns true if this kernel has Landlock.
#[allow(unsafe_code)]
pub fn is_supported() -> bool {
    const VERSION: libc::c_ulong = 1;
    let none = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag the kernel reads no memory and answers with a number.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0, VERSION) > 0 }
}

fn create_ruleset(files: &AllowedFiles) -> Result<Option<OwnedFd>, ::landlock::RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    // The process makes no device files and no sockets, and cannot execute what it wrote.
    let forbidden: BitFlags<AccessFs> = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::IoctlDev;
    let write = AccessFs::from_all(NEWEST) & !forbidden;
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        // Without a rule this denies every port, and every socket and process outside.
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(&files.read, read))?
        .add_rules(path_beneath_rules(&files.write, write))?
        .add_rules(path_beneath_rules(&files.run, AccessFs::Execute | AccessFs::ReadFile))?;
    Ok(ruleset.into())
}
