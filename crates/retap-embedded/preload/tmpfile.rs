//! A library of one function, which the agent's JVM loads before all others. Android's native code keeps large
//! cursor windows in files that it asks of `tmpfile`. That of the C library insists on `/tmp`, which the sandbox
//! closes; this one uses the process's own folder, which `TMPDIR` names. `build.rs` compiles it.

#![no_std]

use core::ffi::{c_char, c_int, c_void};
use core::ptr::null_mut;

const PATTERN: &[u8] = b"/window-XXXXXX\0";
const MAX_LEN: usize = 4096;

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
    fn strlen(text: *const c_char) -> usize;
    fn mkstemp(path: *mut c_char) -> c_int;
    fn unlink(path: *const c_char) -> c_int;
    fn fdopen(file: c_int, mode: *const c_char) -> *mut c_void;
    fn abort() -> !;
}

/// Opens a file without a name, as the function of the C library does.
#[unsafe(no_mangle)]
pub extern "C" fn tmpfile() -> *mut c_void {
    let mut path = [0u8; MAX_LEN];
    // SAFETY: all texts end with a zero byte, and the path's length is checked before it is written.
    unsafe {
        let folder = getenv(c"TMPDIR".as_ptr());
        if folder.is_null() {
            return null_mut();
        }
        let length = strlen(folder);
        if length + PATTERN.len() > MAX_LEN {
            return null_mut();
        }
        let name = path.as_mut_ptr();
        name.copy_from_nonoverlapping(folder.cast(), length);
        name.add(length).copy_from_nonoverlapping(PATTERN.as_ptr(), PATTERN.len());
        let file = mkstemp(name.cast());
        if file < 0 {
            return null_mut();
        }
        unlink(name.cast());
        fdopen(file, c"w+".as_ptr())
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: the function takes nothing and does not return.
    unsafe { abort() }
}
