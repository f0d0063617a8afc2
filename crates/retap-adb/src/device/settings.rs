//! Settings of the phone that retap changes while it uses it, and gives back at the end.

use super::shell::PhoneShell;
use crate::failure::AdbFailure;
use retap_model::format::shell::quote;

/// Animations keep a screen from coming to rest, and a sensor must not turn it.
const CHANGED: [(&str, &str, Option<&str>); 5] = [
    ("global", "window_animation_scale", Some("0")),
    ("global", "transition_animation_scale", Some("0")),
    ("global", "animator_duration_scale", Some("0")),
    ("system", "accelerometer_rotation", None),
    ("system", "user_rotation", None),
];

/// What the settings were.
#[derive(Debug)]
pub struct KeptSettings {
    values: Vec<String>,
}

impl KeptSettings {
    /// Reads the settings and changes those that disturb.
    pub fn take(shell: &PhoneShell) -> Result<Self, AdbFailure> {
        let command = |(space, name, value): &(&str, &str, Option<&str>)| match value {
            Some(value) => {
                format!("settings get {space} {name}; settings put {space} {name} {value}")
            }
            None => format!("settings get {space} {name}"),
        };
        let commands: Vec<String> = CHANGED.iter().map(command).collect();
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        let sections = shell.run_batch(&commands)?;
        let value = |text: &str| text.lines().next().unwrap_or_default().trim().to_string();
        Ok(Self { values: sections.iter().map(|section| value(&section.text)).collect() })
    }

    /// Puts the settings back. A phone that is gone keeps what it has.
    pub fn give_back(&self, shell: &PhoneShell) {
        let command = |((space, name, _), value): (&(&str, &str, Option<&str>), &String)| {
            match value.as_str() {
                "" | "null" => format!("settings delete {space} {name}"),
                value => format!("settings put {space} {name} {}", quote(value)),
            }
        };
        let commands: Vec<String> = CHANGED.iter().zip(&self.values).map(command).collect();
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        // Nobody is left to tell.
        let _ = shell.run_batch(&commands);
    }
}
