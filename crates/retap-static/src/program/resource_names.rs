//! The names of an app's resources by id, because ids move from build to build and names do not.

use std::collections::BTreeMap;

use retap_apk::{ResourceContent, ResourceTable, ResourceValue};

/// The ids of an app's own package begin with this byte; those of the framework with 0x01.
const APP_PACKAGE: i64 = 0x7f;

/// Every resource's name by its id.
#[derive(Debug, Default)]
pub struct ResourceNames {
    names: BTreeMap<u32, String>,
    ids: BTreeMap<String, u32>,
    /// The files of layouts, menus and other XML, one for each configuration, the plainest first.
    files: BTreeMap<u32, Vec<String>>,
}

/// The kinds of resources that are XML files about windows.
const XML_KINDS: [&str; 4] = ["layout", "menu", "xml", "navigation"];

impl ResourceNames {
    pub fn new(table: Option<&ResourceTable>) -> Self {
        let entries = table.and_then(|table| table.entries().ok()).unwrap_or_default();
        let names: BTreeMap<u32, String> =
            entries.iter().map(|entry| (entry.id, entry.name.to_string())).collect();
        let ids = names.iter().map(|(id, name)| (name.clone(), *id)).collect();
        let mut files = BTreeMap::<u32, Vec<String>>::new();
        for entry in entries.iter().filter(|it| XML_KINDS.contains(&&*it.name.kind)) {
            if let ResourceContent::Value(ResourceValue::Text(file)) = &entry.content {
                files.entry(entry.id).or_default().push(file.to_string());
            }
        }
        ResourceNames { names, ids, files }
    }

    /// Returns the XML files of a resource such as `@layout/main`.
    pub fn files(&self, name: &str) -> &[String] {
        self.id(name).and_then(|id| self.files.get(&id)).map_or(&[], Vec::as_slice)
    }

    /// Returns the names that begin like this, as `@layout/preference`.
    pub fn beginning(&self, beginning: &'static str) -> impl Iterator<Item = &str> {
        let names = self.ids.range(beginning.to_owned()..).map(|(name, _)| name.as_str());
        names.take_while(move |name| name.starts_with(beginning))
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
