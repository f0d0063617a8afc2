//! Removes a folder that an app could write to. The app may have left links, folders that nobody may
//! enter, and folders within folders by the thousand.

use super::FOLDER;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, renameat, unlinkat};
use rustix::io::Errno;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

/// Removes a folder with everything in it, however deep, and follows no link.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let root = open_folder(CWD, path)?;
    let mut moved = 0_u64;
    // Folders within folders move up, so that the depth does not matter.
    loop {
        let folders = remove_files(root.as_fd())?;
        if folders.is_empty() {
            break;
        }
        for name in folders {
            let folder = open_folder(root.as_fd(), name.as_c_str())?;
            for inner in remove_files(folder.as_fd())? {
                // Only a folder that may be written to moves.
                open_folder(folder.as_fd(), inner.as_c_str())?;
                loop {
                    moved += 1;
                    let unused = format!(".removed-{moved}");
                    match renameat(&folder, &inner, &root, &unused) {
                        // The app has a folder of that name, which is not empty.
                        Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                        result => break result?,
                    }
                }
            }
            unlinkat(&root, &name, AtFlags::REMOVEDIR)?;
        }
    }
    Ok(unlinkat(CWD, path, AtFlags::REMOVEDIR)?)
}

/// Removes all files of a folder and returns the names of its folders.
fn remove_files(folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    let mut folders = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        if entry.file_type() == FileType::Directory {
            folders.push(name.to_owned());
            continue;
        }
        match unlinkat(folder, name, AtFlags::empty()) {
            // The file system did not tell the kind of the entry.
            Err(Errno::ISDIR | Errno::PERM) if entry.file_type() == FileType::Unknown => {
                folders.push(name.to_owned());
            }
            result => result?,
        }
    }
    Ok(folders)
}

/// Opens a folder, which is made accessible first if it is not.
fn open_folder<P: rustix::path::Arg + Copy>(
    parent: BorrowedFd<'_>,
    name: P,
) -> io::Result<OwnedFd> {
    // Without this mode nothing in it can be removed; its owner may always set it.
    let accessible = Mode::RWXU;
    match openat(parent, name, FOLDER, Mode::empty()) {
        Ok(folder) => {
            let _ = rustix::fs::fchmod(&folder, accessible);
            Ok(folder)
        }
        Err(Errno::ACCESS) => {
            make_accessible(parent, name, accessible)?;
            Ok(openat(parent, name, FOLDER, Mode::empty())?)
        }
        Err(error) => Err(error.into()),
    }
}

/// Sets the mode of what is surely a folder and no link to one.
#[cfg(target_os = "linux")]
fn make_accessible<P: rustix::path::Arg>(
    parent: BorrowedFd<'_>,
    name: P,
    mode: Mode,
) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let folder = openat(parent, name, FOLDER | OFlags::PATH, Mode::empty())?;
    Ok(rustix::fs::chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), mode)?)
}

#[cfg(not(target_os = "linux"))]
fn make_accessible<P: rustix::path::Arg>(
    parent: BorrowedFd<'_>,
    name: P,
    mode: Mode,
) -> io::Result<()> {
    Ok(rustix::fs::chmodat(parent, name, mode, AtFlags::SYMLINK_NOFOLLOW)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_are_removed_and_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let (kept, folder) = (place.path().join("kept"), place.path().join("folder"));
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "text").unwrap();
        fs::create_dir_all(folder.join("a")).unwrap();
        symlink(&kept, folder.join("a/link")).unwrap();
        symlink(&kept, folder.join("link")).unwrap();
        symlink("nowhere", folder.join("dangling")).unwrap();
        remove_tree(&folder).unwrap();
        assert!(!folder.exists());
        assert!(kept.join("file").exists());
        // The folder itself may have become a link.
        symlink(&kept, &folder).unwrap();
        assert!(remove_tree(&folder).is_err());
        assert!(kept.join("file").exists());
    }

    #[test]
    fn a_folder_is_removed_however_deep_it_is() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("folder");
        fs::create_dir(&root).unwrap();
        let mut folder = open_folder(CWD, root.as_path()).unwrap();
        // Far deeper than paths can be long and files can be open.
        for _ in 0..5_000 {
            rustix::fs::mkdirat(&folder, "deeper", Mode::RWXU).unwrap();
            folder = open_folder(folder.as_fd(), "deeper").unwrap();
        }
        fs::create_dir_all(root.join(".removed-1/x/y")).unwrap();
        fs::write(root.join(".removed-2"), "a file in the way").unwrap();
        drop(folder);
        remove_tree(&root).unwrap();
        assert!(!root.exists());
    }

    #[test]
    fn folders_that_nobody_may_enter_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("folder");
        fs::create_dir_all(root.join("closed/inner")).unwrap();
        fs::write(root.join("closed/inner/file"), "text").unwrap();
        for folder in ["closed/inner", "closed", ""] {
            fs::set_permissions(root.join(folder), Permissions::from_mode(0o000)).unwrap();
        }
        remove_tree(&root).unwrap();
        assert!(!root.exists());
    }
}
