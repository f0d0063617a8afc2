//! What goes wrong between retap and a phone, in sentences that say what to do.

use retap_device::DeviceError;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A failure of adb, of its server or of the way to the phone.
#[derive(Debug, thiserror::Error)]
pub enum AdbFailure {
    #[error(
        "no adb server answers at {server}, and {} cannot start one ({reason}): install adb (Debian: apt install adb; others: Android's platform-tools)",
        program.display()
    )]
    NoProgram { server: SocketAddr, program: PathBuf, reason: String },
    #[error("no adb server answers at {server}: {source}")]
    NoServer { server: SocketAddr, source: io::Error },
    /// The server's or the phone's own words.
    #[error("adb says: {0}")]
    Refused(String),
    #[error("the connection to {serial} was cut: {source}")]
    Cut { serial: String, source: io::Error },
    #[error("{serial} did not answer within {seconds} s")]
    Silent { serial: String, seconds: u64 },
    /// The answer is not what the protocol or the command promises.
    #[error("{0}")]
    Malformed(String),
}

impl AdbFailure {
    /// Returns the error of a device that was in use: it is gone, and another may take its place.
    pub fn lost(&self) -> DeviceError {
        DeviceError::lost(self.to_string())
    }

    /// Returns the error of a device that is yet to be used.
    pub fn at_start(self) -> DeviceError {
        match self {
            AdbFailure::NoProgram { .. } | AdbFailure::NoServer { .. } => {
                DeviceError::Setup(self.to_string())
            }
            other => other.lost(),
        }
    }
}
