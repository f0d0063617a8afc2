//! Reads from the app's providers.

use super::shell::{PhoneShell, SHORT};
use retap_device::DeviceError;
use retap_model::format::shell::quote;

/// Returns what a provider offers under an address. Its bytes come raw, so that the exit code has to follow them.
pub fn read(shell: &PhoneShell, uri: &str) -> Result<Vec<u8>, DeviceError> {
    const MARK: &str = "@@retap:read:";
    let line = format!("content read --uri {} 2>&1; echo {MARK}$?", quote(uri));
    let mut bytes = shell.exec(&line, SHORT).map_err(|failure| failure.lost())?;
    let end = bytes.windows(MARK.len()).rposition(|window| window == MARK.as_bytes());
    let Some(end) = end else {
        return Err(DeviceError::lost("it cut its answer while the app's coverage was read"));
    };
    let code = String::from_utf8_lossy(&bytes[end + MARK.len()..]).trim().to_string();
    bytes.truncate(end);
    // A phone says what went wrong with exit code 0 as well.
    let said = [b"Error while accessing provider".as_slice(), b"[ERROR]"];
    if code == "0" && !said.iter().any(|words| bytes.starts_with(words)) {
        return Ok(bytes);
    }
    let words = String::from_utf8_lossy(&bytes);
    let words: Vec<&str> = words.split_whitespace().take(40).collect();
    Err(DeviceError::App(format!("the phone says: {}", words.join(" "))))
}
