//! A child process with its process group. It may have been born by another child, which has ended.

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};

/// A child process that leads, or continues, a process group.
#[derive(Debug)]
pub struct ChildProcess {
    id: Pid,
    group: Pid,
    status: Option<ExitStatus>,
}

impl ChildProcess {
    pub fn new(child: &Child) -> io::Result<Self> {
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Self::from_id(id.ok_or(io::ErrorKind::InvalidData)?))
    }

    pub fn from_id(id: Pid) -> Self {
        Self { id, group: id, status: None }
    }

    /// Returns the process that this one, which has ended, left in its group.
    pub fn continued_by(self, id: Pid) -> Self {
        Self { id, ..self }
    }

    pub fn id(&self) -> u32 {
        self.id.as_raw_pid().unsigned_abs()
    }

    /// Returns the exit status if the process has ended.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.wait_with(WaitOptions::NOHANG)
    }

    #[cfg(test)]
    pub fn wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.wait_with(WaitOptions::empty())
    }

    /// Kills the process and its group, and waits for the end.
    pub fn end(&mut self) {
        if self.status.is_some() {
            return;
        }
        // Other members of the group may outlive its leader, and a process may have left its group.
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = kill_process(self.id, Signal::KILL);
        let _ = self.wait_with(WaitOptions::empty());
    }

    fn wait_with(&mut self, options: WaitOptions) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            let ended = rustix::io::retry_on_intr(|| waitpid(Some(self.id), options))?;
            self.status = ended.map(|(_, status)| ExitStatus::from_raw(status.as_raw()));
        }
        Ok(self.status)
    }
}
