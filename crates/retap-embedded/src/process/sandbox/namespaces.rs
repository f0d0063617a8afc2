//! Namespaces: the process is alone on a machine of its own, with its own users, files, processes, network,
//! names and queues. No privilege is needed where the system lets everybody make such namespaces.
//!
//! A process enters a namespace of processes only by being born there. So the process that retap starts makes
//! the namespaces and has a sibling in them, which goes on as the agent. The first one tells retap the
//! sibling's number and ends.

use super::AllowedFiles;
use super::birth::{Birth, MAX_FOLDERS, announce};
use super::view::FileView;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::write;
use rustix::process::{Pid, Signal, getegid, geteuid, set_parent_process_death_signal};
use rustix::system::sethostname;
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// A phone's name.
const HOST_NAME: &[u8] = b"localhost";

/// The number of the user inside: that of the first app on a phone.
const USER: u32 = 10_000;

/// All namespaces but that of users.
const OTHERS: UnshareFlags = UnshareFlags::NEWNS
    .union(UnshareFlags::NEWPID)
    .union(UnshareFlags::NEWIPC)
    .union(UnshareFlags::NEWUTS)
    .union(UnshareFlags::NEWNET);

/// Everything that a process needs to enter namespaces. It is made before the fork.
#[derive(Debug)]
pub struct Namespaces {
    view: FileView,
    users: CString,
    groups: CString,
    is_root: bool,
    report: UnixStream,
}

impl Namespaces {
    /// Prepares namespaces for a process that runs `program`. `root` is an empty folder outside.
    pub fn new(root: &Path, files: &AllowedFiles, program: &Path) -> io::Result<(Self, Birth)> {
        let (received, report) = UnixStream::pair()?;
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        let namespaces = Self {
            view: FileView::new(root, files, program)?,
            users: CString::new(format!("{USER} {user} 1\n"))?,
            groups: CString::new(format!("{USER} {group} 1\n"))?,
            is_root: user == 0,
            report,
        };
        Ok((namespaces, Birth::new(received)))
    }

    /// Returns the process's own folders, by their paths inside.
    pub fn own_folders(&self) -> impl Iterator<Item = &CStr> {
        self.view.own_folders()
    }

    /// Enters new namespaces. The caller's process ends here, and its sibling returns.
    pub fn enter(&self) -> io::Result<()> {
        self.unshare()?;
        sethostname(HOST_NAME)?;
        self.view.enter()?;
        self.continue_as_sibling()
    }

    fn unshare(&self) -> io::Result<()> {
        match unshare(UnshareFlags::NEWUSER | OTHERS) {
            Ok(()) => {
                write_file(c"/proc/self/setgroups", c"deny\n")?;
                write_file(c"/proc/self/uid_map", &self.users)?;
                write_file(c"/proc/self/gid_map", &self.groups)
            }
            // Root needs no users of its own to make the other namespaces.
            Err(_) if self.is_root => unshare(OTHERS),
            Err(error) => Err(error),
        }
    }

    #[allow(unsafe_code)]
    fn continue_as_sibling(&self) -> io::Result<()> {
        let flags = libc::CLONE_PARENT | libc::SIGCHLD;
        // SAFETY: without a stack of its own the sibling gets a copy of everything, as a fork makes it.
        match unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) } {
            // A sibling does not inherit this. If retap has died since, the agent's socket is closed, and the
            // agent ends before it has run anything of the app.
            0 => Ok(set_parent_process_death_signal(Some(Signal::KILL))?),
            sibling @ 1.. => {
                let told = self.tell(sibling as i32);
                // SAFETY: ends this process without running anything that retap has registered.
                unsafe { libc::_exit(i32::from(told.is_err())) }
            }
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Tells retap the sibling's number, and hands its own folders over, which nobody else can see.
    fn tell(&self, sibling: i32) -> io::Result<()> {
        let mut opened = [const { None }; MAX_FOLDERS];
        for (folder, slot) in self.view.own_folders().zip(&mut opened) {
            *slot = Some(open(folder, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?);
        }
        let mut folders: [BorrowedFd<'_>; MAX_FOLDERS] = [self.report.as_fd(); MAX_FOLDERS];
        let mut count = 0;
        for folder in opened.iter().flatten() {
            folders[count] = folder.as_fd();
            count += 1;
        }
        let sibling = Pid::from_raw(sibling).ok_or(io::ErrorKind::InvalidData)?;
        announce(&self.report, sibling, &folders[..count])
    }
}

#[allow(unsafe_code)]
fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: no descriptors are unshared, and there is only this thread.
    Ok(unsafe { unshare_unsafe(flags) }?)
}

fn write_file(path: &CStr, text: &CStr) -> io::Result<()> {
    let file = open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    write(&file, text.to_bytes())?;
    Ok(())
}
