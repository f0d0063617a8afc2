//! The names of an app's resources by id, because ids move from build to build and names do not.

use std::collections::BTreeMap;

use retap_apk::ResourceTable;

/// The ids of an app's own package begin with this byte; those of the framework with 0x01.
const APP_PACKAGE: i64 = 0x7f;

/// Every resource's name by its id.
#[derive(Debug, Default)]
pub struct ResourceNames {
    names: BTreeMap<u32, String>,
    ids: BTreeMap<String, u32>,
}

impl ResourceNames {
    pub fn new(table: Option<&ResourceTable>) -> Self {
        let entries = table.and_then(|table| table.entries().ok()).unwrap_or_default();
        let names: BTreeMap<u32, String> =
            entries.iter().map(|entry| (entry.id, entry.name.to_string())).collect();
        let ids = names.iter().map(|(id, name)| (name.clone(), *id)).collect();
        ResourceNames { names, ids }
    }

    /// Returns `@id/title` for the literal that stands for it.
    pub fn of_literal(&self, literal: i64) -> Option<&str> {
        (literal >> 24 == APP_PACKAGE).then_some(())?;
        self.name(u32::try_from(literal).ok()?)
    }

    pub fn name(&self, id: u32) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// Returns the id of `@id/title`.
    pub fn id(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }
}
