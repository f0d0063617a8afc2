//! How retap learns of the process that was born in namespaces: its number, and its own folders.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::Pid;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// The most folders that a process owns.
pub const MAX_FOLDERS: usize = 2;

const SPACE: usize = rustix::cmsg_space!(ScmRights(MAX_FOLDERS));

/// The end of the channel that retap keeps.
#[derive(Debug)]
pub struct Birth(UnixStream);

/// A process that was born, and its own folders in the order in which they were allowed.
#[derive(Debug)]
pub struct Newborn {
    pub id: Pid,
    pub folders: Vec<OwnedFd>,
}

impl Birth {
    pub fn new(received: UnixStream) -> Self {
        Self(received)
    }

    /// Returns what the first process told before it ended. It must have ended.
    pub fn read(&self) -> io::Result<Newborn> {
        let mut space = [MaybeUninit::uninit(); SPACE];
        let mut attached = RecvAncillaryBuffer::new(&mut space);
        let mut number = [0; 4];
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        let read = recvmsg(&self.0, &mut [IoSliceMut::new(&mut number)], &mut attached, flags)?;
        let id = Some(i32::from_ne_bytes(number)).filter(|_| read.bytes == number.len());
        let id = id.and_then(Pid::from_raw).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut folders = Vec::new();
        for message in attached.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = message {
                folders.extend(received);
            }
        }
        Ok(Newborn { id, folders })
    }
}

/// Tells the other end of a birth. Allocates nothing, because it runs between fork and exec.
pub fn announce(report: &UnixStream, id: Pid, folders: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); SPACE];
    let mut attached = SendAncillaryBuffer::new(&mut space);
    if !folders.is_empty() && !attached.push(SendAncillaryMessage::ScmRights(folders)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let number = id.as_raw_pid().to_ne_bytes();
    sendmsg(report, &[IoSlice::new(&number)], &mut attached, SendFlags::NOSIGNAL)?;
    Ok(())
}
