//! Attempts on files outside.

use super::{Attempt, Prey, answer, gained};
use std::ffi::CStr;
use std::io;

pub const ATTEMPTS: &[Attempt] = &[
    ("open a file", |prey| open(&prey.secret(), libc::O_RDONLY).map(drop)),
    ("append to a file", |prey| open(&prey.secret(), libc::O_WRONLY | libc::O_APPEND).map(drop)),
    ("list a folder", |prey| open(&prey.path(""), libc::O_DIRECTORY).map(drop)),
    ("make a file", |prey| open(&prey.path("made"), libc::O_CREAT | libc::O_WRONLY).map(drop)),
    ("make a folder", |prey| answer(unsafe { libc::mkdir(prey.path("folder").as_ptr(), 0o700) })),
    ("make a pipe", |prey| answer(unsafe { libc::mkfifo(prey.path("pipe").as_ptr(), 0o600) })),
    ("make a link", |prey| {
        answer(unsafe { libc::symlink(c"/".as_ptr(), prey.path("link").as_ptr()) })
    }),
    ("link to a file", |prey| {
        answer(unsafe { libc::link(prey.secret().as_ptr(), prey.path("twin").as_ptr()) })
    }),
    ("rename a file", |prey| {
        answer(unsafe { libc::rename(prey.path("spare").as_ptr(), prey.path("moved").as_ptr()) })
    }),
    ("delete a file", |prey| answer(unsafe { libc::unlink(prey.path("doomed").as_ptr()) })),
    ("cut a file short", |prey| answer(unsafe { libc::truncate(prey.secret().as_ptr(), 3) })),
    ("chmod", |prey| answer(unsafe { libc::chmod(prey.secret().as_ptr(), 0o4755) })),
    ("fchmodat", |prey| {
        answer(unsafe { libc::fchmodat(libc::AT_FDCWD, prey.secret().as_ptr(), 0o777, 0) })
    }),
    ("fchmodat2", |prey| {
        let (at, path) = (libc::AT_FDCWD, prey.secret());
        answer(unsafe { libc::syscall(452, at, path.as_ptr(), 0o777, 0) })
    }),
    ("chmod a folder", |prey| answer(unsafe { libc::chmod(prey.path("").as_ptr(), 0o777) })),
    ("fchmod a readable file", |prey| {
        let file = open(&prey.readable(), libc::O_RDONLY)?;
        answer(unsafe { libc::fchmod(file, 0o644) })
    }),
    ("set times of a readable file", |prey| {
        let file = open(&prey.readable(), libc::O_RDONLY)?;
        answer(unsafe { libc::futimens(file, std::ptr::null()) })
    }),
    ("set flags of a readable file", |prey| {
        const GET_FLAGS: libc::c_ulong = 0x8008_6601;
        const SET_FLAGS: libc::c_ulong = 0x4008_6602;
        let file = open(&prey.readable(), libc::O_RDONLY)?;
        let mut flags: libc::c_long = 0;
        answer(unsafe { libc::ioctl(file, GET_FLAGS as _, &raw mut flags) })?;
        answer(unsafe { libc::ioctl(file, SET_FLAGS as _, &raw const flags) })
    }),
    ("chown", |prey| {
        let (user, group) = unsafe { (libc::getuid(), libc::getgid()) };
        answer(unsafe { libc::chown(prey.secret().as_ptr(), user, group) })
    }),
    ("lchown", |prey| {
        let (user, group) = unsafe { (libc::getuid(), libc::getgid()) };
        answer(unsafe { libc::lchown(prey.secret().as_ptr(), user, group) })
    }),
    ("set times", |prey| answer(unsafe { libc::utimes(prey.secret().as_ptr(), std::ptr::null()) })),
    ("utimensat", |prey| {
        let (at, path) = (libc::AT_FDCWD, prey.secret());
        answer(unsafe { libc::utimensat(at, path.as_ptr(), std::ptr::null(), 0) })
    }),
    ("setxattr", |prey| {
        let (path, value) = (prey.secret(), b"value");
        let (name, value, size) = (c"user.retap".as_ptr(), value.as_ptr().cast(), value.len());
        answer(unsafe { libc::setxattr(path.as_ptr(), name, value, size, 0) })
    }),
    ("lsetxattr", |prey| {
        let (path, value) = (prey.secret(), b"value");
        let (name, value, size) = (c"user.retap".as_ptr(), value.as_ptr().cast(), value.len());
        answer(unsafe { libc::lsetxattr(path.as_ptr(), name, value, size, 0) })
    }),
    ("removexattr", |prey| {
        answer(unsafe { libc::removexattr(prey.path("marked").as_ptr(), c"user.retap".as_ptr()) })
    }),
    ("learn that a file exists", |prey| status(&prey.secret()).map(drop)),
    ("learn the size of a file", |prey| gained(status(&prey.secret())?.st_size > 0)),
    ("learn that a folder exists", |prey| status(&prey.path("")).map(drop)),
    ("learn names through inotify", |prey| watch(prey)),
    ("open a file by its handle", |_| {
        let handle = [8_u32, 1, 2, 0];
        answer(unsafe {
            libc::syscall(libc::SYS_open_by_handle_at, libc::AT_FDCWD, handle.as_ptr(), 0)
        })
    }),
    ("open a shared memory object", |prey| {
        let (name, flags) = (prey.queue(), libc::O_CREAT | libc::O_RDWR);
        answer(unsafe { libc::shm_open(name.as_ptr(), flags, 0o600) })?;
        answer(unsafe { libc::shm_unlink(name.as_ptr()) })
    }),
    ("read the command of a process", |prey| {
        let path = std::ffi::CString::new(format!("/proc/{}/cmdline", prey.process))?;
        open(&path, libc::O_RDONLY).map(drop)
    }),
];

fn open(path: &CStr, flags: libc::c_int) -> io::Result<libc::c_int> {
    let file = unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, 0o600) };
    answer(file).map(|()| file)
}

fn status(path: &CStr) -> io::Result<libc::stat> {
    let mut status = unsafe { std::mem::zeroed() };
    answer(unsafe { libc::stat(path.as_ptr(), &raw mut status) })?;
    Ok(status)
}

fn watch(prey: &Prey) -> io::Result<()> {
    let watch = unsafe { libc::inotify_init1(libc::IN_NONBLOCK) };
    answer(watch)?;
    answer(unsafe { libc::inotify_add_watch(watch, prey.path("").as_ptr(), libc::IN_ALL_EVENTS) })
}
