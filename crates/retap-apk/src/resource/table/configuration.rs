//! The entries of one resource type in one configuration (language, density, …).

use crate::resource::chunk::Chunk;
use crate::resource::string_pool::StringPool;
use crate::resource::value::ResourceValue;
use crate::untrusted::Bytes;

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
        };
        Some((bytes.u8(8)?, configuration))
    }

    pub fn entry<'a>(&self, file: Bytes<'a>, index: u32) -> Option<TableEntry<'a>> {
        let bytes = file.slice(self.at, self.len)?;
        let offset = self.offset(bytes, usize::try_from(index).ok()?)?;
        bytes.from(self.entries_start.checked_add(offset)?).map(TableEntry)
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

    fn flags(&self) -> Option<u16> {
        self.0.u16(2)
    }
}
