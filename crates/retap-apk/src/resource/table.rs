//! The resource table, `resources.arsc`: the name and the default value of each resource id.

mod configuration;
mod qualifier;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::resource::chunk::{
    Chunk, ChunkError, STRING_POOL, TABLE, TABLE_OVERLAYABLE, TABLE_PACKAGE, TABLE_TYPE,
};
use crate::resource::string_pool::StringPool;
use crate::resource::value::ResourceValue;
use crate::untrusted::{Bytes, ReadBudget};
pub use configuration::ResourceBag;
use configuration::{TableEntry, TypeConfiguration};

/// The number of references that are followed. A longer chain is a circle.
const MAX_HOPS: usize = 16;
/// The largest real arrays have some thousand items.
const MAX_BAG: usize = 100_000;
/// The length of a package header with a type-id offset. Older headers are four bytes shorter.
const NEW_PACKAGE_HEADER: usize = 288;

/// A parsed resource table.
#[derive(Debug)]
pub struct ResourceTable {
    file: Vec<u8>,
    strings: StringPool,
    packages: BTreeMap<u8, Package>,
}

/// A resource's name: `@string/title`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceName {
    pub kind: Arc<str>,
    pub entry: Arc<str>,
}

/// One resource in one configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceEntry {
    pub id: u32,
    pub name: ResourceName,
    /// The configuration as a folder's name states it: `de-land-v21`; empty for the default.
    pub configuration: Arc<str>,
    pub content: ResourceContent,
}

/// The content of a resource.
#[derive(Debug, Clone, PartialEq)]
pub enum ResourceContent {
    Value(ResourceValue),
    Bag(ResourceBag),
}

impl ResourceTable {
    pub fn parse(file: Vec<u8>) -> Result<Self, ChunkError> {
        let bytes = Bytes(&file);
        let mut budget = ReadBudget::for_length(file.len());
        let root = Chunk::at(bytes, 0).filter(|root| root.kind == TABLE);
        let root = root.ok_or(ChunkError::NotChunks)?;
        let mut strings = None;
        let mut packages = BTreeMap::new();
        for chunk in root.children(bytes) {
            match chunk.kind {
                STRING_POOL if strings.is_none() => {
                    strings = Some(StringPool::parse(chunk, &mut budget)?);
                }
                TABLE_PACKAGE => {
                    let (id, package) = Package::parse(bytes, chunk, &mut budget)?;
                    packages.entry(id).or_insert(package);
                }
                _ => {}
            }
        }
        Ok(ResourceTable { strings: strings.unwrap_or_default(), packages, file })
    }

    /// Returns the value of a resource in the default configuration and follows references. `None`
    /// for arrays, styles and other maps, for the framework's own and for ids that do not exist.
    pub fn value(&self, id: u32) -> Option<ResourceValue> {
        let mut id = id;
        for _ in 0..MAX_HOPS {
            match self.entry(id)?.value(&self.strings)? {
                ResourceValue::Reference(next) => id = next,
                value => return Some(value),
            }
        }
        None
    }

    pub fn name(&self, id: u32) -> Option<ResourceName> {
        self.packages.get(&package_of(id))?.name(id, &self.entry(id)?)
    }

    /// Returns every resource in every configuration. References are not followed. Fails if entries share their bytes
    /// far too often.
    pub fn entries(&self) -> Result<Vec<ResourceEntry>, ChunkError> {
        let mut budget = ReadBudget::for_length(self.file.len());
        let mut entries = Vec::new();
        for (&package_id, package) in &self.packages {
            for (&type_id, configurations) in &package.configurations {
                let first = u32::from_be_bytes([package_id, type_id, 0, 0]);
                for configuration in configurations {
                    let name: Arc<str> = configuration.name.as_str().into();
                    for index in configuration.indices(Bytes(&self.file)) {
                        let id = first | (index & 0xffff);
                        let entry = configuration.entry(Bytes(&self.file), index);
                        if let Some(entry) =
                            entry.and_then(|entry| self.entry_in(package, id, &entry, name.clone()))
                        {
                            let items = match &entry.content {
                                ResourceContent::Bag(bag) => bag.items.len(),
                                ResourceContent::Value(_) => 0,
                            };
                            budget.spend(8 + 12 * items).ok_or(ChunkError::TooCostly)?;
                            entries.push(entry);
                        }
                    }
                }
            }
        }
        Ok(entries)
    }

    fn entry_in(
        &self,
        package: &Package,
        id: u32,
        entry: &TableEntry,
        configuration: Arc<str>,
    ) -> Option<ResourceEntry> {
        let content = match entry.value(&self.strings) {
            Some(value) => ResourceContent::Value(value),
            None => ResourceContent::Bag(entry.bag(&self.strings, MAX_BAG)?),
        };
        Some(ResourceEntry { id, name: package.name(id, entry)?, configuration, content })
    }

    /// Returns the items of an array, a style or another map in the default configuration.
    pub fn bag(&self, id: u32) -> Option<ResourceBag> {
        self.entry(id)?.bag(&self.strings, MAX_BAG)
    }

    /// Returns true if the app allows overlays to change some of its resources.
    pub fn is_overlayable(&self) -> bool {
        self.packages.values().any(|package| package.overlayable)
    }

    /// Returns an id's entry in the configuration with the fewest qualifiers that has one.
    fn entry(&self, id: u32) -> Option<TableEntry<'_>> {
        let types = self.packages.get(&package_of(id))?.configurations.get(&type_of(id))?;
        types.iter().find_map(|configuration| configuration.entry(Bytes(&self.file), id & 0xffff))
    }
}

fn package_of(id: u32) -> u8 {
    id.to_be_bytes()[0]
}

fn type_of(id: u32) -> u8 {
    id.to_be_bytes()[1]
}

#[derive(Debug)]
struct Package {
    types: StringPool,
    keys: StringPool,
    /// Feature splits number their types from here on.
    type_offset: u8,
    /// The configurations of each type, those with the fewest qualifiers first.
    configurations: BTreeMap<u8, Vec<TypeConfiguration>>,
    overlayable: bool,
}

impl Package {
    fn name(&self, id: u32, entry: &TableEntry) -> Option<ResourceName> {
        let kind = type_of(id).checked_sub(1)?.checked_sub(self.type_offset)?;
        Some(ResourceName {
            kind: self.types.get(kind.into())?.clone(),
            entry: self.keys.get(entry.key()?)?.clone(),
        })
    }

    /// Returns the package's id and the package.
    fn parse(file: Bytes, chunk: Chunk, budget: &mut ReadBudget) -> Result<(u8, Self), ChunkError> {
        const CUT: ChunkError = ChunkError::Cut("package");
        let bytes = chunk.bytes;
        let mut pool = |field| {
            let at = bytes.size(field).ok_or(CUT)?;
            match Chunk::at(bytes, at) {
                Some(pool) if at != 0 => StringPool::parse(pool, budget),
                _ => Ok(StringPool::default()),
            }
        };
        let types = pool(268)?;
        let keys = pool(276)?;
        let mut configurations = BTreeMap::<u8, Vec<TypeConfiguration>>::new();
        let overlayable = chunk.children(file).any(|chunk| chunk.kind == TABLE_OVERLAYABLE);
        for chunk in chunk.children(file).filter(|chunk| chunk.kind == TABLE_TYPE) {
            let (id, parsed) = TypeConfiguration::parse(chunk).ok_or(ChunkError::Cut("type"))?;
            configurations.entry(id).or_default().push(parsed);
        }
        for of_type in configurations.values_mut() {
            of_type.sort_by_key(|configuration| configuration.qualifiers);
        }
        let type_offset = match chunk.header_len {
            NEW_PACKAGE_HEADER.. => bytes.u8(284).ok_or(CUT)?,
            _ => 0,
        };
        Ok((
            bytes.u8(8).ok_or(CUT)?,
            Package { types, keys, type_offset, configurations, overlayable },
        ))
    }
}

impl fmt::Display for ResourceName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "@{}/{}", self.kind, self.entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::sample::{Resource, boolean, reference, resource_table, text};

    fn sample_table(old_header: bool) -> ResourceTable {
        let resource = |key, default, french| Resource { key, default, french };
        let table = resource_table(
            &[
                resource("title", text("Notes"), Some(text("Carnet"))),
                resource("alias", reference(0x7f01_0000), None),
                resource("circle", reference(0x7f01_0002), None),
                resource("enabled", boolean(true), Some(boolean(false))),
            ],
            old_header,
        );
        ResourceTable::parse(table).unwrap()
    }

    #[test]
    fn values_are_those_of_the_default_configuration() {
        for old_header in [false, true] {
            let table = sample_table(old_header);
            assert_eq!(table.value(0x7f01_0000), Some(ResourceValue::Text("Notes".into())));
            assert_eq!(table.value(0x7f01_0003), Some(ResourceValue::Boolean(true)));
            assert_eq!(table.name(0x7f01_0000).unwrap().to_string(), "@string/title");
        }
    }

    #[test]
    fn references_are_followed_unless_they_form_a_circle() {
        let table = sample_table(false);
        assert_eq!(table.value(0x7f01_0001), Some(ResourceValue::Text("Notes".into())));
        assert_eq!(table.value(0x7f01_0002), None);
    }

    #[test]
    fn unknown_ids_have_no_value() {
        let table = sample_table(false);
        for id in [0, 0x0104_0000, 0x7f00_0000, 0x7f02_0000, 0x7f01_0004, u32::MAX] {
            assert_eq!(table.value(id), None, "{id:#x}");
            assert_eq!(table.name(id), None, "{id:#x}");
        }
    }

    #[test]
    fn a_file_that_is_no_table_is_refused() {
        assert_eq!(ResourceTable::parse(Vec::new()).unwrap_err(), ChunkError::NotChunks);
        assert_eq!(ResourceTable::parse(vec![3, 0, 8, 0, 8]).unwrap_err(), ChunkError::NotChunks);
    }
}
