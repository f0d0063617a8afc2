//! The agent as a child process: started, spoken to with patience that ends, and ended with all that
//! it started itself.

mod cage;
mod java;
mod nursery;
mod surroundings;

pub use cage::gaps;

use crate::setup::Kit;
use crate::wire::{MOST_BYTES, Reply, Request};
use retap_device::DeviceError;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a process that has hung up may take to be gone.
const FAREWELL: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Agent {
    child: Child,
    socket: UnixStream,
    /// Its home and temporary folder, which goes with it.
    folder: TempDir,
}

impl Agent {
    /// In a cage: beside Java and the agent itself it sees its own folder and these files of the app.
    pub fn start(kit: &Kit, app: &[&Path]) -> Result<Self, DeviceError> {
        let failed = |error: io::Error| DeviceError::Setup(format!("cannot start Java: {error}"));
        let folder = tempfile::Builder::new().prefix("retap-agent-").tempdir().map_err(failed)?;
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let mut command = java::command(kit, folder.path(), theirs).map_err(failed)?;
        let permits = surroundings::permits(kit, folder.path(), app);
        cage::enclose(&mut command, &permits).map_err(failed)?;
        let child = nursery::spawn(command).map_err(failed)?;
        Ok(Self { child, socket, folder })
    }

    #[cfg(test)]
    pub fn of(child: Child, socket: UnixStream) -> Self {
        Self { child, socket, folder: tempfile::tempdir().unwrap() }
    }

    /// The one place that it can write to.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// One request, one reply. Whatever goes wrong, this agent is of no more use.
    pub fn call(
        &mut self,
        request: &Request<'_>,
        patience: Duration,
    ) -> Result<Reply, DeviceError> {
        let body = request.encode();
        let answer = self.exchange(&body, Instant::now() + patience);
        let answer = answer.map_err(|error| DeviceError::Lost(self.obituary(&error, patience)))?;
        Reply::decode(&answer)
            .map_err(|error| DeviceError::Lost(format!("the agent's reply is damaged: {error}")))
    }

    fn exchange(&mut self, body: &[u8], until: Instant) -> io::Result<Vec<u8>> {
        let length = u32::try_from(body.len()).ok().filter(|&n| n as usize <= MOST_BYTES);
        let length = length.ok_or_else(|| io::Error::other("the request is too long"))?;
        self.socket.set_write_timeout(Some(left(until)?))?;
        self.socket.write_all(&[&length.to_be_bytes(), body].concat())?;
        let mut header = [0; 4];
        self.read(&mut header, until)?;
        let length = u32::from_be_bytes(header) as usize;
        if length > MOST_BYTES {
            return Err(io::Error::other(format!("the agent announced {length} bytes")));
        }
        // Grown as bytes arrive: a length alone allocates nothing.
        let mut answer = Vec::new();
        while answer.len() < length {
            const AT_ONCE: usize = 1 << 20;
            let from = answer.len();
            answer.resize(length.min(from + AT_ONCE), 0);
            self.read(&mut answer[from..], until)?;
        }
        Ok(answer)
    }

    fn read(&mut self, mut buffer: &mut [u8], until: Instant) -> io::Result<()> {
        while !buffer.is_empty() {
            self.socket.set_read_timeout(Some(left(until)?))?;
            match self.socket.read(buffer) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => buffer = &mut buffer[length..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// How it died, as far as can be told, with what it said last.
    fn obituary(&mut self, error: &io::Error, patience: Duration) -> String {
        if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) {
            return format!("the agent did not answer within {} s", patience.as_secs());
        }
        let how = match self.wait(FAREWELL) {
            Some(status) => ending(status),
            None => format!("the agent hung up: {error}"),
        };
        match last_words(&self.folder.path().join(java::LOG)) {
            Some(said) => format!("{how}, saying: {said}"),
            None => how,
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

/// Starts the agent's other half, which needs no app, and waits until it is done.
pub fn run_to_end<'a>(
    kit: &Kit,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> Result<(), DeviceError> {
    let failed = |error: io::Error| DeviceError::Setup(format!("cannot start Java: {error}"));
    let folder = tempfile::Builder::new().prefix("retap-agent-").tempdir().map_err(failed)?;
    let command = java::plain_command(kit, folder.path(), arguments).map_err(failed)?;
    let status = nursery::spawn(command).and_then(|mut child| child.wait()).map_err(failed)?;
    if status.success() {
        return Ok(());
    }
    let log = fs::read_to_string(folder.path().join(java::LOG)).unwrap_or_default();
    let said = log.lines().next().unwrap_or("nothing");
    Err(DeviceError::Setup(format!("{}, saying: {said}", ending(status))))
}

impl Drop for Agent {
    fn drop(&mut self) {
        // The group has its leader's number; others of it may outlive the leader.
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// The end of a log, where it is a stack trace: what was thrown with its causes, each with where.
fn last_words(log: &Path) -> Option<String> {
    const MOST: u64 = 64 << 10;
    let mut log = fs::File::open(log).ok()?;
    let length = log.metadata().ok()?.len();
    log.seek(SeekFrom::Start(length.saturating_sub(MOST))).ok()?;
    let mut said = Vec::new();
    log.read_to_end(&mut said).ok()?;
    let said = String::from_utf8_lossy(&said);
    let mut words: Vec<&str> = Vec::new();
    let mut frame = None;
    for line in said.lines().rev().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with("at ") {
            frame = Some(line);
        } else if !line.starts_with("... ") {
            words.extend(frame.take());
            words.push(line);
            if !line.starts_with("Caused by: ") {
                break;
            }
        }
    }
    words.reverse();
    (!words.is_empty()).then(|| words.join(" "))
}

fn left(until: Instant) -> io::Result<Duration> {
    until
        .checked_duration_since(Instant::now())
        .filter(|left| !left.is_zero())
        .ok_or_else(|| io::ErrorKind::TimedOut.into())
}

fn ending(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("the agent was killed by signal {signal}"),
        (None, Some(code)) => format!("the agent ended with status {code}"),
        (None, None) => "the agent ended".to_string(),
    }
}

#[cfg(test)]
mod tests;
