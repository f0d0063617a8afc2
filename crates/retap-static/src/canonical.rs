//! The canonical form of a method: what it does, without what the compiler chose.
//!
//! Registers, copies of registers, the width of constants and branches, the place of constants, the order of blocks, the
//! direction of conditions, nops and line numbers leave no trace. Names, constants, calls, operands and the way control
//! flows do. Two methods with one canonical form do the same.

mod naming;

use std::collections::BTreeMap;

use retap_apk::{CodeItem, Instruction, Operand};

use crate::flow::{
    self, ControlFlow, ReachingDefinitions, can_throw, is_condition, is_goto, is_invoke, is_move,
    is_move_result, is_switch,
};
use crate::program::{DexNames, ProgramClass, ResourceNames, call_site_text, descriptor_types};

pub use naming::{MemberKey, Naming, Renamed, Shape, is_unstable_class, is_unstable_method};

/// Returns the canonical form of a method's code, a line for each thing it does. Names are as `naming` puts them.
pub fn lines(
    class: &ProgramClass,
    code: &CodeItem,
    resources: &ResourceNames,
    naming: &dyn Naming,
) -> Vec<String> {
    let flow = ControlFlow::new(code);
    let definitions = ReachingDefinitions::new(code, &flow);
    let writer = Writer {
        dex: class.dex,
        code,
        resources,
        naming,
        numbers: BTreeMap::new(),
        lines: Vec::new(),
        order: block_order(&flow),
        flow: &flow,
    };
    writer.write(definitions)
}

/// The blocks in the order of a walk from the entry that follows jumps, each with the number of its place if other
/// blocks need to name it.
struct BlockOrder {
    chains: Vec<Vec<usize>>,
    /// The number of the chain that begins with a block.
    labels: BTreeMap<usize, usize>,
}

fn block_order(flow: &ControlFlow) -> BlockOrder {
    let predecessors = flow.predecessors();
    let mut order = BlockOrder { chains: Vec::new(), labels: BTreeMap::new() };
    let mut stack = if flow.blocks.is_empty() { vec![] } else { vec![0] };
    while let Some(head) = stack.pop() {
        if order.labels.contains_key(&head) {
            continue;
        }
        order.labels.insert(head, order.chains.len());
        let mut chain = vec![head];
        let mut handlers: Vec<usize> = Vec::new();
        let mut last = head;
        loop {
            handlers.extend(flow.blocks[last].handlers.iter().copied());
            match flow.blocks[last].successors[..] {
                [next] if predecessors[next] == 1 && next != 0 => {
                    chain.push(next);
                    last = next;
                }
                _ => break,
            }
        }
        order.chains.push(chain);
        stack.extend(handlers.into_iter().rev());
        stack.extend(following(flow, last).into_iter().rev());
    }
    order
}

/// Returns what may follow a block, in an order that does not depend on the direction of its condition.
fn following(flow: &ControlFlow, block: usize) -> Vec<usize> {
    let mut successors = flow.blocks[block].successors.clone();
    let last = &flow.instructions[flow.blocks[block].end - 1];
    if is_condition(last.opcode) && is_negated(last.opcode) {
        successors.reverse();
    }
    successors
}

/// `ne`, `ge` and `le` are the negations of `eq`, `lt` and `gt`.
fn is_negated(opcode: u8) -> bool {
    matches!(opcode, 0x33 | 0x35 | 0x37 | 0x39 | 0x3b | 0x3d)
}

struct Writer<'a> {
    dex: &'a DexNames<'a>,
    code: &'a CodeItem<'a>,
    resources: &'a ResourceNames,
    naming: &'a dyn Naming,
    flow: &'a ControlFlow,
    order: BlockOrder,
    /// The line of each instruction that gives a value.
    numbers: BTreeMap<u32, usize>,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn write(mut self, mut definitions: Option<ReachingDefinitions>) -> Vec<String> {
        let chains = std::mem::take(&mut self.order.chains);
        for (number, chain) in chains.iter().enumerate() {
            self.lines.push(format!("block {number}"));
            for &block in chain {
                match &mut definitions {
                    Some(definitions) => definitions.walk(block, |position, lookup| {
                        self.instruction(position, lookup);
                    }),
                    None => {
                        let positions = self.flow.blocks[block].first..self.flow.blocks[block].end;
                        positions.for_each(|position| self.instruction(position, &|_| Vec::new()));
                    }
                }
            }
            let last = chain.last().copied().unwrap_or_default();
            self.end_of_chain(last);
        }
        self.lines
    }

    /// Says where a chain leads if it does not end with a condition, a switch, a return or a throw.
    fn end_of_chain(&mut self, block: usize) {
        let last = &self.flow.instructions[self.flow.blocks[block].end - 1];
        if let [next] = self.flow.blocks[block].successors[..]
            && !is_condition(last.opcode)
            && !is_switch(last.opcode)
        {
            self.lines.push(format!("go to {}", self.label(next)));
        }
    }

    fn label(&self, block: usize) -> String {
        self.order.labels.get(&block).map_or("?".to_owned(), usize::to_string)
    }

    fn instruction(&mut self, position: usize, lookup: &dyn Fn(u16) -> Vec<u32>) {
        let instruction = &self.flow.instructions[position];
        let opcode = instruction.opcode;
        let is_silent = opcode == 0
            || is_move(opcode)
            || is_move_result(opcode)
            || is_goto(opcode)
            || self.constant(instruction).is_some();
        if is_silent {
            return;
        }
        let values = self.values(instruction, lookup);
        let text = if is_condition(opcode) {
            self.condition(position, values)
        } else if is_switch(opcode) {
            self.switch(position, &values)
        } else {
            self.operation(instruction, values)
        };
        let handlers = self.handlers(instruction);
        self.numbers.insert(position as u32, self.lines.len());
        self.lines.push(format!("{text}{handlers}"));
    }

    /// Returns the values that an instruction uses, the second halves of wide arguments left out.
    fn values(&self, instruction: &Instruction, lookup: &dyn Fn(u16) -> Vec<u32>) -> Vec<String> {
        let registers: Vec<u16> = instruction.registers.iter().collect();
        let used: Vec<u16> = if is_invoke(instruction.opcode) {
            self.arguments(instruction, &registers)
        } else if flow::written_register(instruction).is_some()
            && !is_two_address(instruction.opcode)
        {
            registers.into_iter().skip(1).collect()
        } else {
            registers
        };
        used.into_iter().map(|register| self.value(&lookup(register))).collect()
    }

    fn arguments(&self, instruction: &Instruction, registers: &[u16]) -> Vec<u16> {
        let proto = match instruction.operand {
            Operand::Method(index) => self.dex.file.method(index).map(|method| method.proto),
            Operand::Polymorphic { proto, .. } => Some(proto),
            Operand::CallSite(index) => self.dex.file.call_site(index).map(|site| site.proto),
            _ => None,
        };
        let Some(proto) = proto else { return registers.to_vec() };
        let has_receiver = !matches!(instruction.opcode, 0x71 | 0x77 | 0xfc | 0xfd);
        let mut types = descriptor_types(self.dex.descriptor(proto));
        types.pop();
        let mut arguments = Vec::new();
        let mut rest = registers.iter().copied();
        if has_receiver {
            arguments.extend(rest.next());
        }
        for kind in types {
            arguments.extend(rest.next());
            if matches!(kind, "J" | "D") {
                rest.next();
            }
        }
        arguments
    }

    /// Returns a value's name: a constant, a parameter, the line that made it, or `several`.
    fn value(&self, definitions: &[u32]) -> String {
        let mut names: Vec<String> =
            definitions.iter().map(|&definition| self.definition(definition)).collect();
        names.dedup();
        match &names[..] {
            [name] => name.clone(),
            [] => "unknown".to_owned(),
            _ => "several".to_owned(),
        }
    }

    fn definition(&self, definition: u32) -> String {
        let Some(instruction) = self.flow.instructions.get(definition as usize) else {
            return format!("p{}", definition as usize - self.flow.instructions.len());
        };
        if let Some(constant) = self.constant(instruction) {
            return constant;
        }
        self.numbers.get(&definition).map_or("later".to_owned(), |line| format!("#{line}"))
    }

    fn constant(&self, instruction: &Instruction) -> Option<String> {
        match (instruction.opcode, instruction.operand) {
            (0x12..=0x19, Operand::Literal(literal)) => Some(self.literal(literal)),
            (0x1a | 0x1b, Operand::String(index)) => {
                self.dex.file.string(index).map(|text| format!("{text:?}"))
            }
            (0x1c, Operand::Type(index)) => {
                let descriptor = self.dex.file.type_descriptor(index)?;
                Some(format!("class {}", self.naming.descriptor(descriptor)))
            }
            _ => None,
        }
    }

    fn literal(&self, literal: i64) -> String {
        let name = self.resources.of_literal(literal);
        name.map_or_else(|| literal.to_string(), str::to_owned)
    }

    fn operation(&self, instruction: &Instruction, mut values: Vec<String>) -> String {
        let full = instruction.name();
        let mut name = full.split('/').next().unwrap_or(full);
        let operand = match instruction.operand {
            Operand::Literal(literal) => {
                values.push(self.literal(literal));
                String::new()
            }
            Operand::Payload(payload) => {
                let data = self.code.array_data(payload);
                data.map(|data| format!(" {:?}", data.elements)).unwrap_or_default()
            }
            operand => self.reference(operand),
        };
        if name == "rsub-int" {
            name = "sub-int";
            values.reverse();
        }
        if name == "sub-int"
            && let Some(number) = values.last().and_then(|last| last.parse::<i64>().ok())
        {
            name = "add-int";
            values.pop();
            values.push((-number).to_string());
        }
        if is_commutative(name) {
            values.sort();
        }
        format!("{name}{operand} ({})", values.join(", "))
    }

    fn reference(&self, operand: Operand) -> String {
        let file = self.dex.file;
        let text = match operand {
            Operand::Type(index) => {
                file.type_descriptor(index).map(|it| self.naming.descriptor(it))
            }
            Operand::Field(index) => file.field(index).map(|field| {
                let kind = self.naming.descriptor(field.kind);
                let class = self.naming.descriptor(field.class);
                format!("{class}->{}:{kind}", self.naming.field(field.class, field.name))
            }),
            Operand::Method(method) | Operand::Polymorphic { method, .. } => {
                file.method(method).map(|method| {
                    let descriptor = self.dex.descriptor(method.proto);
                    let class = self.naming.descriptor(method.class);
                    let name = self.naming.method(method.class, method.name, descriptor);
                    format!("{class}->{name}{}", self.naming.descriptor(descriptor))
                })
            }
            Operand::CallSite(index) => Some(call_site_text(file, index)),
            Operand::Proto(index) => Some(self.dex.descriptor(index).to_owned()),
            Operand::String(index) => file.string(index).map(|text| format!("{text:?}")),
            _ => None,
        };
        text.map(|text| format!(" {text}")).unwrap_or_default()
    }

    /// Every condition is written as `eq` or `lt`, with the block for "yes" first.
    fn condition(&self, position: usize, mut values: Vec<String>) -> String {
        let opcode = self.flow.instructions[position].opcode;
        if values.len() == 1 {
            values.push("0".to_owned());
        }
        let name = match opcode {
            0x32 | 0x33 | 0x38 | 0x39 => {
                values.sort();
                "if-eq"
            }
            // `gt` and its negation `le`: `a > b` is `b < a`.
            0x36 | 0x37 | 0x3c | 0x3d => {
                values.reverse();
                "if-lt"
            }
            _ => "if-lt",
        };
        let block = self.flow.blocks.partition_point(|block| block.first <= position) - 1;
        let targets: Vec<String> =
            following(self.flow, block).iter().map(|&next| self.label(next)).collect();
        format!("{name} ({}) then {}", values.join(", "), targets.join(" else "))
    }

    fn switch(&self, position: usize, values: &[String]) -> String {
        let block = self.flow.blocks.partition_point(|block| block.first <= position) - 1;
        let block = &self.flow.blocks[block];
        let cases = block
            .switch_keys
            .iter()
            .zip(block.successors.iter().rev().take(block.switch_keys.len()).rev());
        let cases: Vec<String> = cases
            .map(|(key, &next)| format!("{}: {}", self.literal((*key).into()), self.label(next)))
            .collect();
        let other = block.successors.first().map_or("?".to_owned(), |&next| self.label(next));
        format!("switch ({}) {} else {other}", values.join(", "), cases.join(", "))
    }

    fn handlers(&self, instruction: &Instruction) -> String {
        if !can_throw(instruction.opcode) {
            return String::new();
        }
        let Some(position) = self.flow.try_block(instruction) else { return String::new() };
        let caught = self.code.tries[position].handlers.iter().map(|(kind, _)| *kind);
        let blocks = self.flow.try_handlers(position);
        let handlers: Vec<String> = caught
            .zip(blocks)
            .map(|(kind, &block)| {
                let kind = kind.map_or("all".to_owned(), |kind| self.naming.descriptor(kind));
                format!("{kind}: {}", self.label(block))
            })
            .collect();
        format!(" catch {}", handlers.join(", "))
    }
}

fn is_two_address(opcode: u8) -> bool {
    matches!(opcode, 0xb0..=0xcf)
}

fn is_commutative(name: &str) -> bool {
    ["add-int", "mul-int", "and-int", "or-int", "xor-int", "add-long", "mul-long", "and-long"]
        .contains(&name)
        || ["or-long", "xor-long"].contains(&name)
}
