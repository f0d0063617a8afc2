//! The id tables of a dex file: strings, types, prototypes and methods by number.
//!
//! Everything is decoded once and shared. Every decoded byte is taken from the budget, so a table
//! whose records all point at one long string is refused in the end.

use std::sync::Arc;

use crate::code::MethodReference;
use crate::dex::header::{DexHeader, DexTables};
use crate::dex::{DexError, mutf8};
use crate::untrusted::ReadBudget;
use crate::untrusted::{ByteCursor, Bytes};

pub const NO_INDEX: u32 = u32::MAX;

/// The tables of one dex header with the items decoded so far.
pub struct IdPool<'a> {
    pub file: Bytes<'a>,
    pub tables: DexTables,
    budget: &'a mut ReadBudget,
    strings: Vec<Option<Arc<str>>>,
    descriptors: Vec<Option<Arc<str>>>,
    methods: Vec<Option<Arc<MethodReference>>>,
}

impl<'a> IdPool<'a> {
    pub fn new(
        file: Bytes<'a>,
        tables: DexTables,
        budget: &'a mut ReadBudget,
    ) -> Result<Self, DexError> {
        let DexHeader { strings, protos, methods, .. } = tables.header;
        // Headers of one container may share their tables; the slots are paid for each time.
        budget.spend(strings + protos + methods).ok_or(DexError::TooCostly)?;
        Ok(IdPool {
            strings: vec![None; strings],
            descriptors: vec![None; protos],
            methods: vec![None; methods],
            file,
            tables,
            budget,
        })
    }

    pub fn spend(&mut self, bytes: usize) -> Result<(), DexError> {
        self.budget.spend(bytes).ok_or(DexError::TooCostly)
    }

    pub fn string(&mut self, index: u32) -> Result<Arc<str>, DexError> {
        let broken = DexError::Broken { what: "string", index };
        let slot = self.strings.get(index as usize).ok_or_else(|| broken.clone())?;
        if let Some(text) = slot {
            return Ok(text.clone());
        }
        let text: Arc<str> = self.decode(index as usize).ok_or(broken)?.into();
        self.spend(text.len())?;
        self.strings[index as usize] = Some(text.clone());
        Ok(text)
    }

    fn decode(&self, index: usize) -> Option<String> {
        let at = self.file.size(self.tables.strings_at + index * DexTables::STRING)?;
        let mut cursor = ByteCursor::new(self.file, at);
        cursor.uleb128()?;
        mutf8::read(&mut cursor)
    }

    /// Returns a type's descriptor: `Ljava/lang/String;`, `[I`, `V`.
    pub fn type_descriptor(&mut self, index: u32) -> Result<Arc<str>, DexError> {
        let broken = DexError::Broken { what: "type", index };
        let record = self.record(self.tables.types_at, self.tables.header.types, index, 4);
        let string = record.and_then(|record| record.u32(0)).ok_or(broken)?;
        self.string(string)
    }

    /// Returns the types of the list at `at`; none if that is 0.
    pub fn type_list(&mut self, at: usize) -> Result<Vec<Arc<str>>, DexError> {
        if at == 0 {
            return Ok(Vec::new());
        }
        const OUTSIDE: DexError = DexError::Outside("type lists");
        let count = self.file.size(at).ok_or(OUTSIDE)?;
        let start = at.checked_add(4).filter(|&start| self.file.holds_table(start, count, 2));
        let start = start.ok_or(OUTSIDE)?;
        self.spend(count * size_of::<Arc<str>>())?;
        (0..count)
            .map(|entry| {
                let index = self.file.u16(start + 2 * entry).ok_or(OUTSIDE)?;
                self.type_descriptor(index.into())
            })
            .collect()
    }

    /// Returns a method's prototype as its descriptor: `(ILjava/lang/String;)V`.
    pub fn method_descriptor(&mut self, index: u32) -> Result<Arc<str>, DexError> {
        let broken = DexError::Broken { what: "prototype", index };
        if let Some(Some(known)) = self.descriptors.get(index as usize) {
            return Ok(known.clone());
        }
        let count = self.tables.header.protos;
        let record = self.record(self.tables.protos_at, count, index, DexTables::PROTO);
        let read = |record: Bytes| Some((record.u32(4)?, record.size(8)?));
        let (returns, parameters_at) = record.and_then(read).ok_or(broken)?;
        let parameters = self.type_list(parameters_at)?;
        let returns = self.type_descriptor(returns)?;
        self.spend(parameters.iter().map(|parameter| parameter.len()).sum())?;
        let descriptor: Arc<str> = format!("({}){returns}", parameters.concat()).into();
        self.descriptors[index as usize] = Some(descriptor.clone());
        Ok(descriptor)
    }

    pub fn method(&mut self, index: u32) -> Result<Arc<MethodReference>, DexError> {
        let broken = DexError::Broken { what: "method", index };
        if let Some(Some(known)) = self.methods.get(index as usize) {
            return Ok(known.clone());
        }
        let count = self.tables.header.methods;
        let record = self.record(self.tables.methods_at, count, index, DexTables::METHOD);
        let read = |record: Bytes| Some((record.u16(0)?, record.u16(2)?, record.u32(4)?));
        let (class, proto, name) = record.and_then(read).ok_or(broken)?;
        let method = Arc::new(MethodReference {
            class: self.type_descriptor(class.into())?,
            name: self.string(name)?,
            descriptor: self.method_descriptor(proto.into())?,
        });
        self.methods[index as usize] = Some(method.clone());
        Ok(method)
    }

    fn record(&self, table_at: usize, count: usize, index: u32, width: usize) -> Option<Bytes<'a>> {
        let index = usize::try_from(index).ok().filter(|&index| index < count)?;
        self.file.slice(table_at + index * width, width)
    }
}
