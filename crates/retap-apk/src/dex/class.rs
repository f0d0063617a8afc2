//! Class definitions: hierarchy, methods and the calls in their code.

use std::sync::Arc;

use crate::bytes::{Bytes, Cursor};
use crate::code::{Class, Method};
use crate::dex::DexError;
use crate::dex::header::Tables;
use crate::dex::instruction;
use crate::dex::pool::{NO_INDEX, Pool};

/// Instructions begin behind the fixed part of a code item.
const CODE_HEADER_LEN: usize = 16;

pub fn read_all(pool: &mut Pool, classes: &mut Vec<Class>) -> Result<(), DexError> {
    for index in 0..pool.tables.header.classes {
        let at = pool.tables.classes_at + index * Tables::CLASS;
        let broken = DexError::Broken { what: "class", index: index as u32 };
        let definition = pool.file.slice(at, Tables::CLASS).ok_or(broken.clone())?;
        classes.push(read(pool, definition, &broken)?);
    }
    Ok(())
}

fn read(pool: &mut Pool, definition: Bytes, broken: &DexError) -> Result<Class, DexError> {
    let field = |at| definition.u32(at).ok_or_else(|| broken.clone());
    let superclass = match field(8)? {
        NO_INDEX => None,
        index => Some(pool.type_descriptor(index)?),
    };
    let data_at = field(24)? as usize;
    Ok(Class {
        descriptor: pool.type_descriptor(field(0)?)?,
        access: field(4)?,
        superclass,
        interfaces: pool.type_list(field(12)? as usize)?,
        methods: if data_at == 0 { Vec::new() } else { methods(pool, data_at, broken)? },
    })
}

fn methods(pool: &mut Pool, data_at: usize, broken: &DexError) -> Result<Vec<Method>, DexError> {
    let mut cursor = Cursor::new(pool.file, data_at);
    let mut number = || cursor.uleb128().ok_or_else(|| broken.clone());
    let fields = [number()?, number()?];
    let methods = [number()?, number()?];
    for _ in 0..fields.iter().map(|&count| u64::from(count)).sum() {
        number()?;
        number()?;
    }
    let mut read = Vec::new();
    // Direct methods, then virtual ones; each run counts its indices from zero.
    for count in methods {
        let mut index = 0u32;
        for _ in 0..count {
            let mut number = || cursor.uleb128().ok_or_else(|| broken.clone());
            index = index.checked_add(number()?).ok_or_else(|| broken.clone())?;
            let (access, code_at) = (number()?, number()? as usize);
            pool.spend(size_of::<Method>())?;
            read.push(method(pool, index, access, code_at)?);
        }
    }
    pool.spend(cursor.at - data_at)?;
    Ok(read)
}

fn method(pool: &mut Pool, index: u32, access: u32, code_at: usize) -> Result<Method, DexError> {
    let reference = pool.method(index)?;
    let code = code(pool, code_at).ok_or(DexError::Broken { what: "code of method", index })?;
    pool.spend(code.len())?;
    Ok(Method {
        name: Arc::clone(&reference.name),
        descriptor: Arc::clone(&reference.descriptor),
        access,
        code_units: code.len() / 2,
        calls: instruction::calls(pool, code)?,
    })
}

/// The instructions of a code item; none for abstract and native methods.
fn code<'a>(pool: &Pool<'a>, at: usize) -> Option<Bytes<'a>> {
    if at == 0 {
        return Some(Bytes(&[]));
    }
    let units = pool.file.size(at.checked_add(12)?)?;
    pool.file.slice(at + CODE_HEADER_LEN, units.checked_mul(2)?)
}
