//! Instructions with their operands: registers, literals, references and branch targets.

use crate::dex::operation::{self, Format, ReferenceKind};
use crate::untrusted::Bytes;

/// One instruction of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instruction {
    /// The offset in 16-bit units from the start of the method.
    pub at: u32,
    /// The length in 16-bit units.
    pub units: u32,
    pub opcode: u8,
    pub registers: Registers,
    pub operand: Operand,
}

/// The registers that an instruction names, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registers {
    Listed { count: u8, numbers: [u16; 5] },
    Range { first: u16, count: u8 },
}

/// The operand of an instruction besides its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    None,
    Literal(i64),
    /// The offset that a branch leads to.
    Branch(u32),
    /// The offset of a switch table or of array data.
    Payload(u32),
    String(u32),
    Type(u32),
    Field(u32),
    Method(u32),
    Proto(u32),
    CallSite(u32),
    MethodHandle(u32),
    /// A signature-polymorphic call: the method and the prototype it is called with.
    Polymorphic {
        method: u32,
        proto: u32,
    },
}

impl Instruction {
    /// Returns the name of the operation, as in the dex specification: `invoke-virtual/range`.
    pub fn name(&self) -> &'static str {
        operation::operation(self.opcode).name
    }

    /// Decodes the instruction at `at`. `None` past the end, for a cut instruction, for a number that is no operation,
    /// and for a branch that leaves the method.
    pub(super) fn decode(code: Bytes, at: usize) -> Option<Self> {
        let bytes = code.from(at.checked_mul(2)?)?;
        let [opcode, high] = bytes.u16(0)?.to_le_bytes();
        let operation = operation::operation(opcode);
        let (low4, high4, wide) = (u16::from(high & 15), u16::from(high >> 4), u16::from(high));
        let second = || bytes.u16(2);
        let reference = |index: u32| refer(operation.reference, index);
        let target = |distance: i64| {
            let target = i64::try_from(at).ok()?.checked_add(distance)?;
            u32::try_from(target).ok().filter(|&target| (target as usize) < code.len() / 2)
        };
        let distance16 = || Some(i64::from(second()?.cast_signed()));
        let distance32 = || Some(i64::from(bytes.u32(2)?.cast_signed()));
        let literal16 = || Some(Operand::Literal(distance16()?));
        let listed = || {
            let third = bytes.u16(4)?;
            let count = (high >> 4).min(5);
            let numbers = [third & 15, third >> 4 & 15, third >> 8 & 15, third >> 12, low4];
            Some(Registers::Listed { count, numbers })
        };
        let range = || Some(Registers::Range { first: bytes.u16(4)?, count: high });
        let (units, registers, operand) = match operation.format {
            Format::F10X if operation.name == "unused" => return None,
            Format::F10X => (1, list(&[]), Operand::None),
            Format::F12X => (1, list(&[low4, high4]), Operand::None),
            Format::F11N => {
                (1, list(&[low4]), Operand::Literal(i64::from(high.cast_signed() >> 4)))
            }
            Format::F11X => (1, list(&[wide]), Operand::None),
            Format::F10T => (1, list(&[]), Operand::Branch(target(high.cast_signed().into())?)),
            Format::F20T => (2, list(&[]), Operand::Branch(target(distance16()?)?)),
            Format::F22X => (2, list(&[wide, second()?]), Operand::None),
            Format::F21T => (2, list(&[wide]), Operand::Branch(target(distance16()?)?)),
            Format::F21S => (2, list(&[wide]), literal16()?),
            Format::F21H => {
                let shift = if opcode == 0x19 { 48 } else { 16 };
                (2, list(&[wide]), Operand::Literal(distance16()? << shift))
            }
            Format::F21C => (2, list(&[wide]), reference(second()?.into())?),
            Format::F23X => {
                let [first, last] = second()?.to_le_bytes();
                (2, list(&[wide, first.into(), last.into()]), Operand::None)
            }
            Format::F22B => {
                let [first, literal] = second()?.to_le_bytes();
                let literal = i64::from(literal.cast_signed());
                (2, list(&[wide, first.into()]), Operand::Literal(literal))
            }
            Format::F22T => (2, list(&[low4, high4]), Operand::Branch(target(distance16()?)?)),
            Format::F22S => (2, list(&[low4, high4]), literal16()?),
            Format::F22C => (2, list(&[low4, high4]), reference(second()?.into())?),
            Format::F30T => (3, list(&[]), Operand::Branch(target(distance32()?)?)),
            Format::F32X => (3, list(&[second()?, bytes.u16(4)?]), Operand::None),
            Format::F31I => (3, list(&[wide]), Operand::Literal(distance32()?)),
            Format::F31T => (3, list(&[wide]), Operand::Payload(target(distance32()?)?)),
            Format::F31C => (3, list(&[wide]), reference(bytes.u32(2)?)?),
            Format::F35C => (3, listed()?, reference(second()?.into())?),
            Format::F3RC => (3, range()?, reference(second()?.into())?),
            Format::F45CC => (4, listed()?, polymorphic(bytes)?),
            Format::F4RCC => (4, range()?, polymorphic(bytes)?),
            Format::F51L => {
                let value = u64::from(bytes.u32(2)?) | u64::from(bytes.u32(6)?) << 32;
                (5, list(&[wide]), Operand::Literal(value.cast_signed()))
            }
        };
        let at = u32::try_from(at).ok()?;
        Some(Instruction { at, units, opcode, registers, operand })
    }
}

fn list(registers: &[u16]) -> Registers {
    let mut numbers = [0; 5];
    numbers[..registers.len()].copy_from_slice(registers);
    Registers::Listed { count: registers.len() as u8, numbers }
}

fn polymorphic(bytes: Bytes) -> Option<Operand> {
    Some(Operand::Polymorphic { method: bytes.u16(2)?.into(), proto: bytes.u16(6)?.into() })
}

fn refer(kind: Option<ReferenceKind>, index: u32) -> Option<Operand> {
    Some(match kind? {
        ReferenceKind::String => Operand::String(index),
        ReferenceKind::Type => Operand::Type(index),
        ReferenceKind::Field => Operand::Field(index),
        ReferenceKind::Method => Operand::Method(index),
        ReferenceKind::Proto => Operand::Proto(index),
        ReferenceKind::CallSite => Operand::CallSite(index),
        ReferenceKind::MethodHandle => Operand::MethodHandle(index),
    })
}

impl Registers {
    pub fn len(&self) -> usize {
        match self {
            Registers::Listed { count, .. } | Registers::Range { count, .. } => (*count).into(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the register at a position.
    pub fn get(&self, position: usize) -> Option<u16> {
        match self {
            Registers::Listed { count, numbers } => {
                numbers[..usize::from(*count)].get(position).copied()
            }
            Registers::Range { first, count } => {
                let position = u16::try_from(position).ok().filter(|&p| p < u16::from(*count))?;
                first.checked_add(position)
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.len()).filter_map(|position| self.get(position))
    }
}
