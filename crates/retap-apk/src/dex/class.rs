//! DexClass definitions: hierarchy, methods and the calls in their code.

use std::sync::Arc;

use crate::code::{DexClass, DexMethod};
use crate::dex::DexError;
use crate::dex::header::DexTables;
use crate::dex::instruction;
use crate::dex::pool::{IdPool, NO_INDEX};
use crate::untrusted::{ByteCursor, Bytes};

/// The length of a code item's fixed part, which precedes the instructions.
const CODE_HEADER_LEN: usize = 16;

/// Reads every class that the header at hand defines.
pub fn read_all(pool: &mut IdPool, classes: &mut Vec<DexClass>) -> Result<(), DexError> {
    for index in 0..pool.tables.header.classes {
        let at = pool.tables.classes_at + index * DexTables::CLASS;
        let broken = DexError::Broken { what: "class", index: index as u32 };
        let definition = pool.file.slice(at, DexTables::CLASS).ok_or(broken.clone())?;
        classes.push(read(pool, definition, &broken)?);
    }
    Ok(())
}

fn read(pool: &mut IdPool, definition: Bytes, broken: &DexError) -> Result<DexClass, DexError> {
    let field = |at| definition.u32(at).ok_or_else(|| broken.clone());
    let superclass = match field(8)? {
        NO_INDEX => None,
        index => Some(pool.type_descriptor(index)?),
    };
    let data_at = field(24)? as usize;
    Ok(DexClass {
        descriptor: pool.type_descriptor(field(0)?)?,
        access: field(4)?,
        superclass,
        interfaces: pool.type_list(field(12)? as usize)?,
        methods: if data_at == 0 { Vec::new() } else { methods(pool, data_at, broken)? },
    })
}

fn methods(
    pool: &mut IdPool,
    data_at: usize,
    broken: &DexError,
) -> Result<Vec<DexMethod>, DexError> {
    let mut cursor = ByteCursor::new(pool.file, data_at);
    let mut number = || cursor.uleb128().ok_or_else(|| broken.clone());
    let fields = [number()?, number()?];
    let methods = [number()?, number()?];
    for _ in 0..fields.iter().map(|&count| u64::from(count)).sum() {
        number()?;
        number()?;
    }
    let mut read = Vec::new();
    // Direct methods come first, then virtual ones. Indices start at zero in each run.
    for count in methods {
        let mut index = 0u32;
        for _ in 0..count {
            let mut number = || cursor.uleb128().ok_or_else(|| broken.clone());
            index = index.checked_add(number()?).ok_or_else(|| broken.clone())?;
            let (access, code_at) = (number()?, number()? as usize);
            pool.spend(size_of::<DexMethod>())?;
            read.push(method(pool, index, access, code_at)?);
        }
    }
    pool.spend(cursor.at - data_at)?;
    Ok(read)
}

fn method(
    pool: &mut IdPool,
    index: u32,
    access: u32,
    code_at: usize,
) -> Result<DexMethod, DexError> {
    let reference = pool.method(index)?;
    let code = code(pool, code_at).ok_or(DexError::Broken { what: "code of method", index })?;
    pool.spend(code.len())?;
    Ok(DexMethod {
        name: Arc::clone(&reference.name),
        descriptor: Arc::clone(&reference.descriptor),
        access,
        code_units: code.len() / 2,
        calls: instruction::read_calls(pool, code)?,
    })
}

/// Returns the instructions of a code item; none for abstract and native methods.
fn code<'a>(pool: &IdPool<'a>, at: usize) -> Option<Bytes<'a>> {
    if at == 0 {
        return Some(Bytes(&[]));
    }
    let units = pool.file.size(at.checked_add(12)?)?;
    pool.file.slice(at + CODE_HEADER_LEN, units.checked_mul(2)?)
}
