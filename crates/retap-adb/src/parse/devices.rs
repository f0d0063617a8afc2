//! The list of devices: `adb devices -l`.

/// A device that the adb server knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedDevice {
    pub serial: String,
    pub state: TransportState,
    /// The model's name, if the device told it.
    pub model: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransportState {
    Online,
    Offline,
    /// Nobody has allowed this computer on the phone's screen.
    Unauthorized,
    /// This user may not open the phone's USB device.
    NoPermissions,
    /// Anything else, such as `recovery` or `sideload`, in adb's word.
    Other(String),
}

pub fn parse_devices(text: &str) -> Vec<ListedDevice> {
    text.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<ListedDevice> {
    let line = line.trim();
    let (serial, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    // What adb says of itself stands between the lines of devices.
    if serial.starts_with('*') || line.starts_with("List of devices") {
        return None;
    }
    let word = rest.split_whitespace().next()?;
    let state = match word {
        "device" => TransportState::Online,
        "offline" | "authorizing" | "connecting" => TransportState::Offline,
        "unauthorized" => TransportState::Unauthorized,
        "no" if rest.starts_with("no permissions") => TransportState::NoPermissions,
        other => TransportState::Other(other.to_string()),
    };
    let model = rest.split_whitespace().find_map(|part| part.strip_prefix("model:"));
    Some(ListedDevice {
        serial: serial.into(),
        state,
        model: model.unwrap_or_default().replace('_', " "),
    })
}
