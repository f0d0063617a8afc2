//! Landlock: the folders and files that the process may still open. Made before the fork, closed in
//! the child.

use super::Permits;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope, path_beneath_rules,
};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// The newest rights that are asked for; an older kernel gives those that it knows.
const NEWEST: ABI = ABI::V6;

#[derive(Debug)]
pub struct Fence {
    /// None where the kernel has no Landlock.
    rules: Option<OwnedFd>,
}

impl Fence {
    pub fn around(permits: &Permits) -> io::Result<Self> {
        let rules = rules(permits).map_err(io::Error::other)?;
        Ok(Self { rules })
    }

    /// From here on the calling thread and all that it starts are inside.
    #[allow(unsafe_code)]
    pub fn close(&self) -> io::Result<()> {
        let Some(rules) = &self.rules else { return Ok(()) };
        // SAFETY: a plain system call on a descriptor that lives as long as `self`.
        match unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Asks without building anything.
#[allow(unsafe_code)]
pub fn is_known_here() -> bool {
    const VERSION: libc::c_ulong = 1;
    let none = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag the kernel reads no memory and answers with a number.
    unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0, VERSION) > 0 }
}

fn rules(permits: &Permits) -> Result<Option<OwnedFd>, landlock::RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    // No device files, no sockets, and nothing that was written can be started.
    let forbidden: BitFlags<AccessFs> = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::IoctlDev;
    let write = AccessFs::from_all(NEWEST) & !forbidden;
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        // Without a rule: no port of any kind, no socket and no process outside.
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(&permits.read, read))?
        .add_rules(path_beneath_rules(&permits.write, write))?
        .add_rules(path_beneath_rules(&permits.run, AccessFs::Execute | AccessFs::ReadFile))?;
    Ok(ruleset.into())
}
