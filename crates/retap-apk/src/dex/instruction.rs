//! One pass over a method's instructions that collects its calls and the texts passed to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::code::Call;
use crate::dex::DexError;
use crate::dex::opcode::{self, CONST_STRING, CONST_STRING_JUMBO, Invoke};
use crate::dex::pool::IdPool;
use crate::untrusted::Bytes;

/// Returns the calls in the order of the code. A call's text is one that an earlier instruction
/// loaded into a register and none overwrote. Branches are not followed.
pub fn read_calls(pool: &mut IdPool, code: Bytes) -> Result<Vec<Call>, DexError> {
    let mut calls = Vec::new();
    let mut texts = BTreeMap::<u16, Arc<str>>::new();
    let mut rest = code;
    while let Some(width) = opcode::width(rest) {
        if let Some(Invocation { method, registers }) = invocation(rest) {
            let text = registers.iter().find_map(|register| texts.get(register)).cloned();
            let Some(target) = none_if_broken(pool.method(method))? else { break };
            pool.spend(size_of::<Call>())?;
            calls.push(Call { target, text });
        }
        if let Some(register) = opcode::written_register(rest) {
            texts.remove(&register);
            if let Some(string) = constant_string(rest) {
                let Some(text) = none_if_broken(pool.string(string))? else { break };
                texts.insert(register, text);
            }
        }
        match rest.from(2 * width) {
            Some(next) => rest = next,
            None => break,
        }
    }
    Ok(calls)
}

/// Turns a broken reference into `None`, which ends the method and not the file: a phone rejects
/// only that class, and obfuscators hide junk after code that never runs.
fn none_if_broken<T>(found: Result<T, DexError>) -> Result<Option<T>, DexError> {
    match found {
        Err(DexError::TooCostly) => Err(DexError::TooCostly),
        found => Ok(found.ok()),
    }
}

fn constant_string(code: Bytes) -> Option<u32> {
    match code.u8(0)? {
        CONST_STRING => code.u16(2).map(u32::from),
        CONST_STRING_JUMBO => code.u32(2),
        _ => None,
    }
}

/// The operands of a call instruction.
struct Invocation {
    method: u32,
    registers: Vec<u16>,
}

fn invocation(code: Bytes) -> Option<Invocation> {
    let [opcode, operands] = code.u16(0)?.to_le_bytes();
    let method = code.u16(2)?.into();
    let third = code.u16(4)?;
    let registers = match opcode::invoke(opcode)? {
        Invoke::Range => (third..third.saturating_add(operands.into())).collect(),
        Invoke::Listed => {
            let listed = [third, third >> 4, third >> 8, third >> 12, operands.into()];
            let count = usize::from(operands >> 4).min(listed.len());
            listed[..count].iter().map(|register| register & 0x0f).collect()
        }
    };
    Some(Invocation { method, registers })
}
