//! Starts a process in the sandbox.

use super::{AllowedFiles, SandboxLayers};
use crate::process::child::ChildProcess;
use crate::process::spawner;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A process in the sandbox.
#[derive(Debug)]
pub struct ConfinedProcess {
    pub child: ChildProcess,
    /// Its own folders, if only the process can see them: these are the only way to them.
    disks: Vec<(PathBuf, OwnedFd)>,
}

impl ConfinedProcess {
    /// Takes a process whose folders everybody can see.
    pub fn unconfined(child: ChildProcess) -> Self {
        Self { child, disks: Vec::new() }
    }

    /// Returns true if the process's own folders are disks, which bound their size themselves.
    pub fn has_disks(&self) -> bool {
        !self.disks.is_empty()
    }

    /// Returns the path by which retap reaches one of the process's own folders.
    pub fn reach(&self, folder: &Path) -> PathBuf {
        let disk = self.disks.iter().find(|(path, _)| path == folder);
        disk.map_or_else(
            || folder.to_owned(),
            |(_, disk)| PathBuf::from(format!("/proc/self/fd/{}", disk.as_raw_fd())),
        )
    }
}

/// Starts a process in the sandbox. `root` is an empty folder of retap's own.
#[cfg(target_os = "linux")]
pub fn start_confined(
    mut command: Command,
    root: &Path,
    files: &AllowedFiles,
    layers: SandboxLayers,
) -> io::Result<ConfinedProcess> {
    spawner::end_with_parent(&mut command);
    if !layers.namespaces || super::trial::try_namespaces().is_err() {
        confine(&mut command, None, files, layers)?;
        return Ok(ConfinedProcess::unconfined(ChildProcess::new(&spawner::start(command)?)?));
    }
    let program = PathBuf::from(command.get_program());
    let (namespaces, birth) = super::namespaces::Namespaces::new(root, files, &program)?;
    confine(&mut command, Some(namespaces), files, layers)?;
    let first = spawner::start(command);
    let group = first.and_then(|mut first| {
        first.wait()?;
        ChildProcess::new(&first)
    });
    // The process may have been born even if its program did not start.
    let born = birth.read();
    match (group, born) {
        (Ok(group), Ok(born)) => {
            let paths = files.own.iter().map(|folder| folder.path.clone());
            let disks = paths.zip(born.folders).collect();
            Ok(ConfinedProcess { child: group.continued_by(born.id), disks })
        }
        (Err(error), Ok(born)) => {
            ChildProcess::from_id(born.id).end();
            Err(error)
        }
        (Err(error), Err(_)) | (Ok(_), Err(error)) => Err(error),
    }
}

/// Puts the process that this command will start into the sandbox.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn confine(
    command: &mut Command,
    namespaces: Option<super::namespaces::Namespaces>,
    files: &AllowedFiles,
    layers: SandboxLayers,
) -> io::Result<()> {
    use super::{inherited_descriptors, landlock, limits, seccomp};
    use std::os::unix::process::CommandExt;
    let rules = if layers.landlock {
        let own = files.own.iter().map(|folder| &folder.path).filter(|_| namespaces.is_none());
        landlock::FileRules::new(files, own)?
    } else {
        landlock::FileRules::none()
    };
    let mut filter = match layers.seccomp {
        true => seccomp::Filter::new(namespaces.is_some()),
        false => seccomp::Filter::none(),
    };
    let limits = limits::ResourceLimits::for_this_process();
    let hook = move || {
        if let Some(namespaces) = &namespaces {
            namespaces.enter()?;
            for folder in namespaces.own_folders() {
                rules.add_own_folder(folder)?;
            }
        }
        limits.set()?;
        rustix::thread::set_no_new_privs(true)?;
        limits::drop_privileges()?;
        rules.enforce()?;
        inherited_descriptors::close_on_exec();
        filter.install()
    };
    // SAFETY: between fork and exec the hook only makes system calls on what was made before; it
    // neither allocates nor locks.
    unsafe {
        command.pre_exec(hook);
    }
    Ok(())
}

/// Starts a process. There is no sandbox here.
#[cfg(not(target_os = "linux"))]
pub fn start_confined(
    mut command: Command,
    _root: &Path,
    _files: &AllowedFiles,
    _layers: SandboxLayers,
) -> io::Result<ConfinedProcess> {
    spawner::end_with_parent(&mut command);
    Ok(ConfinedProcess::unconfined(ChildProcess::new(&spawner::start(command)?)?))
}
