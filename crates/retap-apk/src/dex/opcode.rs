//! The shape of every Dalvik instruction: its length, and the register it writes.

use crate::untrusted::Bytes;

pub const CONST_STRING: u8 = 0x1a;
pub const CONST_STRING_JUMBO: u8 = 0x1b;

/// The two forms in which a call names its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invoke {
    Listed,
    Range,
}

/// Returns the form of a call of a method by its id. `invoke-custom` has none: it names a call
/// site, whose target is known only at run time.
pub fn invoke(opcode: u8) -> Option<Invoke> {
    match opcode {
        0x6e..=0x72 | 0xfa => Some(Invoke::Listed),
        0x74..=0x78 | 0xfb => Some(Invoke::Range),
        _ => None,
    }
}

/// Returns the length in 16-bit units of the first instruction of `code`, at least one.
pub fn width(code: Bytes) -> Option<usize> {
    match code.u16(0)? {
        0x0100 => usize::from(code.u16(2)?).checked_mul(2)?.checked_add(4),
        0x0200 => usize::from(code.u16(2)?).checked_mul(4)?.checked_add(2),
        0x0300 => {
            let bytes = usize::from(code.u16(2)?).checked_mul(code.size(4)?)?;
            bytes.div_ceil(2).checked_add(4)
        }
        unit => Some(fixed_width(unit.to_le_bytes()[0])),
    }
}

fn fixed_width(opcode: u8) -> usize {
    match opcode {
        0x18 => 5,
        0xfa | 0xfb => 4,
        0x03 | 0x06 | 0x09 | 0x14 | 0x17 | 0x1b | 0x24..=0x26 | 0x2a..=0x2c => 3,
        0x6e..=0x72 | 0x74..=0x78 | 0xfc | 0xfd => 3,
        0x02 | 0x05 | 0x08 | 0x13 | 0x15 | 0x16 | 0x19 | 0x1a | 0x1c | 0x1f | 0x20 => 2,
        0x22 | 0x23 | 0x29 | 0x2d..=0x3d | 0x44..=0x6d | 0x90..=0xaf => 2,
        0xd0..=0xe2 | 0xfe | 0xff => 2,
        _ => 1,
    }
}

/// Returns the register that an instruction overwrites, if any (the first of a pair).
pub fn written_register(code: Bytes) -> Option<u16> {
    let [opcode, operands] = code.u16(0)?.to_le_bytes();
    match opcode {
        0x03 | 0x06 | 0x09 => code.u16(2),
        // Four-bit destinations.
        0x01 | 0x04 | 0x07 | 0x12 | 0x20 | 0x21 | 0x23 | 0x52..=0x58 | 0x7b..=0x8f => {
            Some((operands & 0x0f).into())
        }
        0xb0..=0xd7 => Some((operands & 0x0f).into()),
        // Eight-bit destinations. A cast (0x1f) is left out, because it keeps the value.
        0x02 | 0x05 | 0x08 | 0x0a..=0x0d | 0x13..=0x1c | 0x22 | 0x2d..=0x31 => {
            Some(operands.into())
        }
        0x44..=0x4a | 0x60..=0x66 | 0x90..=0xaf | 0xd8..=0xe2 | 0xfe | 0xff => {
            Some(operands.into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_skipped_as_a_whole() {
        let check = |units: &[u16], expected| {
            let code: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            assert_eq!(width(Bytes(&code)), expected, "{units:04x?}");
        };
        check(&[0x0000], Some(1));
        check(&[0x0100, 3, 0, 0], Some(10));
        check(&[0x0200, 3], Some(14));
        check(&[0x0300, 1, 5, 0], Some(7));
        check(
            &[0x0300, 0xffff, 0xffff, 0xffff],
            Some((0xffff_ffff_usize * 0xffff).div_ceil(2) + 4),
        );
        check(&[0x0100], None);
        check(&[0x206e, 0, 0], Some(3));
    }
}
