//! The files that a process in namespaces of its own can see: a root folder in memory, in which the allowed
//! files have their usual paths and nothing else exists. All of it is read-only but the process's own folders,
//! which are disks in memory of a fixed size. The plan is made before the fork and carried out in the child.

use super::{AllowedFiles, OwnFolder};
use libc::{
    AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC, MOUNT_ATTR_NOSUID,
    MOUNT_ATTR_RDONLY, c_int, mount_attr,
};
use rustix::fs::{self as rfs, CWD, FileType, Mode};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    unmount,
};
use rustix::process::{chdir, pivot_root};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};

/// The number of links on one path before they are taken for a circle.
const MAX_LINKS: usize = 40;

/// The root folder holds only folders, links and empty files to mount on.
const ROOT_OPTIONS: &CStr = c"size=4m,nr_inodes=65536,mode=0755";

/// The folder of devices, which must stay devices.
const DEVICES: &str = "/dev";

/// One step to make the view.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Folder(CString),
    /// An empty file, on which another is mounted.
    File(CString),
    Link {
        at: CString,
        to: CString,
    },
    /// Shows what lies outside, read-only.
    Show {
        at: CString,
        from: CString,
        is_device: bool,
    },
    Disk {
        at: CString,
        options: CString,
    },
}

/// The steps to make the view of one process.
#[derive(Debug)]
pub struct FileView {
    /// The empty folder outside on which the new root is mounted.
    root: CString,
    steps: Vec<Step>,
    /// The process's own folders, by their paths inside.
    own: Vec<CString>,
}

impl FileView {
    /// Plans the view of a process that runs `program`. `root` is an empty folder.
    pub fn new(root: &Path, files: &AllowedFiles, program: &Path) -> io::Result<Self> {
        let mut paths = VisiblePaths::default();
        for path in files.read.iter().chain(&files.write).chain(&files.run) {
            paths.add(path);
        }
        // Loaders and Java read this link to learn where they are. There is no other part of `/proc`.
        paths.links.insert("/proc/self/exe".into(), program.to_owned());
        let mut steps = Steps { root, made: BTreeSet::new(), steps: Vec::new() };
        steps.add_shown(&paths)?;
        steps.add_links(&paths)?;
        for folder in &files.own {
            steps.add_disk(folder)?;
        }
        let own = files.own.iter().map(|folder| c_path(&folder.path)).collect::<io::Result<_>>()?;
        Ok(Self { root: c_path(root)?, steps: steps.steps, own })
    }

    /// Makes the view and moves the calling process into it.
    pub fn enter(&self) -> io::Result<()> {
        // What is mounted here stays here.
        mount_change(c"/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
        mount_memory(&self.root, ROOT_OPTIONS)?;
        for step in &self.steps {
            step.run()?;
        }
        replace_root(&self.root)?;
        // The root itself, and not the disks in it.
        make_read_only(c"/", MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC, 0)
    }

    /// Returns the process's own folders, by their paths inside.
    pub fn own_folders(&self) -> impl Iterator<Item = &CStr> {
        self.own.iter().map(CString::as_c_str)
    }
}

/// What becomes visible: real paths of files and folders, and the links that lead to them.
#[derive(Debug, Default)]
struct VisiblePaths {
    shown: BTreeSet<PathBuf>,
    links: BTreeMap<PathBuf, PathBuf>,
}

impl VisiblePaths {
    /// Adds a path with every link on it. One that does not exist adds nothing.
    fn add(&mut self, path: &Path) {
        let mut links = BTreeMap::new();
        let mut rest: Vec<PathBuf> = reversed_components(path);
        let mut resolved = PathBuf::from("/");
        while let Some(name) = rest.pop() {
            if name.as_os_str() == ".." {
                resolved.pop();
                continue;
            }
            let next = resolved.join(&name);
            let Ok(metadata) = fs::symlink_metadata(&next) else { return };
            if !metadata.is_symlink() {
                resolved = next;
                continue;
            }
            let Ok(target) = fs::read_link(&next) else { return };
            if target.is_absolute() {
                resolved = "/".into();
            }
            rest.extend(reversed_components(&target));
            links.insert(next, target);
            if links.len() > MAX_LINKS {
                return;
            }
        }
        self.links.extend(links);
        self.shown.insert(resolved);
    }

    /// Returns true if a path lies in a folder that is shown whole.
    fn is_inside_shown(&self, path: &Path) -> bool {
        path.ancestors().skip(1).any(|folder| self.shown.contains(folder))
    }
}

fn reversed_components(path: &Path) -> Vec<PathBuf> {
    let names =
        path.components().filter(|it| matches!(it, Component::Normal(_) | Component::ParentDir));
    let mut names: Vec<PathBuf> = names.map(|it| PathBuf::from(it.as_os_str())).collect();
    names.reverse();
    names
}

/// Collects steps whose paths lie below `root`.
struct Steps<'a> {
    root: &'a Path,
    made: BTreeSet<PathBuf>,
    steps: Vec<Step>,
}

impl Steps<'_> {
    fn add_shown(&mut self, paths: &VisiblePaths) -> io::Result<()> {
        for path in paths.shown.iter().filter(|path| !paths.is_inside_shown(path)) {
            let at = c_path(&self.outside(path))?;
            if path.is_dir() {
                self.add_folder(path)?;
            } else {
                self.add_parents(path)?;
                self.steps.push(Step::File(at.clone()));
            }
            // Memory that files may lie in has its place among the devices too.
            let is_device =
                path.starts_with(DEVICES) && path.metadata()?.file_type().is_char_device();
            self.steps.push(Step::Show { at, from: c_path(path)?, is_device });
        }
        Ok(())
    }

    fn add_links(&mut self, paths: &VisiblePaths) -> io::Result<()> {
        for (path, target) in &paths.links {
            if !paths.is_inside_shown(path) {
                self.add_parents(path)?;
                self.steps
                    .push(Step::Link { at: c_path(&self.outside(path))?, to: c_path(target)? });
            }
        }
        Ok(())
    }

    fn add_disk(&mut self, folder: &OwnFolder) -> io::Result<()> {
        self.add_folder(&folder.path)?;
        let options = format!("size={},nr_inodes={},mode=0700", folder.max_bytes, folder.max_files);
        let options = CString::new(options)?;
        self.steps.push(Step::Disk { at: c_path(&self.outside(&folder.path))?, options });
        Ok(())
    }

    fn add_parents(&mut self, path: &Path) -> io::Result<()> {
        path.parent().map_or(Ok(()), |parent| self.add_folder(parent))
    }

    fn add_folder(&mut self, path: &Path) -> io::Result<()> {
        if path.parent().is_none() || self.made.contains(path) {
            return Ok(());
        }
        self.add_parents(path)?;
        self.made.insert(path.to_owned());
        self.steps.push(Step::Folder(c_path(&self.outside(path))?));
        Ok(())
    }

    /// Returns a path of the view as it is named before the root is replaced.
    fn outside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }
}

impl Step {
    fn run(&self) -> io::Result<()> {
        match self {
            Self::Folder(at) => {
                unless_exists(rfs::mkdir(at.as_c_str(), Mode::from_raw_mode(0o755)))
            }
            Self::Link { at, to } => unless_exists(rfs::symlink(to.as_c_str(), at.as_c_str())),
            Self::File(at) => {
                let (kind, mode) = (FileType::RegularFile, Mode::from_raw_mode(0o444));
                Ok(rfs::mknodat(CWD, at.as_c_str(), kind, mode, 0)?)
            }
            Self::Show { at, from, is_device } => {
                mount_bind_recursive(from.as_c_str(), at.as_c_str())?;
                let more = if *is_device { MOUNT_ATTR_NOEXEC } else { MOUNT_ATTR_NODEV };
                make_read_only(at, more, AT_RECURSIVE)
            }
            Self::Disk { at, options } => mount_memory(at, options),
        }
    }
}

/// A path that an earlier step has made is as good.
fn unless_exists(result: rustix::io::Result<()>) -> io::Result<()> {
    match result {
        Err(rustix::io::Errno::EXIST) => Ok(()),
        other => Ok(other?),
    }
}

fn mount_memory(at: &CStr, options: &CStr) -> io::Result<()> {
    // What is written there can be neither executed nor loaded as a library.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    Ok(mount(c"tmpfs", at, c"tmpfs", flags, options)?)
}

/// Makes what is mounted at a path read-only, and programs there gain no privileges.
#[allow(unsafe_code)]
fn make_read_only(at: &CStr, more: u64, flags: c_int) -> io::Result<()> {
    let attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | more;
    let change = mount_attr { attr_set, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let (call, size) = (libc::SYS_mount_setattr, size_of::<mount_attr>());
    // SAFETY: the kernel reads a text that ends with a zero byte and a structure of this size.
    match unsafe { libc::syscall(call, AT_FDCWD, at.as_ptr(), flags, &raw const change, size) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Makes a folder the root and lets go of the old one.
fn replace_root(root: &CStr) -> io::Result<()> {
    chdir(root)?;
    // The old root lies on the new one until it is let go.
    pivot_root(c".", c".")?;
    unmount(c".", UnmountFlags::DETACH)?;
    Ok(chdir(c"/")?)
}

fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}
