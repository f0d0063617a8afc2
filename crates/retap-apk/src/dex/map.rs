//! The map of a dex file, of which only the places of call sites and method handles are needed: the header does not
//! give them.

use crate::untrusted::Bytes;

const CALL_SITES: u16 = 0x0007;
const METHOD_HANDLES: u16 = 0x0008;
const RECORD_LEN: usize = 12;
/// The format knows some twenty kinds of sections.
const MAX_SECTIONS: usize = 64;

/// A table that the map locates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Section {
    at: usize,
    count: usize,
}

/// The tables that only the map locates.
#[derive(Debug, Clone, Copy, Default)]
pub struct MappedSections {
    pub call_sites: Section,
    pub method_handles: Section,
}

/// Reads the map at `at`. A file without one, or with a broken one, has no such tables: phones do not need the map either.
pub fn read(file: Bytes, at: usize) -> MappedSections {
    let mut sections = MappedSections::default();
    let count = if at == 0 { 0 } else { file.size(at).unwrap_or(0).min(MAX_SECTIONS) };
    for index in 0..count {
        let Some(record) = file.slice(at + 4 + index * RECORD_LEN, RECORD_LEN) else { break };
        let section = || Some(Section { count: record.size(4)?, at: record.size(8)? });
        match record.u16(0) {
            Some(CALL_SITES) => sections.call_sites = section().unwrap_or_default(),
            Some(METHOD_HANDLES) => sections.method_handles = section().unwrap_or_default(),
            _ => {}
        }
    }
    sections
}

impl Section {
    /// Returns a record of the table, each of which has `width` bytes.
    pub fn record<'a>(&self, file: Bytes<'a>, index: u32, width: usize) -> Option<Bytes<'a>> {
        let index = usize::try_from(index).ok().filter(|&index| index < self.count)?;
        file.slice(self.at.checked_add(index.checked_mul(width)?)?, width)
    }
}
