//! Reads the agent's inventory of a level.

use retap_engine::Failure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Default, Serialize)]
pub(super) struct LevelInventory {
    pub counts: InventoryCounts,
    pub stand_ins: Vec<StandIn>,
    pub unplayed: Vec<UnplayedClass>,
    pub services: Vec<PlayedService>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct InventoryCounts {
    pub classes: u64,
    pub java_own_code: u64,
    pub java_stand_ins: u64,
    pub natives_played: u64,
    pub natives_unplayed: u64,
    /// Robolectric's stand-ins for Java code that are turned away.
    pub shadows_rejected: u64,
}

/// A Java method of the framework that something else replaces.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StandIn {
    pub class: String,
    pub method: String,
    /// `own`, `native-state`, `no-service`, `device-hook` or `speed`.
    pub cause: String,
    pub reason: String,
}

/// A class with native methods that nobody plays.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct UnplayedClass {
    pub class: String,
    /// Separated by spaces.
    pub methods: String,
}

/// A system service that the device plays, or answers for with nothing to tell.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PlayedService {
    pub interface: String,
    pub player: String,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    StandIn(StandIn),
    Unplayed(UnplayedClass),
    Service(PlayedService),
    Count { what: String, n: String },
}

impl LevelInventory {
    pub fn read(lines: &str) -> Result<Self, Failure> {
        let mut inventory = Self::default();
        let mut counts = BTreeMap::new();
        for line in lines.lines() {
            let parsed = serde_json::from_str(line).map_err(|error| {
                Failure::input(format!("the agent's inventory: {error}: {line}"))
            })?;
            match parsed {
                Line::StandIn(one) => inventory.stand_ins.push(one),
                Line::Unplayed(one) => inventory.unplayed.push(one),
                Line::Service(one) => inventory.services.push(one),
                Line::Count { what, n } => {
                    counts.insert(what, n.parse().unwrap_or(0));
                }
            }
        }
        let count = |what: &str| counts.get(what).copied().unwrap_or(0);
        inventory.counts = InventoryCounts {
            classes: count("classes"),
            java_own_code: count("java own code"),
            java_stand_ins: count("java stand-ins"),
            natives_played: count("natives played"),
            natives_unplayed: count("natives unplayed"),
            shadows_rejected: count("shadows rejected"),
        };
        Ok(inventory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let lines = r#"{"kind":"stand_in","class":"android.os.Parcel","method":"a","cause":"own","reason":""}
{"kind":"unplayed","class":"android.media.X","methods":"b c"}
{"kind":"service","interface":"android.app.IAlarmManager","player":"Alarms"}
{"kind":"count","what":"java own code","n":"7"}"#;
        let read = LevelInventory::read(lines).unwrap();
        assert_eq!(read.stand_ins[0].class, "android.os.Parcel");
        assert_eq!(read.unplayed[0].methods, "b c");
        assert_eq!(read.services[0].player, "Alarms");
        assert_eq!(read.counts.java_own_code, 7);
        assert!(LevelInventory::read("{}").is_err());
    }
}
