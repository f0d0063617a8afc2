//! Runs commands in a phone's shell.

use super::{AdbHost, decode};
use crate::failure::AdbFailure;
use std::time::Duration;

/// What a line of commands printed. Phones before Android 7 do not tell errors from output, nor the exit code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShellReply {
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    pub code: Option<u8>,
}

impl ShellReply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }

    /// Returns everything that was printed, for messages.
    pub fn said(&self) -> String {
        let errors = String::from_utf8_lossy(&self.errors);
        let all = format!("{}\n{errors}", self.text());
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Which shell service a phone has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellProtocol {
    /// Before Android 7: a raw stream.
    First,
    Second,
}

impl AdbHost {
    /// Runs a line of commands.
    pub fn shell(
        &self,
        serial: &str,
        protocol: ShellProtocol,
        line: &str,
        limit: Duration,
    ) -> Result<ShellReply, AdbFailure> {
        let service = match protocol {
            ShellProtocol::First => format!("exec:{line}"),
            ShellProtocol::Second => format!("shell,v2,raw:{line}"),
        };
        let mut service = self.open(serial, &service, limit)?;
        let bytes = service.read_all()?;
        match protocol {
            ShellProtocol::First => {
                Ok(ShellReply { output: bytes, errors: Vec::new(), code: None })
            }
            ShellProtocol::Second => decode(&bytes, serial),
        }
    }
}
