//! The agent as a child process: started, spoken to with a timeout, and killed together with
//! everything it started.

mod allowed_files;
mod child;
mod disk_watch;
mod exit;
mod folders;
mod java;
mod patience;
mod preload;
mod recording;
mod sandbox;
mod spawner;

pub use java::{CLASS_ARCHIVE, CLASS_LIST, DEBUG_PASSWORD, LOG};
pub use recording::RECORDING;
pub use sandbox::{Protections, SandboxLayers, protections};

use crate::private_folder::PrivateFolder;
use crate::setup::{AgentSetup, PackagingSetup};
use crate::wire::{AgentReply, AgentRequest, MAX_FRAME_LEN};

use disk_watch::DiskWatch;
use exit::{describe_status, read_first_line, read_last_error};
use folders::ProcessFolders;
use patience::{Patience, STANDSTILL};
use retap_device::DeviceError;
use retap_model::Loss;
use sandbox::ConfinedProcess;
use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// The time between two looks at an agent that does not answer.
const LOOK: Duration = Duration::from_secs(1);

/// The time that a process may take to end after it closed its socket.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// A running agent. Dropping it kills the process.
#[derive(Debug)]
pub struct AgentProcess {
    process: ConfinedProcess,
    socket: UnixStream,
    folders: ProcessFolders,
    disk_watch: DiskWatch,
    /// The time after which an agent that does nothing is given up.
    standstill: Duration,
}

impl AgentProcess {
    /// Starts an agent in the sandbox. Besides Java and the agent itself it sees its own folders and
    /// these files of the app.
    pub fn start(setup: &AgentSetup, app: &[&Path]) -> Result<Self, DeviceError> {
        let folders = ProcessFolders::create().map_err(cannot_start)?;
        let (socket, agents_socket) = UnixStream::pair().map_err(cannot_start)?;
        let mut command =
            java::agent_command(setup, &folders.paths(), agents_socket).map_err(cannot_start)?;
        preload::add(&mut command, folders.settings()).map_err(cannot_start)?;
        let files = allowed_files::for_agent(setup, &folders, app);
        let process =
            sandbox::start_confined(command, folders.root(), &files, setup.sandbox_layers)
                .map_err(cannot_start)?;
        let watched = if process.has_disks() { Vec::new() } else { files.own };
        let disk_watch = DiskWatch::new(watched);
        Ok(Self { process, socket, folders, disk_watch, standstill: STANDSTILL })
    }

    #[cfg(test)]
    fn from_child(child: &std::process::Child, socket: UnixStream) -> Self {
        let process = ConfinedProcess::unconfined(child::ChildProcess::new(child).unwrap());
        let folders = ProcessFolders::create().unwrap();
        let disk_watch = DiskWatch::default();
        Self { process, socket, folders, disk_watch, standstill: STANDSTILL }
    }

    /// Returns the path by which the agent names a file in its working folder.
    pub fn inside(&self, name: &str) -> PathBuf {
        self.folders.work().join(name)
    }

    /// Returns the path by which retap reaches the same file. The app may have written it.
    pub fn outside(&self, name: &str) -> PathBuf {
        self.process.reach(self.folders.work()).join(name)
    }

    pub fn id(&self) -> u32 {
        self.process.child.id()
    }

    /// Sends a request and waits for its reply, while the agent uses at most this much processor time.
    /// After an error the agent cannot be used any more.
    pub fn call(
        &mut self,
        request: &AgentRequest<'_>,
        max_cpu: Duration,
    ) -> Result<AgentReply, DeviceError> {
        let nonce = draw_nonce();
        let body = [&nonce.to_be_bytes()[..], &request.encode()].concat();
        let mut patience = Patience::begin(self.id(), max_cpu, self.standstill);
        let reply = self.exchange(&body, &mut patience);
        let reply = reply.map_err(|error| DeviceError::Lost(self.describe_exit(&error)))?;
        let Some((echoed, reply)) = reply.split_first_chunk() else {
            return Err(DeviceError::lost("the agent's reply is empty"));
        };
        if u64::from_be_bytes(*echoed) != nonce {
            return Err(DeviceError::lost("the reply is to another request than the last"));
        }
        AgentReply::decode(reply)
            .map_err(|error| DeviceError::lost(format!("the agent's reply is damaged: {error}")))
    }

    fn exchange(&mut self, body: &[u8], patience: &mut Patience) -> io::Result<Vec<u8>> {
        let length = u32::try_from(body.len()).ok().filter(|&n| n as usize <= MAX_FRAME_LEN);
        let length = length.ok_or_else(|| io::Error::other("the request is too long"))?;
        self.socket.set_write_timeout(Some(LOOK))?;
        self.socket.set_read_timeout(Some(self.disk_watch.pause(LOOK)))?;
        self.write(&[&length.to_be_bytes(), body].concat(), patience)?;
        let mut header = [0; 4];
        self.read(&mut header, patience)?;
        let length = u32::from_be_bytes(header) as usize;
        if length > MAX_FRAME_LEN {
            return Err(io::Error::other(format!("the agent announced {length} bytes")));
        }
        // Memory grows as bytes arrive, so that a length alone allocates nothing.
        let mut reply = Vec::new();
        while reply.len() < length {
            const BLOCK_LEN: usize = 1 << 20;
            let from = reply.len();
            reply.resize(length.min(from + BLOCK_LEN), 0);
            self.read(&mut reply[from..], patience)?;
        }
        self.disk_watch.measure()?;
        Ok(reply)
    }

    fn read(&mut self, mut buffer: &mut [u8], patience: &mut Patience) -> io::Result<()> {
        while !buffer.is_empty() {
            let read = self.socket.read(buffer);
            self.disk_watch.check()?;
            match read {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => buffer = &mut buffer[length..],
                Err(error) if is_pause(&error) => patience.check()?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write(&mut self, mut bytes: &[u8], patience: &mut Patience) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.socket.write(bytes) {
                Ok(length) => bytes = &bytes[length..],
                Err(error) if is_pause(&error) => patience.check()?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Describes why the agent gave no reply, with the last error in its log.
    fn describe_exit(&mut self, error: &io::Error) -> Loss {
        if error.kind() == io::ErrorKind::TimedOut {
            return Loss::new(format!("the agent {error}"));
        }
        if error.kind() == io::ErrorKind::StorageFull {
            return Loss::new(error.to_string());
        }
        let reason = match self.wait_for_exit() {
            Some(status) => describe_status(status),
            None => format!("the agent closed its socket: {error}"),
        };
        let last_error = read_last_error(self.folders.settings());
        Loss { reason, log: last_error.into_iter().collect() }
    }

    #[expect(clippy::disallowed_methods, reason = "a child's end can only be polled for")]
    fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        loop {
            match self.process.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for AgentProcess {
    fn drop(&mut self) {
        self.process.child.end();
    }
}

/// Runs one of the agent's tools, which need no app and no sandbox, and waits until it ends.
pub fn run_agent_tool<'a>(
    setup: &AgentSetup,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> Result<(), DeviceError> {
    let folder = PrivateFolder::create_in_memory().map_err(cannot_start)?;
    run_tool(java::tool_command(setup, folder.path(), arguments), folder.path())
}

/// Runs a tool of the agent in a process like an agent's, and waits until it ends.
pub fn run_agent_trial<'a>(
    setup: &AgentSetup,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> Result<(), DeviceError> {
    let folder = PrivateFolder::create_in_memory().map_err(cannot_start)?;
    run_tool(java::trial_command(setup, folder.path(), arguments), folder.path())
}

/// Makes the JVM's archive in a folder with a list of classes.
pub fn make_class_archive(setup: &AgentSetup, folder: &Path) -> Result<(), DeviceError> {
    run_tool(java::archive_command(setup, folder), folder)
}

/// Runs a tool that makes or signs APKs, and waits until it ends. Returns what it says if it fails.
pub fn run_packaging_tool<'a>(
    setup: &PackagingSetup,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> Result<Option<ToolFailure>, DeviceError> {
    let folder = PrivateFolder::create_in_memory().map_err(cannot_start)?;
    wait_for_tool(java::packaging_command(setup, folder.path(), arguments), folder.path())
}

/// Makes a keystore with a debug key.
pub fn make_debug_key(setup: &PackagingSetup, keystore: &Path) -> Result<(), DeviceError> {
    let folder = PrivateFolder::create_in_memory().map_err(cannot_start)?;
    run_tool(java::keytool_command(&setup.jdk, keystore, folder.path()), folder.path())
}

fn run_tool(command: io::Result<Command>, folder: &Path) -> Result<(), DeviceError> {
    match wait_for_tool(command, folder)? {
        None => Ok(()),
        Some(ToolFailure { status, message }) => {
            let status = describe_status(status);
            Err(DeviceError::Setup(format!("{status}, saying: {message}")))
        }
    }
}

/// How a tool ended that failed.
#[derive(Debug)]
pub struct ToolFailure {
    pub status: ExitStatus,
    /// The first line of its output.
    pub message: String,
}

fn wait_for_tool(
    command: io::Result<Command>,
    folder: &Path,
) -> Result<Option<ToolFailure>, DeviceError> {
    let status = command
        .and_then(spawner::spawn)
        .and_then(|mut child| child.wait())
        .map_err(cannot_start)?;
    if status.success() {
        return Ok(None);
    }
    let message = read_first_line(folder).unwrap_or_else(|| "nothing".into());
    Ok(Some(ToolFailure { status, message }))
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn cannot_start(error: io::Error) -> DeviceError {
    DeviceError::Setup(format!("cannot start Java: {error}"))
}

/// Draws a number that the app cannot guess. A hasher of the standard library has random keys.
fn draw_nonce() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Returns true if nothing has arrived yet, or a signal came first.
fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

#[cfg(test)]
mod tests;
