//! The code of a method: its instructions, switch tables, array data, exception handlers and line numbers.

use crate::dex::DexError;
use crate::dex::decode::Instruction;
use crate::dex::file::DexFile;
use crate::dex::line_table;
use crate::dex::opcode;
use crate::untrusted::{ByteCursor, Bytes};

/// The length of the fixed part, which precedes the instructions.
const HEADER_LEN: usize = 16;
const TRY_LEN: usize = 8;
const PACKED_SWITCH: u16 = 0x0100;
const SPARSE_SWITCH: u16 = 0x0200;
const ARRAY_DATA: u16 = 0x0300;

/// The code of one method.
#[derive(Debug, Clone)]
pub struct CodeItem<'a> {
    /// The number of registers; the last `parameters` of them hold the parameters.
    pub registers: u16,
    pub parameters: u16,
    pub tries: Vec<TryBlock<'a>>,
    instructions: Bytes<'a>,
    lines_at: usize,
}

/// A range of instructions and the handlers of what they throw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TryBlock<'a> {
    pub start: u32,
    pub end: u32,
    /// The caught type and the handler's offset, in order; no type catches everything.
    pub handlers: Vec<(Option<&'a str>, u32)>,
}

/// The elements of an array that code fills at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayData<'a> {
    pub element_width: u16,
    pub elements: &'a [u8],
}

impl<'a> CodeItem<'a> {
    /// Reads the code at `at`; none if that is 0.
    pub(super) fn read(dex: &'a DexFile, at: usize) -> Result<Option<Self>, DexError> {
        if at == 0 {
            return Ok(None);
        }
        const OUTSIDE: DexError = DexError::Outside("code");
        let header = dex.file.slice(at, HEADER_LEN).ok_or(OUTSIDE)?;
        let read = || Some((header.u16(0)?, header.u16(2)?, header.u16(6)?, header.size(8)?));
        let (registers, parameters, tries, lines_at) = read().ok_or(OUTSIDE)?;
        let units = header.size(12).ok_or(OUTSIDE)?;
        let len = units.checked_mul(2).ok_or(OUTSIDE)?;
        let instructions = dex.file.slice(at + HEADER_LEN, len).ok_or(OUTSIDE)?;
        let tries_at = (at + HEADER_LEN + len).next_multiple_of(4);
        let tries = try_blocks(dex, tries_at, tries.into()).ok_or(OUTSIDE)?;
        dex.budget.spend(len + HEADER_LEN + tries.len() * TRY_LEN).ok_or(DexError::TooCostly)?;
        Ok(Some(CodeItem {
            registers,
            parameters: parameters.min(registers),
            tries,
            instructions,
            lines_at,
        }))
    }

    /// Returns the length in 16-bit units.
    pub fn units(&self) -> u32 {
        (self.instructions.len() / 2) as u32
    }

    /// Returns the bytes of the instructions as the file has them.
    pub fn bytes(&self) -> &'a [u8] {
        self.instructions.0
    }

    /// Returns the instructions in their order, payloads left out, up to the first that is malformed: a phone rejects
    /// only that class, and obfuscators hide junk after code that never runs.
    pub fn instructions(&self) -> Vec<Instruction> {
        let mut decoded = Vec::with_capacity(self.instructions.len() / 4);
        let mut at = 0;
        while let Some(rest) = self.instructions.from(2 * at).filter(|rest| rest.len() > 0) {
            let Some(width) = opcode::width(rest) else { break };
            if !matches!(rest.u16(0), Some(PACKED_SWITCH | SPARSE_SWITCH | ARRAY_DATA)) {
                let Some(instruction) = Instruction::decode(self.instructions, at) else { break };
                decoded.push(instruction);
            }
            let Some(next) = at.checked_add(width) else { break };
            at = next;
        }
        decoded
    }

    /// Returns the keys of a switch and the offsets they lead to, in the order of the keys.
    pub fn switch(&self, instruction: &Instruction, payload: u32) -> Option<Vec<(i32, u32)>> {
        let table = self.payload(payload)?;
        let count = usize::from(table.u16(2)?);
        let target = |at| {
            let distance = i64::from(table.u32(at)?.cast_signed());
            let target = u32::try_from(i64::from(instruction.at) + distance).ok()?;
            (target < self.units()).then_some(target)
        };
        match table.u16(0)? {
            PACKED_SWITCH if table.holds_table(8, count, 4) => {
                let first = table.u32(4)?.cast_signed();
                let entry = |index| {
                    Some((first.checked_add(i32::try_from(index).ok()?)?, target(8 + 4 * index)?))
                };
                (0..count).map(entry).collect()
            }
            SPARSE_SWITCH if table.holds_table(4, count, 8) => {
                let entry = |index| {
                    let key = table.u32(4 + 4 * index)?.cast_signed();
                    Some((key, target(4 + 4 * (count + index))?))
                };
                (0..count).map(entry).collect()
            }
            _ => None,
        }
    }

    pub fn array_data(&self, payload: u32) -> Option<ArrayData<'a>> {
        let table = self.payload(payload)?;
        (table.u16(0)? == ARRAY_DATA).then_some(())?;
        let element_width = table.u16(2)?;
        let len = usize::from(element_width).checked_mul(table.size(4)?)?;
        Some(ArrayData { element_width, elements: table.slice(8, len)?.0 })
    }

    /// Returns the source line of each offset at which a new line begins, in the order of the code; empty without
    /// debug information.
    pub fn lines(&self, dex: &DexFile) -> Vec<(u32, u32)> {
        line_table::read(dex.file, self.lines_at, self.units()).unwrap_or_default()
    }

    fn payload(&self, at: u32) -> Option<Bytes<'a>> {
        self.instructions.from(usize::try_from(at).ok()?.checked_mul(2)?)
    }
}

fn try_blocks<'a>(dex: &'a DexFile, at: usize, count: usize) -> Option<Vec<TryBlock<'a>>> {
    let table = dex.file.slice(at, count.checked_mul(TRY_LEN)?)?;
    let handlers_at = at + table.len();
    let block = |index| {
        let record = table.slice(index * TRY_LEN, TRY_LEN)?;
        let start = record.u32(0)?;
        let end = start.checked_add(record.u16(4)?.into())?;
        let handlers = handlers(dex, handlers_at.checked_add(record.u16(6)?.into())?)?;
        Some(TryBlock { start, end, handlers })
    };
    (0..count).map(block).collect()
}

fn handlers<'a>(dex: &'a DexFile, at: usize) -> Option<Vec<(Option<&'a str>, u32)>> {
    let mut cursor = ByteCursor::new(dex.file, at);
    let size = cursor.sleb128()?;
    dex.budget.spend(2 * size.unsigned_abs() as usize)?;
    let mut handlers = Vec::new();
    for _ in 0..size.unsigned_abs() {
        let caught = dex.type_descriptor(cursor.uleb128()?)?;
        handlers.push((Some(caught), cursor.uleb128()?));
    }
    // A size that is not positive says that a handler of everything follows.
    if size <= 0 {
        handlers.push((None, cursor.uleb128()?));
    }
    Some(handlers)
}
