//! Line numbers: the small program of the debug information, run for its lines alone.

use crate::untrusted::{ByteCursor, Bytes};

const END_SEQUENCE: u8 = 0x00;
const ADVANCE_PC: u8 = 0x01;
const ADVANCE_LINE: u8 = 0x02;
const START_LOCAL: u8 = 0x03;
const START_LOCAL_EXTENDED: u8 = 0x04;
const END_LOCAL: u8 = 0x05;
const RESTART_LOCAL: u8 = 0x06;
const SET_FILE: u8 = 0x09;
const FIRST_SPECIAL: u8 = 0x0a;
const LINE_BASE: i64 = -4;
const LINE_RANGE: u8 = 15;

/// Returns (offset, line) for each place of the code where a line begins. `units` bounds the offsets.
pub fn read(file: Bytes, at: usize, units: u32) -> Option<Vec<(u32, u32)>> {
    if at == 0 {
        return Some(Vec::new());
    }
    let mut cursor = ByteCursor::new(file, at);
    let mut line = i64::from(cursor.uleb128()?);
    for _ in 0..cursor.uleb128()? {
        cursor.uleb128()?;
    }
    let (mut address, mut lines) = (0u32, Vec::new());
    loop {
        match cursor.u8()? {
            END_SEQUENCE => return Some(lines),
            ADVANCE_PC => address = address.checked_add(cursor.uleb128()?)?,
            ADVANCE_LINE => line += i64::from(cursor.sleb128()?),
            code @ (START_LOCAL | START_LOCAL_EXTENDED) => {
                for _ in 0..if code == START_LOCAL { 3 } else { 4 } {
                    cursor.uleb128()?;
                }
            }
            END_LOCAL | RESTART_LOCAL | SET_FILE => {
                cursor.uleb128()?;
            }
            special @ FIRST_SPECIAL.. => {
                let step = special - FIRST_SPECIAL;
                address = address.checked_add((step / LINE_RANGE).into())?;
                line += LINE_BASE + i64::from(step % LINE_RANGE);
                // Every entry but the first lies further on, so the code's length bounds them.
                if address >= units || lines.len() > units as usize {
                    return Some(lines);
                }
                lines.push((address, u32::try_from(line).ok()?));
            }
            // The end of the prologue and the beginning of the epilogue.
            _ => {}
        }
    }
}
