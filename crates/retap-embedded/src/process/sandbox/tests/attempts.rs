//! What native code of an app might try. Each attempt is aimed at something of the test's that lies outside the
//! sandbox, gives an error if it fails, and does no lasting harm if it succeeds. `docs/threats.md` lists them with
//! the layers that stop each of them by themselves; the test reads it there.

#![allow(unsafe_code)]

mod files;
mod machine;
mod memory;
mod processes;

use super::prey::Prey;
use std::io;

/// One attempt: its name and what it does.
pub type Attempt = (&'static str, fn(&Prey) -> io::Result<()>);

/// Returns all attempts in the order in which they are made: those that change the process itself come last.
pub fn all() -> Vec<Attempt> {
    [files::ATTEMPTS, machine::ATTEMPTS, memory::ATTEMPTS, processes::ATTEMPTS].concat()
}

/// Turns the answer of a system call into a result.
fn answer(result: impl Into<i64>) -> io::Result<()> {
    if result.into() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Fails an attempt that gained nothing.
fn gained(is_gained: bool) -> io::Result<()> {
    if is_gained { Ok(()) } else { Err(io::Error::other("nothing was gained")) }
}
