//! File descriptors that retap inherited from its own parent. The app must not inherit them too.

use std::ffi::{c_int, c_uint};

/// The first descriptor after the three standard ones, which retap chooses for the process.
const FIRST: c_uint = 3;

/// The end of the range to mark one by one on kernels that cannot mark a whole range.
const LAST_ALONE: c_int = 65_536;

/// Marks all inherited descriptors to be closed on exec, because starting the program still needs
/// some of them.
#[allow(unsafe_code)]
pub fn close_on_exec() {
    let flags: c_uint = libc::CLOSE_RANGE_CLOEXEC;
    // SAFETY: a system call with three numbers.
    if unsafe { libc::syscall(libc::SYS_close_range, FIRST, c_uint::MAX, flags) } == 0 {
        return;
    }
    for descriptor in FIRST as c_int..LAST_ALONE {
        // SAFETY: sets a flag of a descriptor; one that is not open is an error without consequence.
        unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}
