//! The header of a dex file: its version and the offsets of its tables, checked against the file.

use serde::Serialize;

use crate::dex::DexError;
use crate::untrusted::Bytes;

const HEADER_LEN: usize = 0x70;
const LITTLE_ENDIAN: u32 = 0x1234_5678;
/// From this version on several headers may share one file and its data.
const FIRST_CONTAINER_VERSION: u32 = 41;

/// The version and the sizes of the tables that a dex file declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DexHeader {
    pub version: u32,
    pub strings: usize,
    pub types: usize,
    pub protos: usize,
    pub fields: usize,
    pub methods: usize,
    pub classes: usize,
}

/// A header with the offsets of its tables, all of which lie inside the file.
#[derive(Debug)]
pub struct DexTables {
    pub header: DexHeader,
    pub strings_at: usize,
    pub types_at: usize,
    pub protos_at: usize,
    pub fields_at: usize,
    pub methods_at: usize,
    pub classes_at: usize,
    /// The offset of the map, which alone locates call sites and method handles.
    pub map_at: usize,
    pub next_header: Option<usize>,
}

impl DexTables {
    /// The widths in bytes of the records of each table.
    pub const STRING: usize = 4;
    pub const TYPE: usize = 4;
    pub const PROTO: usize = 12;
    pub const FIELD: usize = 8;
    pub const METHOD: usize = 8;
    pub const CLASS: usize = 32;

    /// Reads the header at `at` and checks that its tables lie in the file.
    pub fn parse(file: Bytes, at: usize) -> Result<Self, DexError> {
        let header = file.slice(at, HEADER_LEN).ok_or(DexError::NotDex)?;
        let version = version(header)?;
        if header.u32(0x28) != Some(LITTLE_ENDIAN) {
            return Err(DexError::BigEndian);
        }
        let (expected, actual) = (header.size(0x20).unwrap_or(0), file.len() - at);
        if expected > actual {
            return Err(DexError::Cut { expected, actual });
        }
        let table = |field, width, what| {
            let read = || Some((header.size(field)?, header.size(field + 4)?));
            match read() {
                Some((0, _)) => Ok((0, 0)),
                Some((count, at)) if file.holds_table(at, count, width) => Ok((count, at)),
                _ => Err(DexError::Outside(what)),
            }
        };
        let (strings, strings_at) = table(0x38, DexTables::STRING, "strings")?;
        let (types, types_at) = table(0x40, DexTables::TYPE, "types")?;
        let (protos, protos_at) = table(0x48, DexTables::PROTO, "prototypes")?;
        let (fields, fields_at) = table(0x50, DexTables::FIELD, "fields")?;
        let (methods, methods_at) = table(0x58, DexTables::METHOD, "methods")?;
        let (classes, classes_at) = table(0x60, DexTables::CLASS, "classes")?;
        Ok(DexTables {
            header: DexHeader { version, strings, types, protos, fields, methods, classes },
            strings_at,
            types_at,
            protos_at,
            fields_at,
            methods_at,
            classes_at,
            map_at: header.size(0x34).unwrap_or(0),
            next_header: (version >= FIRST_CONTAINER_VERSION)
                .then(|| next_header(file, header, at))
                .flatten(),
        })
    }
}

fn version(header: Bytes) -> Result<u32, DexError> {
    let Some((b"dex\n", [digits @ .., 0])) = header.0.get(..8).and_then(|m| m.split_at_checked(4))
    else {
        return Err(DexError::NotDex);
    };
    let text = String::from_utf8_lossy(digits).into_owned();
    match text.parse() {
        Ok(version @ 35..=41) => Ok(version),
        _ => Err(DexError::Version(text)),
    }
}

/// Returns the offset of the next header of a container, which follows this one's declared size.
fn next_header(file: Bytes, header: Bytes, at: usize) -> Option<usize> {
    let len = header.size(0x20).filter(|&len| len >= HEADER_LEN)?;
    let next = at.checked_add(len)?;
    file.slice(next, HEADER_LEN).map(|_| next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dex::sample;

    fn check(file: &[u8], expected: &DexError) {
        assert_eq!(DexTables::parse(Bytes(file), 0).unwrap_err(), *expected);
    }

    #[test]
    fn impossible_headers_are_refused() {
        let good = sample::loading_a_library();
        let patched = |at: usize, bytes: &[u8]| {
            let mut file = good.clone();
            file[at..at + bytes.len()].copy_from_slice(bytes);
            file
        };
        assert!(DexTables::parse(Bytes(&good), 0).is_ok());
        check(b"", &DexError::NotDex);
        check(&good[..0x6f], &DexError::NotDex);
        check(&patched(0, b"dey\n"), &DexError::NotDex);
        check(&patched(4, b"099"), &DexError::Version("099".to_owned()));
        check(&patched(0x28, &0x7856_3412u32.to_le_bytes()), &DexError::BigEndian);
        let (expected, actual) = (good.len(), good.len() - 1);
        check(&good[..actual], &DexError::Cut { expected, actual });
        check(&patched(0x38, &u32::MAX.to_le_bytes()), &DexError::Outside("strings"));
        check(&patched(0x64, &u32::MAX.to_le_bytes()), &DexError::Outside("classes"));
    }
}
