//! A folder that an app can write to. Nothing in it is trusted: a name may have become a link to a
//! secret, a pipe that never ends, or a terabyte of zeros. So only plain files are opened, no link is
//! followed on the way, no open waits, and every read has a limit.

mod removal;

pub use removal::remove_tree;

use rustix::fs::{CWD, Mode, OFlags, openat};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path};

/// A folder whose files somebody else may have replaced.
#[derive(Debug)]
pub struct ForeignFolder {
    folder: OwnedFd,
}

impl ForeignFolder {
    /// Opens a folder whose own path is trusted.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: openat(CWD, path, FOLDER, Mode::empty())? })
    }

    /// Returns a whole file, if it has at most `limit` bytes.
    pub fn read(&self, name: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open_file(name)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit { Err(too_long(limit)) } else { Ok(bytes) }
    }

    /// Returns the last bytes of a file, at most `len` of them.
    pub fn read_end(&self, name: &Path, len: u64) -> io::Result<Vec<u8>> {
        let mut file = self.open_file(name)?;
        let end = file.metadata()?.len();
        file.seek(SeekFrom::Start(end.saturating_sub(len)))?;
        let mut bytes = Vec::new();
        file.take(len).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Copies a file to a new one, if it has at most `limit` bytes.
    pub fn copy(&self, name: &Path, to: &Path, limit: u64) -> io::Result<()> {
        let mut from = self.open_file(name)?.take(limit.saturating_add(1));
        let copied = io::copy(&mut from, &mut File::create_new(to)?)?;
        if copied > limit { Err(too_long(limit)) } else { Ok(()) }
    }

    /// Opens a plain file. `name` is relative and leads nowhere else.
    fn open_file(&self, name: &Path) -> io::Result<File> {
        let mut steps = Vec::new();
        for component in name.components() {
            match component {
                Component::Normal(step) => steps.push(step),
                _ => return Err(refused("its name leads out of the folder")),
            }
        }
        let Some((file, folders)) = steps.split_last() else {
            return Err(refused("it has no name"));
        };
        let mut folder = None;
        for step in folders {
            let parent = folder.as_ref().unwrap_or(&self.folder);
            folder = Some(openat(parent, *step, FOLDER, Mode::empty())?);
        }
        let parent = folder.as_ref().unwrap_or(&self.folder).as_fd();
        let opened = File::from(openat(parent, *file, FILE, Mode::empty())?);
        match opened.metadata()?.is_file() {
            true => Ok(opened),
            false => Err(refused("it is not a plain file")),
        }
    }
}

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A pipe without a writer is opened at once and does not wait for one.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn too_long(limit: u64) -> io::Error {
    refused(&format!("it has more than {limit} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    const LIMIT: u64 = 1 << 20;

    fn check(make: impl FnOnce(&Path)) {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("agent.log"), "a secret").unwrap();
        symlink(outside.path(), folder.path().join("elsewhere")).unwrap();
        make(folder.path());
        let foreign = ForeignFolder::open(folder.path()).unwrap();
        let log = Path::new("agent.log");
        assert!(foreign.read(log, LIMIT).is_err());
        assert!(foreign.copy(log, &outside.path().join("copy"), LIMIT).is_err());
        for name in ["elsewhere/agent.log", "../x", "/etc/passwd", ".", ""] {
            assert!(foreign.read(Path::new(name), LIMIT).is_err(), "{name}");
            assert!(foreign.read_end(Path::new(name), LIMIT).is_err(), "{name}");
        }
    }

    #[test]
    fn whatever_is_no_plain_file_is_refused_without_waiting() {
        check(|folder| symlink("/etc/passwd", folder.join("agent.log")).unwrap());
        check(|folder| symlink("/dev/zero", folder.join("agent.log")).unwrap());
        check(|folder| symlink("agent.log", folder.join("agent.log")).unwrap());
        check(|folder| fs::create_dir(folder.join("agent.log")).unwrap());
        check(|_| {});
        #[cfg(target_os = "linux")]
        check(|folder| {
            let kind = rustix::fs::FileType::Fifo;
            rustix::fs::mknodat(CWD, folder.join("agent.log"), kind, Mode::RUSR, 0).unwrap();
        });
        check(|folder| {
            drop(std::os::unix::net::UnixListener::bind(folder.join("agent.log")).unwrap());
        });
    }

    #[test]
    fn of_a_huge_file_only_its_end_is_read() {
        check(|folder| File::create(folder.join("agent.log")).unwrap().set_len(1 << 40).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent.log");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let mut file = File::options().append(true).open(&path).unwrap();
        io::Write::write_all(&mut file, b"the end").unwrap();
        let end = ForeignFolder::open(folder.path()).unwrap().read_end(Path::new("agent.log"), 9);
        assert_eq!(end.unwrap(), b"\0\0the end");
    }

    #[test]
    fn a_plain_file_is_read_in_its_own_folder_too() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/c"), "text").unwrap();
        let foreign = ForeignFolder::open(folder.path()).unwrap();
        assert_eq!(foreign.read(Path::new("a/b/c"), 4).unwrap(), b"text");
        assert!(foreign.read(Path::new("a/b/c"), 3).is_err());
        let copy = folder.path().join("copy");
        foreign.copy(Path::new("a/b/c"), &copy, 4).unwrap();
        assert_eq!(fs::read_to_string(copy).unwrap(), "text");
    }
}
