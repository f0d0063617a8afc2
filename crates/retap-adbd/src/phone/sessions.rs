//! Apps in parts: a session collects the base and its splits, and installs them as one app.

use super::{InstallFailure, InstallOptions, PhoneState};
use retap_apk::{ArchiveWriter, Packing};
use std::collections::BTreeMap;

/// Sessions that a client forgets must not fill the memory.
const MAX_SESSIONS: usize = 8;
/// All parts of all sessions together.
const MAX_BYTES: usize = 1 << 30;
const FIRST: u32 = 1_000;

/// The sessions that were begun and not ended.
#[derive(Debug, Default)]
pub struct InstallSessions {
    open: BTreeMap<u32, InstallSession>,
    begun: u32,
}

#[derive(Debug)]
struct InstallSession {
    options: InstallOptions,
    parts: BTreeMap<String, Vec<u8>>,
}

impl InstallSessions {
    /// Begins a session and returns its number. The oldest one gives way if there are too many.
    pub fn begin(&mut self, options: InstallOptions) -> u32 {
        if self.open.len() >= MAX_SESSIONS {
            self.open.pop_first();
        }
        let number = FIRST + self.begun;
        self.begun += 1;
        self.open.insert(number, InstallSession { options, parts: BTreeMap::new() });
        number
    }

    pub fn end(&mut self, number: u32) -> bool {
        self.open.remove(&number).is_some()
    }

    /// Adds a part. The error is a sentence.
    pub fn add(&mut self, number: u32, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        let held = self.open.values().flat_map(|session| session.parts.values());
        let held: usize = held.map(Vec::len).sum();
        let Some(session) = self.open.get_mut(&number) else {
            return Err(unknown(number));
        };
        if held + bytes.len() > MAX_BYTES {
            return Err("No space left on device".into());
        }
        session.parts.insert(name.to_string(), bytes);
        Ok(())
    }
}

fn unknown(number: u32) -> String {
    format!("no install session {number}")
}

impl PhoneState {
    /// Installs what a session has collected, and ends it.
    pub fn commit(&mut self, number: u32) -> Result<String, InstallFailure> {
        let Some(InstallSession { options, parts }) = self.sessions.open.remove(&number) else {
            return Err(InstallFailure::new("INSTALL_FAILED_INTERNAL_ERROR", unknown(number)));
        };
        match parts.len() {
            0 => Err(InstallFailure::new("INSTALL_FAILED_INVALID_APK", "no part was written")),
            1 => self.install_bytes(&parts.into_values().next().unwrap_or_default(), options),
            _ => self.install_bytes(&bundle(&parts)?, options),
        }
    }
}

/// Puts the parts into a file as devices take them.
fn bundle(parts: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>, InstallFailure> {
    let mut writer = ArchiveWriter::new(Vec::new());
    let mut write = || {
        for (index, content) in parts.values().enumerate() {
            // Names are the client's; a number cannot say anything wrong.
            writer.add(&format!("{index}.apk"), content, Packing::Stored)?;
        }
        Ok(())
    };
    let written: std::io::Result<()> = write();
    written.and_then(|()| writer.finish()).map_err(|error| {
        InstallFailure::new("INSTALL_FAILED_INSUFFICIENT_STORAGE", error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_bounded_and_known_by_number() {
        let mut sessions = InstallSessions::default();
        let first = sessions.begin(InstallOptions::default());
        assert!(sessions.add(first, "base.apk", vec![1]).is_ok());
        assert!(sessions.add(first + 1, "base.apk", vec![1]).unwrap_err().contains("no install"));
        for _ in 0..MAX_SESSIONS {
            sessions.begin(InstallOptions::default());
        }
        assert!(!sessions.end(first), "the oldest gave way");
        assert_eq!(sessions.open.len(), MAX_SESSIONS);
    }
}
