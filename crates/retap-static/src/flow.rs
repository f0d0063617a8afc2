//! The control flow of a method: its basic blocks and how they lead to each other.

mod definitions;

use std::collections::BTreeSet;

use retap_apk::{CodeItem, Instruction, Operand};

pub use definitions::{ReachingDefinitions, RegisterValues};

/// The instructions of a method in basic blocks.
pub struct ControlFlow {
    pub instructions: Vec<Instruction>,
    /// In the order of the code. The first is the entry.
    pub blocks: Vec<Block>,
    /// The handlers of each try block as blocks, in the order of [`CodeItem::tries`].
    try_handlers: Vec<Vec<usize>>,
    try_ranges: Vec<(u32, u32)>,
}

/// Instructions that run one after the other.
pub struct Block {
    /// Positions in the list of instructions.
    pub first: usize,
    pub end: usize,
    /// The blocks that may follow: of a condition first the one it jumps to.
    pub successors: Vec<usize>,
    /// The handlers of exceptions thrown in the block.
    pub handlers: Vec<usize>,
    /// The keys of a switch; their successors follow the one for all other values.
    pub switch_keys: Vec<i32>,
}

impl ControlFlow {
    pub fn new(code: &CodeItem) -> Self {
        let instructions = code.instructions();
        let position = |at: u32| instructions.binary_search_by_key(&at, |it| it.at).ok();
        let mut leaders = BTreeSet::from([0]);
        let mut targets = vec![Vec::new(); instructions.len()];
        let mut keys = vec![Vec::new(); instructions.len()];
        for (index, instruction) in instructions.iter().enumerate() {
            match instruction.operand {
                Operand::Branch(at) => targets[index].extend(position(at)),
                Operand::Payload(payload) if is_switch(instruction.opcode) => {
                    for (key, at) in code.switch(instruction, payload).unwrap_or_default() {
                        if let Some(target) = position(at) {
                            keys[index].push(key);
                            targets[index].push(target);
                        }
                    }
                }
                _ => {}
            }
            leaders.extend(&targets[index]);
            if !targets[index].is_empty() || ends_block(instruction.opcode) {
                leaders.insert(index + 1);
            }
        }
        let handler_positions: Vec<Vec<usize>> = code
            .tries
            .iter()
            .map(|block| block.handlers.iter().filter_map(|(_, at)| position(*at)).collect())
            .collect();
        leaders.extend(handler_positions.iter().flatten());
        for block in &code.tries {
            leaders.extend(position(block.start).into_iter().chain(position(block.end)));
        }
        let leaders: Vec<usize> =
            leaders.into_iter().filter(|&leader| leader < instructions.len()).collect();
        let block_at = |position: usize| leaders.partition_point(|&leader| leader <= position) - 1;
        let try_handlers: Vec<Vec<usize>> = handler_positions
            .iter()
            .map(|positions| positions.iter().map(|&position| block_at(position)).collect())
            .collect();
        let mut blocks = Vec::with_capacity(leaders.len());
        for (number, &first) in leaders.iter().enumerate() {
            let end = leaders.get(number + 1).copied().unwrap_or(instructions.len());
            let last = end - 1;
            let opcode = instructions[last].opcode;
            let mut successors: Vec<usize> =
                targets[last].iter().map(|&target| block_at(target)).collect();
            if falls_through(opcode) && end < instructions.len() {
                // A switch names the other values first, a condition its target.
                let place = if is_switch(opcode) { 0 } else { successors.len() };
                successors.insert(place, number + 1);
            }
            let covering = code
                .tries
                .iter()
                .position(|block| (block.start..block.end).contains(&instructions[first].at));
            blocks.push(Block {
                first,
                end,
                successors,
                handlers: covering.map(|it| try_handlers[it].clone()).unwrap_or_default(),
                switch_keys: std::mem::take(&mut keys[last]),
            });
        }
        ControlFlow {
            try_ranges: code.tries.iter().map(|block| (block.start, block.end)).collect(),
            instructions,
            blocks,
            try_handlers,
        }
    }

    /// Returns the position of the try block that covers an instruction, if it has handlers.
    pub fn try_block(&self, instruction: &Instruction) -> Option<usize> {
        let covers = |(start, end): &(u32, u32)| (*start..*end).contains(&instruction.at);
        let position = self.try_ranges.iter().position(covers)?;
        (!self.try_handlers[position].is_empty()).then_some(position)
    }

    pub fn try_handlers(&self, position: usize) -> &[usize] {
        &self.try_handlers[position]
    }

    /// Returns the number of ways that lead into each block.
    pub fn predecessors(&self) -> Vec<usize> {
        let mut count = vec![0; self.blocks.len()];
        for block in &self.blocks {
            for &next in block.successors.iter().chain(&block.handlers) {
                count[next] += 1;
            }
        }
        count
    }
}

pub fn is_switch(opcode: u8) -> bool {
    matches!(opcode, 0x2b | 0x2c)
}

pub fn is_condition(opcode: u8) -> bool {
    matches!(opcode, 0x32..=0x3d)
}

pub fn is_goto(opcode: u8) -> bool {
    matches!(opcode, 0x28..=0x2a)
}

pub fn is_invoke(opcode: u8) -> bool {
    matches!(opcode, 0x6e..=0x72 | 0x74..=0x78 | 0xfa..=0xfd)
}

pub fn is_move(opcode: u8) -> bool {
    matches!(opcode, 0x01..=0x09)
}

pub fn is_move_result(opcode: u8) -> bool {
    matches!(opcode, 0x0a..=0x0c)
}

/// Returns true for returns and throws, which have no successor.
fn is_end(opcode: u8) -> bool {
    matches!(opcode, 0x0e..=0x11 | 0x27)
}

fn ends_block(opcode: u8) -> bool {
    is_end(opcode) || is_goto(opcode) || is_switch(opcode) || is_condition(opcode)
}

fn falls_through(opcode: u8) -> bool {
    !is_end(opcode) && !is_goto(opcode)
}

/// Returns true if an instruction can throw, so that its handlers matter.
pub fn can_throw(opcode: u8) -> bool {
    matches!(opcode, 0x1d..=0x21 | 0x22..=0x27 | 0x44..=0x72 | 0x74..=0x78)
        || matches!(opcode, 0x93 | 0x94 | 0x9e | 0x9f | 0xb3 | 0xb4 | 0xbe | 0xbf | 0xfa..=0xfd)
        || matches!(opcode, 0xd3 | 0xd4 | 0xdb | 0xdc)
}

/// Returns the register that an instruction overwrites (the first of a pair). A cast keeps its value.
pub fn written_register(instruction: &Instruction) -> Option<u16> {
    let writes = matches!(
        instruction.opcode,
        0x01..=0x0d
            | 0x12..=0x1c
            | 0x20..=0x23
            | 0x2d..=0x31
            | 0x44..=0x4a
            | 0x52..=0x58
            | 0x60..=0x66
            | 0x7b..=0xe2
            | 0xfe
            | 0xff
    );
    writes.then(|| instruction.registers.get(0)).flatten()
}
