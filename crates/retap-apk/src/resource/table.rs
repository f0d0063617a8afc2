//! The resource table, `resources.arsc`: what an id is called and what it is worth by default.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::budget::Budget;
use crate::bytes::Bytes;
use crate::resource::chunk::{Chunk, ChunkError, STRING_POOL, TABLE, TABLE_PACKAGE, TABLE_TYPE};
use crate::resource::string_pool::StringPool;
use crate::resource::value::Value;

/// How far references are followed; longer chains are circles.
const MAX_HOPS: usize = 16;
/// The package header that knows its type-id offset; older ones are four bytes shorter.
const NEW_PACKAGE_HEADER: usize = 288;

#[derive(Debug)]
pub struct ResourceTable {
    file: Vec<u8>,
    strings: StringPool,
    packages: BTreeMap<u8, Package>,
}

/// What a resource is called: `@string/title`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceName {
    pub kind: Arc<str>,
    pub entry: Arc<str>,
}

impl ResourceTable {
    pub fn parse(file: Vec<u8>) -> Result<Self, ChunkError> {
        let bytes = Bytes(&file);
        let mut budget = Budget::for_length(file.len());
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

    /// The value of a resource in the default configuration, references followed. `None` for
    /// arrays, styles and other maps, for the framework's own and for ids that do not exist.
    pub fn value(&self, id: u32) -> Option<Value> {
        let mut id = id;
        for _ in 0..MAX_HOPS {
            match self.entry(id)?.value(&self.strings)? {
                Value::Reference(next) => id = next,
                value => return Some(value),
            }
        }
        None
    }

    pub fn name(&self, id: u32) -> Option<ResourceName> {
        let package = self.packages.get(&package_of(id))?;
        let kind = type_of(id).checked_sub(1)?.checked_sub(package.type_offset)?;
        Some(ResourceName {
            kind: package.types.get(kind.into())?.clone(),
            entry: package.keys.get(self.entry(id)?.key()?)?.clone(),
        })
    }

    /// An id's entry in the plainest configuration that has one.
    fn entry(&self, id: u32) -> Option<Entry<'_>> {
        let types = self.packages.get(&package_of(id))?.values.get(&type_of(id))?;
        types.iter().find_map(|values| values.entry(Bytes(&self.file), id & 0xffff))
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
    /// Per type its configurations, plainest first.
    values: BTreeMap<u8, Vec<Values>>,
}

impl Package {
    fn parse(file: Bytes, chunk: Chunk, budget: &mut Budget) -> Result<(u8, Self), ChunkError> {
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
        let mut values = BTreeMap::<u8, Vec<Values>>::new();
        for chunk in chunk.children(file).filter(|chunk| chunk.kind == TABLE_TYPE) {
            let (id, parsed) = Values::parse(chunk).ok_or(ChunkError::Cut("type"))?;
            values.entry(id).or_default().push(parsed);
        }
        for configurations in values.values_mut() {
            configurations.sort_by_key(|values| values.qualifiers);
        }
        let type_offset = match chunk.header_len {
            NEW_PACKAGE_HEADER.. => bytes.u8(284).ok_or(CUT)?,
            _ => 0,
        };
        Ok((bytes.u8(8).ok_or(CUT)?, Package { types, keys, type_offset, values }))
    }
}

/// The entries of one type in one configuration.
#[derive(Debug)]
struct Values {
    at: usize,
    len: usize,
    header_len: usize,
    layout: Layout,
    count: usize,
    entries_start: usize,
    /// How much of the configuration is set; none of it is the default.
    qualifiers: usize,
}

/// How the offsets of the entries are stored.
#[derive(Debug, Clone, Copy)]
enum Layout {
    Words,
    Halves,
    Sparse,
}

impl Values {
    fn parse(chunk: Chunk) -> Option<(u8, Self)> {
        let bytes = chunk.bytes;
        let flags = bytes.u8(9)?;
        let config_len = bytes.size(20)?;
        let config = bytes.slice(24, config_len.checked_sub(4)?)?;
        let values = Values {
            at: chunk.at,
            len: bytes.len(),
            header_len: chunk.header_len,
            layout: match flags {
                flags if flags & 1 != 0 => Layout::Sparse,
                flags if flags & 2 != 0 => Layout::Halves,
                _ => Layout::Words,
            },
            count: bytes.size(12)?,
            entries_start: bytes.size(16)?,
            qualifiers: config.0.iter().filter(|byte| **byte != 0).count(),
        };
        Some((bytes.u8(8)?, values))
    }

    fn entry<'a>(&self, file: Bytes<'a>, index: u32) -> Option<Entry<'a>> {
        let bytes = file.slice(self.at, self.len)?;
        let offset = self.offset(bytes, usize::try_from(index).ok()?)?;
        bytes.from(self.entries_start.checked_add(offset)?).map(Entry)
    }

    fn offset(&self, bytes: Bytes, index: usize) -> Option<usize> {
        let offsets = bytes.from(self.header_len)?;
        match self.layout {
            Layout::Sparse => (0..self.count)
                .map_while(|at| Some((offsets.u16(4 * at)?, offsets.u16(4 * at + 2)?)))
                .find(|(entry, _)| usize::from(*entry) == index)
                .map(|(_, offset)| usize::from(offset) * 4),
            _ if index >= self.count => None,
            Layout::Words => offsets.size(4 * index).filter(|&offset| offset != u32::MAX as usize),
            Layout::Halves => offsets
                .u16(2 * index)
                .filter(|&offset| offset != u16::MAX)
                .map(|offset| usize::from(offset) * 4),
        }
    }
}

/// One entry, from its header on.
struct Entry<'a>(Bytes<'a>);

impl Entry<'_> {
    const COMPLEX: u16 = 1;
    const COMPACT: u16 = 8;

    fn key(&self) -> Option<u32> {
        if self.flags()? & Entry::COMPACT != 0 {
            return self.0.u16(0).map(u32::from);
        }
        self.0.u32(4)
    }

    fn value(&self, strings: &StringPool) -> Option<Value> {
        let flags = self.flags()?;
        if flags & Entry::COMPACT != 0 {
            let kind = flags.to_be_bytes()[0];
            return Some(Value::new(kind, self.0.u32(4)?, strings));
        }
        if flags & Entry::COMPLEX != 0 {
            return None;
        }
        Value::parse(self.0, self.0.u16(0)?.into(), strings)
    }

    fn flags(&self) -> Option<u16> {
        self.0.u16(2)
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
    use crate::resource::build::{self, Resource, boolean, reference, text};

    fn sample(old_header: bool) -> ResourceTable {
        let resource = |key, default, french| Resource { key, default, french };
        let table = build::table(
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
            let table = sample(old_header);
            assert_eq!(table.value(0x7f01_0000), Some(Value::Text("Notes".into())));
            assert_eq!(table.value(0x7f01_0003), Some(Value::Boolean(true)));
            assert_eq!(table.name(0x7f01_0000).unwrap().to_string(), "@string/title");
        }
    }

    #[test]
    fn references_are_followed_until_they_turn_in_a_circle() {
        let table = sample(false);
        assert_eq!(table.value(0x7f01_0001), Some(Value::Text("Notes".into())));
        assert_eq!(table.value(0x7f01_0002), None);
    }

    #[test]
    fn unknown_ids_have_no_value() {
        let table = sample(false);
        for id in [0, 0x0104_0000, 0x7f00_0000, 0x7f02_0000, 0x7f01_0004, u32::MAX] {
            assert_eq!(table.value(id), None, "{id:#x}");
            assert_eq!(table.name(id), None, "{id:#x}");
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert_eq!(ResourceTable::parse(Vec::new()).unwrap_err(), ChunkError::NotChunks);
        assert_eq!(ResourceTable::parse(vec![3, 0, 8, 0, 8]).unwrap_err(), ChunkError::NotChunks);
    }
}
