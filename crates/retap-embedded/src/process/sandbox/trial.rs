//! Tries whether this machine lets retap make namespaces. Kernels, distributions and containers forbid them in
//! many ways, so nothing but a trial tells.

use super::namespaces::Namespaces;
use super::{AllowedFiles, OwnFolder};
use rustix::process::{WaitOptions, waitpid};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The error with which a process ends that was made only to see whether it can be made.
const SUCCEEDED: i32 = libc::ECANCELED;

static TRIED: OnceLock<Result<(), String>> = OnceLock::new();

/// Returns why this machine has no namespaces, in words. The first call tries it.
pub fn try_namespaces() -> Result<(), String> {
    TRIED.get_or_init(|| make_and_end().map_err(|error| error.to_string())).clone()
}

#[allow(unsafe_code)]
#[expect(clippy::disallowed_methods, reason = "this starts a process that runs no program")]
fn make_and_end() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let [root, own] = ["root", "own"].map(|name| folder.path().join(name));
    fs::create_dir(&root)?;
    let own = vec![OwnFolder { path: own, max_bytes: 1 << 20, max_files: 10 }];
    let files = AllowedFiles { read: vec!["/dev/null".into()], own, ..AllowedFiles::default() };
    let (namespaces, birth) = Namespaces::new(&root, &files, Path::new("/none"))?;
    let hook = move || {
        namespaces.enter()?;
        Err(io::Error::from_raw_os_error(SUCCEEDED))
    };
    let mut command = Command::new("/none");
    // SAFETY: between fork and its end the hook only makes system calls on what was made before; it
    // neither allocates nor locks.
    let spawned = unsafe { command.pre_exec(hook) }.spawn();
    if let Ok(born) = birth.read() {
        let _ = waitpid(Some(born.id), WaitOptions::empty());
    }
    match spawned {
        Err(error) if error.raw_os_error() == Some(SUCCEEDED) => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(io::Error::other("a program ran that does not exist")),
    }
}
