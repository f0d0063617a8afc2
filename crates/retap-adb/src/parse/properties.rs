//! `getprop`: `[name]: [value]`, one on a line.

use std::collections::BTreeMap;

/// The properties of a phone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PhoneProperties(BTreeMap<String, String>);

impl PhoneProperties {
    pub fn parse(text: &str) -> Self {
        let mut properties = BTreeMap::new();
        for line in text.lines() {
            let parts = line.trim().strip_prefix('[').and_then(|rest| rest.split_once("]: ["));
            if let Some((name, value)) = parts {
                // A value of several lines ends elsewhere; its first line is enough.
                let value = value.strip_suffix(']').unwrap_or(value);
                properties.insert(name.to_string(), value.to_string());
            }
        }
        Self(properties)
    }

    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Returns the API level; a preview of the next one counts as it.
    pub fn api(&self) -> Option<u32> {
        let level: u32 = self.get("ro.build.version.sdk").trim().parse().ok()?;
        let is_preview = self.get("ro.build.version.preview_sdk").parse().is_ok_and(|n: u32| n > 0);
        Some(level + u32::from(is_preview))
    }

    pub fn has_booted(&self) -> bool {
        self.get("sys.boot_completed") == "1"
    }

    /// Returns true for the phone that `retap serve --adb` plays, which tells more than others.
    pub fn is_of_retap(&self) -> bool {
        self.get("ro.retap.device") == "1"
    }

    pub fn abis(&self) -> &str {
        match self.get("ro.product.cpu.abilist") {
            "" => self.get("ro.product.cpu.abi"),
            list => list,
        }
    }
}
