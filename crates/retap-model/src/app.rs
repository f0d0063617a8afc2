//! The app, the display and the world of a trace: its header names them, and a replay compares
//! them.

use crate::coverage::Units;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Facts about an installed app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct App {
    pub identity: AppIdentity,
    /// All activities that the app declares, fully qualified.
    pub activities: Vec<String>,
    /// Actions that the app's declared receivers listen to. A generator of system events may send
    /// them.
    pub broadcasts: Vec<String>,
    /// The code units that coverage refers to. The same app has the same table on every device of a
    /// kind.
    pub units: Arc<Units>,
    /// The libraries inside the app, with the number of their classes, which do not count as its
    /// code.
    pub libraries: BTreeMap<String, u64>,
}

/// One version of one app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppIdentity {
    pub package: String,
    #[serde(default)]
    pub version: String,
    pub sha256: String,
}

/// The number that decides everything the app cannot tell from chance.
pub type WorldSeed = u64;

/// Screen size and density, written `1080x1920@480`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Display {
    pub width: u32,
    pub height: u32,
    pub dpi: u32,
}

impl Default for Display {
    fn default() -> Self {
        Self { width: 1080, height: 1920, dpi: 480 }
    }
}

impl fmt::Display for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}@{}", self.width, self.height, self.dpi)
    }
}

impl FromStr for Display {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let (size, dpi) = text.split_once('@')?;
            let (width, height) = size.split_once('x')?;
            let display = Self {
                width: width.parse().ok()?,
                height: height.parse().ok()?,
                dpi: dpi.parse().ok()?,
            };
            let sensible = (1..=20_000).contains(&display.width)
                && (1..=20_000).contains(&display.height)
                && (40..=2_000).contains(&display.dpi);
            sensible.then_some(display)
        };
        parse().ok_or_else(|| {
            format!("expected WIDTHxHEIGHT@DPI such as 1080x1920@480, found {text:?}")
        })
    }
}

impl Serialize for Display {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Display {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_display_reads_what_it_writes() {
        let display = Display { width: 480, height: 854, dpi: 240 };
        assert_eq!(display.to_string().parse(), Ok(display));
    }

    #[test]
    fn a_display_without_density_is_refused_with_an_example() {
        let error = "1080x1920".parse::<Display>().unwrap_err();
        assert!(error.contains("1080x1920@480"), "{error}");
    }
}
