//! The shell of one phone: lines of several commands, each a round trip.

use crate::failure::AdbFailure;
use crate::host::{AdbHost, OpenService, ShellProtocol};
use crate::parse::sections::{Batch, CommandSection};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Commands that do not wait for the app answer within this time, also on a slow emulator.
pub const SHORT: Duration = Duration::from_secs(60);
const SECOND_PROTOCOL: &str = "shell_v2";

/// A phone's shell.
#[derive(Debug)]
pub struct PhoneShell {
    host: AdbHost,
    serial: String,
    protocol: ShellProtocol,
    batches: AtomicU64,
}

impl PhoneShell {
    pub fn connect(host: AdbHost, serial: &str) -> Result<Self, AdbFailure> {
        let features = host.features(serial)?;
        let has = features.split(',').any(|feature| feature.trim() == SECOND_PROTOCOL);
        let protocol = if has { ShellProtocol::Second } else { ShellProtocol::First };
        Ok(Self { host, serial: serial.into(), protocol, batches: AtomicU64::new(0) })
    }

    pub fn serial(&self) -> &str {
        &self.serial
    }

    pub fn round_trips(&self) -> u64 {
        self.host.round_trips()
    }

    pub fn new_batch(&self) -> Batch {
        Batch::new(self.batches.fetch_add(1, Ordering::Relaxed))
    }

    /// Runs commands in one round trip.
    pub fn run_batch(&self, commands: &[&str]) -> Result<Vec<CommandSection>, AdbFailure> {
        let mut batch = self.new_batch();
        for command in commands {
            batch.add(command);
        }
        self.run(&batch, commands.len(), SHORT)
    }

    /// Runs a batch of `count` commands. An answer that lacks one was cut.
    pub fn run(
        &self,
        batch: &Batch,
        count: usize,
        limit: Duration,
    ) -> Result<Vec<CommandSection>, AdbFailure> {
        let reply = self.host.shell(&self.serial, self.protocol, batch.line(), limit)?;
        let sections = batch.split(&reply.text());
        if sections.len() < count {
            let said: String = reply.said().chars().rev().take(200).collect();
            let said: String = said.chars().rev().collect();
            return Err(AdbFailure::Malformed(format!(
                "{} cut its answer after {} of {count} commands: … {said}",
                self.serial,
                sections.len(),
            )));
        }
        Ok(sections)
    }

    /// Runs one command and returns its output as it is.
    pub fn exec(&self, command: &str, limit: Duration) -> Result<Vec<u8>, AdbFailure> {
        self.open_exec(command, limit)?.read_all()
    }

    pub fn open_exec(&self, command: &str, limit: Duration) -> Result<OpenService, AdbFailure> {
        self.host.open(&self.serial, &format!("exec:{command}"), limit)
    }

    pub fn push(&self, path: &str, content: &[u8], limit: Duration) -> Result<(), AdbFailure> {
        self.host.push(&self.serial, path, content, limit)
    }
}
