//! Attempts on other processes, and on the ways by which retap ends this one.

use super::{Attempt, Prey, answer, gained};
use std::io;

const NOTHING: usize = 0;

pub const ATTEMPTS: &[Attempt] = &[
    // A signal that is ignored by default, so that a process that is reached lives on.
    ("signal a process", |prey| answer(unsafe { libc::kill(prey.process, libc::SIGURG) })),
    ("signal a thread", |prey| {
        let (call, id) = (libc::SYS_tgkill, prey.process);
        answer(unsafe { libc::syscall(call, id, id, libc::SIGURG) })
    }),
    ("pidfd_open", |prey| answer(unsafe { libc::syscall(libc::SYS_pidfd_open, prey.process, 0) })),
    ("ptrace", |prey| {
        const SEIZE: libc::c_uint = 0x4206;
        answer(unsafe { libc::ptrace(SEIZE, prey.process, NOTHING, NOTHING) })
    }),
    ("read a process's memory", |prey| {
        let mut byte = 0_u8;
        let local = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        let (local, id) = (&raw const local, prey.process);
        match answer(unsafe { libc::process_vm_readv(id, local, 1, local, 1, 0) } as i64) {
            // The other process has nothing at this address, but would have been read.
            Err(error) if error.raw_os_error() == Some(libc::EFAULT) => Ok(()),
            other => other,
        }
    }),
    ("learn that a process exists", |prey| answer(unsafe { libc::getpgid(prey.process) })),
    ("learn a process's session", |prey| answer(unsafe { libc::getsid(prey.process) })),
    ("learn a process's scheduler", |prey| {
        answer(unsafe { libc::sched_getscheduler(prey.process) })
    }),
    ("learn a process's priority", |prey| {
        let id = prey.process as libc::id_t;
        answer(unsafe { libc::syscall(libc::SYS_getpriority, libc::PRIO_PROCESS, id) })
    }),
    ("change a process's priority", |prey| {
        let id = prey.process as libc::id_t;
        // The kernel answers with 20 less the priority.
        let is = unsafe { libc::syscall(libc::SYS_getpriority, libc::PRIO_PROCESS, id) };
        answer(is)?;
        answer(unsafe { libc::setpriority(libc::PRIO_PROCESS, id, 20 - is as i32) })
    }),
    ("change a process's limits", |prey| limit_of(prey)),
    ("become root", |_| answer(unsafe { libc::setuid(0) }).and_then(|()| gained(is_root()))),
    ("get a capability", |_| {
        let header = [0x2008_0522_u32, 0];
        let all = [u32::MAX; 6];
        answer(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), all.as_ptr()) })
    }),
    ("make a namespace of users", |_| {
        let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
        match unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) } {
            0 => unsafe { libc::_exit(0) },
            child => answer(child),
        }
    }),
    ("execveat", |_| {
        let none = c"/none".as_ptr();
        let (call, at) = (libc::SYS_execveat, libc::AT_FDCWD);
        match answer(unsafe { libc::syscall(call, at, none, NOTHING, NOTHING, 0) }) {
            // There is no such program, but it would have been started.
            Err(error) if error.raw_os_error() == Some(libc::ENOENT) => Ok(()),
            other => other,
        }
    }),
    ("fork", |_| match unsafe { libc::fork() } {
        0 => unsafe { libc::_exit(0) },
        child => answer(child),
    }),
    ("clone3", |_| {
        let settings = [0_u64; 8];
        match unsafe { libc::syscall(libc::SYS_clone3, settings.as_ptr(), 64) } {
            0 => unsafe { libc::_exit(0) },
            child => answer(child),
        }
    }),
    ("live beyond retap", |_| answer(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, 0, 0, 0, 0) })),
    ("leave the session", |_| answer(unsafe { libc::setsid() })),
    ("leave the process group", |_| answer(unsafe { libc::setpgid(0, 0) })),
];

fn is_root() -> bool {
    unsafe { libc::geteuid() == 0 }
}

/// Sets a limit of another process to what it is.
fn limit_of(prey: &Prey) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let (id, what) = (prey.process, libc::RLIMIT_NOFILE);
    answer(unsafe { libc::prlimit(id, what, std::ptr::null(), &raw mut limit) })?;
    answer(unsafe { libc::prlimit(id, what, &raw const limit, std::ptr::null_mut()) })
}
