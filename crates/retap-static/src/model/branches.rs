//! The branches of a handler of several widgets or items that can run for one of them.

use retap_apk::{CodeItem, Operand};

use crate::flow::{ControlFlow, ReachingDefinitions, is_invoke};
use crate::program::ProgramClass;

/// What tells a handler which of several widgets or items was touched.
#[derive(Debug, Clone, Copy)]
pub enum Discriminator<'a> {
    /// The id that one of these methods returns.
    Calls(&'a [&'a str]),
    /// The number that is the last parameter: the place of an item in a dialog's list.
    LastParameter,
}

/// Returns the positions of the calls that can run when `discriminator()`, such as `getItemId()`, returns `id`.
pub fn calls_for_id(
    class: &ProgramClass,
    code: &CodeItem,
    discriminator: Discriminator,
    id: i64,
    constant: &dyn Fn(&str, &str) -> Option<i64>,
) -> Vec<u32> {
    let flow = ControlFlow::new(code);
    let Some(definitions) = ReachingDefinitions::new(code, &flow) else { return Vec::new() };
    let file = class.dex.file;
    let is_discriminator = |definition: u32| {
        let instruction = flow.instructions.get(definition as usize);
        match (discriminator, instruction.map(|it| it.operand)) {
            (Discriminator::Calls(names), Some(Operand::Method(index))) => {
                file.method(index).is_some_and(|method| names.contains(&method.name))
            }
            (Discriminator::LastParameter, None) => {
                let last = flow.instructions.len() + usize::from(code.parameters);
                definition as usize + 1 == last
            }
            _ => false,
        }
    };
    let integer = |definition: u32| match flow.instructions.get(definition as usize)?.operand {
        Operand::Literal(literal) => Some(literal),
        Operand::Field(index) => {
            let field = file.field(index)?;
            constant(field.class, field.name)
        }
        _ => None,
    };
    let mut seen = vec![false; flow.blocks.len()];
    let mut work = if flow.blocks.is_empty() { vec![] } else { vec![0] };
    let mut calls = Vec::new();
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut seen[block], true) {
            continue;
        }
        let mut next: Vec<usize> = flow.blocks[block].successors.clone();
        definitions.walk(block, |position, registers| {
            let instruction = &flow.instructions[position];
            if is_invoke(instruction.opcode) {
                calls.push(position as u32);
            }
            let operands: Vec<&[u32]> =
                instruction.registers.iter().map(|it| registers.of(it)).collect();
            let depends = |set: &[u32]| set.iter().any(|it| is_discriminator(*it));
            match (instruction.opcode, &operands[..]) {
                (0x32 | 0x33, [one, other]) if depends(one) != depends(other) => {
                    let compared = if depends(one) { other } else { one };
                    if let [definition] = compared[..]
                        && let Some(value) = integer(definition)
                        && flow.blocks[block].successors.len() == 2
                    {
                        // The first successor is where the branch leads.
                        let jumps = (value == id) == (instruction.opcode == 0x32);
                        next = vec![flow.blocks[block].successors[usize::from(!jumps)]];
                    }
                }
                (0x38 | 0x39, [value])
                    if depends(value) && flow.blocks[block].successors.len() == 2 =>
                {
                    let jumps = (id == 0) == (instruction.opcode == 0x38);
                    next = vec![flow.blocks[block].successors[usize::from(!jumps)]];
                }
                (0x2b | 0x2c, [value]) if depends(value) => {
                    let keys = &flow.blocks[block].switch_keys;
                    let case = keys.iter().position(|key| i64::from(*key) == id);
                    let place = case.map_or(0, |case| case + 1);
                    next = flow.blocks[block].successors.get(place).copied().into_iter().collect();
                }
                _ => {}
            }
        });
        work.extend(next);
        work.extend(&flow.blocks[block].handlers);
    }
    calls
}
