//! A dex file whose tables are read in place: names are slices of the file, and classes and code are decoded on demand,
//! from as many threads as ask.

use std::borrow::Cow;

use crate::dex::definition::{self, ClassDefinition};
use crate::dex::header::{DexHeader, DexTables};
use crate::dex::{DexError, map, mutf8};
use crate::untrusted::{ByteCursor, Bytes, ReadBudget, SharedBudget};

/// One dex file, or one of those in a container.
#[derive(Debug)]
pub struct DexFile<'a> {
    pub(super) file: Bytes<'a>,
    pub(super) tables: DexTables,
    pub(super) budget: SharedBudget,
    strings: Vec<Cow<'a, str>>,
    call_sites_at: map::Section,
    method_handles_at: map::Section,
}

/// A method by name, as an instruction refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MethodId<'a> {
    pub class: &'a str,
    pub name: &'a str,
    /// The number of its prototype, see [`DexFile::proto`].
    pub proto: u32,
}

/// A field by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldId<'a> {
    pub class: &'a str,
    pub name: &'a str,
    pub kind: &'a str,
}

/// The types of a method's parameters and of what it returns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Proto<'a> {
    pub parameters: Vec<&'a str>,
    pub returns: &'a str,
}

impl<'a> DexFile<'a> {
    /// Reads the headers and names of a file: several headers in a container of version 041, else one.
    pub fn parse(file: &'a [u8]) -> Result<Vec<DexFile<'a>>, DexError> {
        let mut files = Vec::new();
        let mut budget = ReadBudget::for_length(file.len());
        let mut next = Some(0);
        while let Some(at) = next {
            let tables = DexTables::parse(Bytes(file), at)?;
            next = tables.next_header;
            files.push(DexFile::new(Bytes(file), tables, &mut budget)?);
        }
        Ok(files)
    }

    fn new(file: Bytes<'a>, tables: DexTables, budget: &mut ReadBudget) -> Result<Self, DexError> {
        let count = tables.header.strings;
        // Headers of one container may share their strings; they are paid for each time.
        budget.spend(count * DexTables::STRING).ok_or(DexError::TooCostly)?;
        let mut strings = Vec::with_capacity(count);
        for index in 0..count {
            let broken = DexError::Broken { what: "string", index: index as u32 };
            let text = string(file, tables.strings_at + index * DexTables::STRING).ok_or(broken)?;
            budget.spend(text.len()).ok_or(DexError::TooCostly)?;
            strings.push(text);
        }
        let sections = map::read(file, tables.map_at);
        Ok(DexFile {
            budget: SharedBudget::for_length(file.len()),
            strings,
            call_sites_at: sections.call_sites,
            method_handles_at: sections.method_handles,
            file,
            tables,
        })
    }

    pub fn header(&self) -> &DexHeader {
        &self.tables.header
    }

    pub fn string(&self, index: u32) -> Option<&str> {
        self.strings.get(usize::try_from(index).ok()?).map(|text| &**text)
    }

    /// Returns a type's descriptor: `Ljava/lang/String;`, `[I`, `V`.
    pub fn type_descriptor(&self, index: u32) -> Option<&str> {
        self.string(self.record(self.tables.types_at, self.header().types, index, 4)?.u32(0)?)
    }

    pub fn field(&self, index: u32) -> Option<FieldId<'_>> {
        let header = self.header();
        let record = self.record(self.tables.fields_at, header.fields, index, DexTables::FIELD)?;
        Some(FieldId {
            class: self.type_descriptor(record.u16(0)?.into())?,
            kind: self.type_descriptor(record.u16(2)?.into())?,
            name: self.string(record.u32(4)?)?,
        })
    }

    pub fn method(&self, index: u32) -> Option<MethodId<'_>> {
        let header = self.header();
        let record =
            self.record(self.tables.methods_at, header.methods, index, DexTables::METHOD)?;
        Some(MethodId {
            class: self.type_descriptor(record.u16(0)?.into())?,
            proto: record.u16(2)?.into(),
            name: self.string(record.u32(4)?)?,
        })
    }

    pub fn proto(&self, index: u32) -> Option<Proto<'_>> {
        let header = self.header();
        let record = self.record(self.tables.protos_at, header.protos, index, DexTables::PROTO)?;
        Some(Proto {
            returns: self.type_descriptor(record.u32(4)?)?,
            parameters: self.type_list(record.size(8)?)?,
        })
    }

    /// Returns a prototype as one text: `(ILjava/lang/String;)V`.
    pub fn descriptor(&self, proto: u32) -> Option<String> {
        let proto = self.proto(proto)?;
        Some(format!("({}){}", proto.parameters.concat(), proto.returns))
    }

    /// Returns the class at a position of the file's list of classes.
    pub fn class(&self, index: usize) -> Result<ClassDefinition<'_>, DexError> {
        definition::read(self, index)
    }

    /// Returns the types of the list at `at`; none if that is 0.
    pub(super) fn type_list(&self, at: usize) -> Option<Vec<&str>> {
        if at == 0 {
            return Some(Vec::new());
        }
        let count = self.file.size(at)?;
        let start = at.checked_add(4).filter(|&start| self.file.holds_table(start, count, 2))?;
        self.budget.spend(count)?;
        let entry = |entry| self.type_descriptor(self.file.u16(start + 2 * entry)?.into());
        (0..count).map(entry).collect()
    }

    pub(super) fn call_site_at(&self, index: u32) -> Option<usize> {
        self.call_sites_at.record(self.file, index, 4)?.size(0)
    }

    pub(super) fn method_handle_record(&self, index: u32) -> Option<Bytes<'a>> {
        self.method_handles_at.record(self.file, index, 8)
    }

    fn record(&self, table_at: usize, count: usize, index: u32, width: usize) -> Option<Bytes<'a>> {
        let index = usize::try_from(index).ok().filter(|&index| index < count)?;
        self.file.slice(table_at + index * width, width)
    }
}

/// Returns the string whose offset lies at `offset_at`.
fn string(file: Bytes<'_>, offset_at: usize) -> Option<Cow<'_, str>> {
    let mut cursor = ByteCursor::new(file, file.size(offset_at)?);
    cursor.uleb128()?;
    mutf8::read_slice(&mut cursor)
}
