//! Attempts to get more memory or disk than the limits allow.

use super::{Attempt, answer, gained};
use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

const GIGABYTE: usize = 1 << 30;

/// More than the limit of writable memory, and less than that of addresses.
const TOO_MUCH: usize = 4 * GIGABYTE;

pub const ATTEMPTS: &[Attempt] = &[
    ("4 GB of memory", |_| map(libc::MAP_PRIVATE)),
    ("4 GB of shared memory", |_| map(libc::MAP_SHARED)),
    ("4 GB of growing memory", |_| map(libc::MAP_PRIVATE | libc::MAP_GROWSDOWN)),
    ("16 GB of addresses", |_| {
        let size = 4 * TOO_MUCH;
        mapped(size, libc::PROT_NONE, libc::MAP_PRIVATE)
    }),
    ("memfd_create", |_| answer(unsafe { libc::memfd_create(c"attempt".as_ptr(), 0) })),
    ("raise a limit", |_| {
        let limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
        answer(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) })
    }),
    ("execute what it wrote", |prey| {
        let file = prey.own.join("program");
        fs::write(&file, [0; 4096])?;
        map_code(&file)
    }),
    ("fill the disk", |prey| {
        let block = vec![0; prey.own_bytes / 4];
        (0..5).try_for_each(|n| fs::write(prey.own.join(format!("block-{n}")), &block))
    }),
    ("use up the files", |prey| {
        for entry in fs::read_dir(&prey.own)?.flatten() {
            fs::remove_file(entry.path())?;
        }
        (0..=prey.own_files).try_for_each(|n| fs::write(prey.own.join(n.to_string()), ""))
    }),
];

fn map(kind: libc::c_int) -> io::Result<()> {
    mapped(TOO_MUCH, libc::PROT_READ | libc::PROT_WRITE, kind)
}

fn mapped(size: usize, access: libc::c_int, kind: libc::c_int) -> io::Result<()> {
    let kind = kind | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let memory = unsafe { libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0) };
    if memory == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    gained(unsafe { libc::munmap(memory, size) } == 0)
}

/// Maps a file as the loader of libraries does.
fn map_code(file: &Path) -> io::Result<()> {
    let file = fs::File::open(file)?;
    let (access, kind) = (libc::PROT_READ | libc::PROT_EXEC, libc::MAP_PRIVATE);
    let (none, size) = (std::ptr::null_mut(), 4096);
    let memory = unsafe { libc::mmap(none, size, access, kind, file.as_raw_fd(), 0) };
    if memory == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    gained(unsafe { libc::munmap(memory, size) } == 0)
}
