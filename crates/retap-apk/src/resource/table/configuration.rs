//! The entries of one resource type in one configuration (language, density, …).

use crate::resource::chunk::Chunk;
use crate::resource::string_pool::StringPool;
use crate::resource::value::ResourceValue;
use crate::untrusted::Bytes;

use super::qualifier;

/// An array, a style or another map: what it extends, and its items by attribute or position.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceBag {
    pub parent: u32,
    pub items: Vec<(u32, ResourceValue)>,
}

/// The entries of one type in one configuration.
#[derive(Debug)]
pub struct TypeConfiguration {
    at: usize,
    len: usize,
    header_len: usize,
    layout: Layout,
    count: usize,
    entries_start: usize,
    /// The number of bytes of the configuration that are set; 0 for the default configuration.
    pub qualifiers: usize,
    /// The configuration as a folder's name states it: `de-land-v21`; empty for the default.
    pub name: String,
}

/// The encoding of the entries' offsets.
#[derive(Debug, Clone, Copy)]
enum Layout {
    Words,
    Halves,
    Sparse,
}

impl TypeConfiguration {
    /// Returns the type's id and its entries.
    pub fn parse(chunk: Chunk) -> Option<(u8, Self)> {
        let bytes = chunk.bytes;
        let flags = bytes.u8(9)?;
        let config_len = bytes.size(20)?;
        let config = bytes.slice(24, config_len.checked_sub(4)?)?;
        let configuration = TypeConfiguration {
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
            name: qualifier::name(config),
        };
        Some((bytes.u8(8)?, configuration))
    }

    pub fn entry<'a>(&self, file: Bytes<'a>, index: u32) -> Option<TableEntry<'a>> {
        let bytes = file.slice(self.at, self.len)?;
        let offset = self.offset(bytes, usize::try_from(index).ok()?)?;
        bytes.from(self.entries_start.checked_add(offset)?).map(TableEntry)
    }

    /// Returns the numbers of all entries that the type may have in this configuration.
    pub fn indices(&self, file: Bytes) -> Vec<u32> {
        let bytes = file.slice(self.at, self.len).and_then(|bytes| bytes.from(self.header_len));
        let Some(offsets) = bytes else { return Vec::new() };
        let width = if matches!(self.layout, Layout::Halves) { 2 } else { 4 };
        let count = self.count.min(offsets.len() / width);
        match self.layout {
            Layout::Sparse => {
                (0..count).filter_map(|at| offsets.u16(4 * at).map(u32::from)).collect()
            }
            Layout::Words | Layout::Halves => (0..count).map(|index| index as u32).collect(),
        }
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

/// The bytes of one entry, from its header on.
pub struct TableEntry<'a>(Bytes<'a>);

impl TableEntry<'_> {
    const COMPLEX: u16 = 1;
    const COMPACT: u16 = 8;

    /// Returns the index of the entry's name.
    pub fn key(&self) -> Option<u32> {
        if self.flags()? & TableEntry::COMPACT != 0 {
            return self.0.u16(0).map(u32::from);
        }
        self.0.u32(4)
    }

    /// Returns the entry's value; `None` for arrays, styles and other maps.
    pub fn value(&self, strings: &StringPool) -> Option<ResourceValue> {
        let flags = self.flags()?;
        if flags & TableEntry::COMPACT != 0 {
            let kind = flags.to_be_bytes()[0];
            return Some(ResourceValue::new(kind, self.0.u32(4)?, strings));
        }
        if flags & TableEntry::COMPLEX != 0 {
            return None;
        }
        ResourceValue::parse(self.0, self.0.u16(0)?.into(), strings)
    }

    /// Returns the parent and the items of an array, a style or another map, at most `limit` of them.
    pub fn bag(&self, strings: &StringPool, limit: usize) -> Option<ResourceBag> {
        const ITEM_LEN: usize = 12;
        let flags = self.flags()?;
        (flags & TableEntry::COMPLEX != 0 && flags & TableEntry::COMPACT == 0).then_some(())?;
        let (parent, count) = (self.0.u32(8)?, self.0.size(12)?);
        let items = self.0.from(self.0.u16(0)?.into())?;
        let item = |index: usize| {
            let at = index.checked_mul(ITEM_LEN)?;
            Some((items.u32(at)?, ResourceValue::parse(items, at + 4, strings)?))
        };
        Some(ResourceBag { parent, items: (0..count.min(limit)).map_while(item).collect() })
    }

    fn flags(&self) -> Option<u16> {
        self.0.u16(2)
    }
}
