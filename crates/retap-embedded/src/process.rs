//! The agent as a child process: started, spoken to with a timeout, and killed together with
//! everything it started.

mod allowed_files;
mod exit;
mod java;
mod preload;
mod recording;
mod sandbox;
mod spawner;

pub use java::{CLASS_ARCHIVE, CLASS_LIST, LOG};
pub use recording::RECORDING;
pub use sandbox::missing_protections;

use crate::setup::AgentSetup;
use crate::wire::{AgentReply, AgentRequest, MAX_FRAME_LEN};
use exit::{describe_status, read_last_error};
use retap_device::DeviceError;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The time that a process may take to end after it closed its socket.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// A running agent. Dropping it kills the process.
#[derive(Debug)]
pub struct AgentProcess {
    child: Child,
    socket: UnixStream,
    /// Its home and temporary folder, which is deleted with it.
    folder: TempDir,
}

impl AgentProcess {
    /// Starts an agent in the sandbox. Besides Java and the agent itself it sees its own folder and
    /// these files of the app.
    pub fn start(setup: &AgentSetup, app: &[&Path]) -> Result<Self, DeviceError> {
        let folder = create_folder()?;
        let (socket, agents_socket) = UnixStream::pair().map_err(cannot_start)?;
        let mut command =
            java::agent_command(setup, folder.path(), agents_socket).map_err(cannot_start)?;
        preload::add(&mut command, folder.path()).map_err(cannot_start)?;
        let files = allowed_files::for_agent(setup, folder.path(), app);
        sandbox::confine(&mut command, &files).map_err(cannot_start)?;
        let child = spawner::spawn(command).map_err(cannot_start)?;
        Ok(Self { child, socket, folder })
    }

    #[cfg(test)]
    fn from_child(child: Child, socket: UnixStream) -> Self {
        Self { child, socket, folder: tempfile::tempdir().unwrap() }
    }

    /// Returns the only folder that the agent can write to.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and waits for its reply. After an error the agent cannot be used any more.
    pub fn call(
        &mut self,
        request: &AgentRequest<'_>,
        timeout: Duration,
    ) -> Result<AgentReply, DeviceError> {
        let body = request.encode();
        let reply = self.exchange(&body, deadline_in(timeout));
        let reply =
            reply.map_err(|error| DeviceError::Lost(self.describe_exit(&error, timeout)))?;
        AgentReply::decode(&reply)
            .map_err(|error| DeviceError::Lost(format!("the agent's reply is damaged: {error}")))
    }

    fn exchange(&mut self, body: &[u8], deadline: Instant) -> io::Result<Vec<u8>> {
        let length = u32::try_from(body.len()).ok().filter(|&n| n as usize <= MAX_FRAME_LEN);
        let length = length.ok_or_else(|| io::Error::other("the request is too long"))?;
        self.socket.set_write_timeout(Some(time_left(deadline)?))?;
        self.socket.write_all(&[&length.to_be_bytes(), body].concat())?;
        let mut header = [0; 4];
        self.read(&mut header, deadline)?;
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
            self.read(&mut reply[from..], deadline)?;
        }
        Ok(reply)
    }

    fn read(&mut self, mut buffer: &mut [u8], deadline: Instant) -> io::Result<()> {
        while !buffer.is_empty() {
            self.socket.set_read_timeout(Some(time_left(deadline)?))?;
            match self.socket.read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => buffer = &mut buffer[length..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Describes why the agent gave no reply, with the last error in its log.
    fn describe_exit(&mut self, error: &io::Error, timeout: Duration) -> String {
        if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) {
            return format!("the agent did not answer within {} s", timeout.as_secs());
        }
        let reason = match self.wait_for_exit() {
            Some(status) => describe_status(status),
            None => format!("the agent closed its socket: {error}"),
        };
        match read_last_error(&self.folder.path().join(java::LOG)) {
            Some(message) => format!("{reason}, saying: {message}"),
            None => reason,
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a child's end can only be polled for")]
    fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + EXIT_TIMEOUT;
        loop {
            match self.child.try_wait() {
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
        // The group has its leader's id. Other members may outlive the leader.
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// Runs one of the agent's tools, which need no app and no sandbox, and waits until it ends.
pub fn run_agent_tool<'a>(
    setup: &AgentSetup,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> Result<(), DeviceError> {
    let folder = create_folder()?;
    run_tool(java::tool_command(setup, folder.path(), arguments), folder.path())
}

/// Runs a tool of the agent in a process like an agent's, and waits until it ends.
pub fn run_agent_trial<'a>(
    setup: &AgentSetup,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> Result<(), DeviceError> {
    let folder = create_folder()?;
    run_tool(java::trial_command(setup, folder.path(), arguments), folder.path())
}

/// Makes the JVM's archive in a folder with a list of classes.
pub fn make_class_archive(setup: &AgentSetup, folder: &Path) -> Result<(), DeviceError> {
    run_tool(java::archive_command(setup, folder), folder)
}

fn run_tool(command: io::Result<Command>, folder: &Path) -> Result<(), DeviceError> {
    let status = command
        .and_then(spawner::spawn)
        .and_then(|mut child| child.wait())
        .map_err(cannot_start)?;
    if status.success() {
        return Ok(());
    }
    let log = fs::read_to_string(folder.join(java::LOG)).unwrap_or_default();
    let message = log.lines().next().unwrap_or("nothing");
    Err(DeviceError::Setup(format!("{}, saying: {message}", describe_status(status))))
}

fn create_folder() -> Result<TempDir, DeviceError> {
    tempfile::Builder::new().prefix("retap-agent-").tempdir().map_err(cannot_start)
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn cannot_start(error: io::Error) -> DeviceError {
    DeviceError::Setup(format!("cannot start Java: {error}"))
}

#[expect(clippy::disallowed_methods, reason = "an agent that hangs must not hang retap")]
fn deadline_in(timeout: Duration) -> Instant {
    Instant::now() + timeout
}

#[expect(clippy::disallowed_methods, reason = "an agent that hangs must not hang retap")]
fn time_left(deadline: Instant) -> io::Result<Duration> {
    deadline
        .checked_duration_since(Instant::now())
        .filter(|left| !left.is_zero())
        .ok_or_else(|| io::ErrorKind::TimedOut.into())
}

#[cfg(test)]
mod tests;
