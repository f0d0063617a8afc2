//! Files that whoever started retap left open for it: they must not be open for the app.

use std::ffi::{c_int, c_uint};

/// After the three standard ones, which are chosen for the process.
const FIRST: c_uint = 3;

/// On kernels that cannot close a range each descriptor is closed alone, up to here.
const LAST_ALONE: c_int = 65_536;

/// Closes all of them, at the moment the program starts: until then the starting itself needs some.
#[allow(unsafe_code)]
pub fn close() {
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
