//! Sends a file to a phone, for those that cannot take an APK from a stream.

use super::AdbHost;
use crate::failure::AdbFailure;
use std::time::Duration;

/// The longest part that the protocol allows.
const PART: usize = 64 << 10;
const MODE: u32 = 0o100_644;

impl AdbHost {
    /// Writes a file on the phone.
    pub fn push(
        &self,
        serial: &str,
        path: &str,
        content: &[u8],
        limit: Duration,
    ) -> Result<(), AdbFailure> {
        let mut service = self.open(serial, "sync:", limit)?;
        let target = format!("{path},{MODE}");
        service.write(&frame(b"SEND", target.as_bytes()))?;
        for part in content.chunks(PART) {
            service.write(&frame(b"DATA", part))?;
        }
        // The time of the file; nobody asks for it.
        service.write(&[b"DONE".as_slice(), &1u32.to_le_bytes()].concat())?;
        let mut answer = [0; 8];
        service.read_exact(&mut answer)?;
        if answer.starts_with(b"OKAY") {
            return Ok(());
        }
        let length = u32::from_le_bytes([answer[4], answer[5], answer[6], answer[7]]);
        let mut reason = vec![0; length.min(4_096) as usize];
        service.read_exact(&mut reason)?;
        Err(AdbFailure::Refused(String::from_utf8_lossy(&reason).into_owned()))
    }
}

fn frame(id: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes();
    [id.as_slice(), &length, content].concat()
}
