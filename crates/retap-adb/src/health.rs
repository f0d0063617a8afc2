//! What this machine has of adb, for `retap doctor`.

use crate::environment::AdbEnvironment;
use crate::host::AdbHost;
use crate::parse::devices::{ListedDevice, TransportState};

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdbCheck {
    pub what: String,
    pub ok: bool,
    pub found: String,
    /// The advice; empty if there is nothing to do.
    pub advice: String,
}

/// Looks at the adb server and every device that it knows. Starts the server if there is none.
pub fn check_adb(environment: &AdbEnvironment) -> Vec<AdbCheck> {
    let host = AdbHost::new(environment.clone());
    let devices = host.ask("host:version").and_then(|version| Ok((version, host.devices()?)));
    let (version, devices) = match devices {
        Ok(found) => found,
        Err(failure) => {
            return vec![AdbCheck {
                what: "adb".into(),
                ok: false,
                found: failure.to_string(),
                advice: "phones and emulators need it; the embedded device does not".into(),
            }];
        }
    };
    let version = u32::from_str_radix(version.trim(), 16).unwrap_or_default();
    let mut checks = vec![AdbCheck {
        what: "adb".into(),
        ok: true,
        found: format!("a server of protocol {version} at {}", environment.server),
        advice: String::new(),
    }];
    if devices.is_empty() {
        checks.push(AdbCheck {
            what: "devices".into(),
            ok: false,
            found: "none".into(),
            advice:
                "plug a phone in and allow USB debugging, start an emulator, or `adb connect HOST`"
                    .into(),
        });
    }
    checks.extend(devices.iter().map(device));
    checks
}

fn device(device: &ListedDevice) -> AdbCheck {
    let ListedDevice { serial, state, model } = device;
    let (found, advice) = match state {
        TransportState::Online if model.is_empty() => ("ready".to_string(), String::new()),
        TransportState::Online => (format!("{model}, ready"), String::new()),
        state => (describe(state), advise(state).to_string()),
    };
    AdbCheck {
        what: format!("device {serial}"),
        ok: *state == TransportState::Online,
        found,
        advice,
    }
}

/// Returns what a state means, in words.
pub fn describe(state: &TransportState) -> String {
    match state {
        TransportState::Online => "ready".into(),
        TransportState::Offline => "offline".into(),
        TransportState::Unauthorized => "unauthorized".into(),
        TransportState::NoPermissions => "not accessible for this user".into(),
        TransportState::Other(word) => format!("in state {word}"),
    }
}

/// Returns what to do about a state.
pub fn advise(state: &TransportState) -> &'static str {
    match state {
        TransportState::Online => "",
        TransportState::Offline => {
            "unlock the phone and plug it in again, or `adb reconnect offline`"
        }
        TransportState::Unauthorized => {
            "answer the question about USB debugging on the phone's screen"
        }
        TransportState::NoPermissions => {
            "give this user access to USB devices of phones (udev rules; Debian: apt install android-sdk-platform-tools-common)"
        }
        TransportState::Other(_) => "start the phone normally",
    }
}
