//! Writes a canonical form line by line into one text: a comparison writes those of many thousand methods.

use std::fmt::Display;

use retap_apk::{CodeItem, Instruction, Operand};

use super::form::FormText;
use super::value::ValueName;
use super::{BlockOrder, CanonicalCode, following};
use crate::flow::{
    self, ControlFlow, ReachingDefinitions, RegisterValues, can_throw, is_condition, is_goto,
    is_invoke, is_move, is_move_result, is_switch,
};
use crate::program::{DexNames, ResourceNames, call_site_text, descriptor_types};

pub struct CanonicalWriter<'c, 'a> {
    dex: &'a DexNames<'a>,
    code: &'a CodeItem<'a>,
    resources: &'a ResourceNames,
    flow: &'c ControlFlow,
    order: &'c BlockOrder,
    /// The line of each instruction that gives a value.
    numbers: Vec<Option<u32>>,
    text: &'c mut FormText<'a>,
    lines: u32,
}

impl<'c, 'a> CanonicalWriter<'c, 'a> {
    pub fn new(
        canonical: &'c CanonicalCode<'a>,
        resources: &'a ResourceNames,
        text: &'c mut FormText<'a>,
    ) -> Self {
        let CanonicalCode { class, code, flow, order } = canonical;
        let numbers = vec![None; flow.instructions.len()];
        CanonicalWriter { dex: class.dex, code, resources, flow, order, numbers, text, lines: 0 }
    }

    pub fn write(mut self, definitions: Option<&ReachingDefinitions>) {
        let order = self.order;
        for (number, chain) in order.chains.iter().enumerate() {
            self.text.push("block ");
            self.text.put(number);
            self.end_line();
            for &block in chain {
                match definitions {
                    Some(definitions) => definitions.walk(block, |position, registers| {
                        self.instruction(position, registers);
                    }),
                    None => {
                        let positions = self.flow.blocks[block].first..self.flow.blocks[block].end;
                        positions.for_each(|it| self.instruction(it, RegisterValues::UNKNOWN));
                    }
                }
            }
            self.end_of_chain(chain.last().copied().unwrap_or_default());
        }
    }

    fn put(&mut self, part: impl Display) {
        self.text.put(part);
    }

    fn put_values(&mut self, values: &[ValueName<'a>]) {
        for (number, value) in values.iter().enumerate() {
            if number > 0 {
                self.text.push(", ");
            }
            match value {
                ValueName::Class(descriptor) => {
                    self.text.push("class ");
                    self.text.descriptor(descriptor);
                }
                other => self.text.put(other),
            }
        }
    }

    fn put_label(&mut self, block: usize) {
        match self.order.labels.get(&block) {
            Some(label) => self.put(label),
            None => self.text.push("?"),
        }
    }

    fn end_line(&mut self) {
        self.text.push("\n");
        self.lines += 1;
    }

    /// Says where a chain leads if it does not end with a condition, a switch, a return or a throw.
    fn end_of_chain(&mut self, block: usize) {
        let last = &self.flow.instructions[self.flow.blocks[block].end - 1];
        if let [next] = self.flow.blocks[block].successors[..]
            && !is_condition(last.opcode)
            && !is_switch(last.opcode)
        {
            self.text.push("go to ");
            self.put_label(next);
            self.end_line();
        }
    }

    fn instruction(&mut self, position: usize, registers: RegisterValues<'_>) {
        let instruction = &self.flow.instructions[position];
        let opcode = instruction.opcode;
        let is_silent = opcode == 0
            || is_move(opcode)
            || is_move_result(opcode)
            || is_goto(opcode)
            || self.is_constant(instruction);
        if is_silent {
            return;
        }
        let values = self.values(instruction, registers);
        if is_condition(opcode) {
            self.condition(position, values);
        } else if is_switch(opcode) {
            self.switch(position, &values);
        } else {
            self.operation(instruction, values);
        }
        self.handlers(instruction);
        self.numbers[position] = Some(self.lines);
        self.end_line();
    }

    /// Returns the values that an instruction uses, the second halves of wide arguments left out.
    fn values(
        &self,
        instruction: &Instruction,
        registers: RegisterValues<'_>,
    ) -> Vec<ValueName<'a>> {
        let value = |register: u16| self.value(registers.of(register));
        let used = instruction.registers.iter();
        if is_invoke(instruction.opcode) {
            self.arguments(instruction).into_iter().map(value).collect()
        } else if flow::written_register(instruction).is_some()
            && !is_two_address(instruction.opcode)
        {
            used.skip(1).map(value).collect()
        } else {
            used.map(value).collect()
        }
    }

    fn arguments(&self, instruction: &Instruction) -> Vec<u16> {
        let registers = instruction.registers.iter();
        let proto = match instruction.operand {
            Operand::Method(index) => self.dex.file.method(index).map(|method| method.proto),
            Operand::Polymorphic { proto, .. } => Some(proto),
            Operand::CallSite(index) => self.dex.file.call_site(index).map(|site| site.proto),
            _ => None,
        };
        let Some(proto) = proto else { return registers.collect() };
        let has_receiver = !matches!(instruction.opcode, 0x71 | 0x77 | 0xfc | 0xfd);
        let mut types = descriptor_types(self.dex.descriptor(proto));
        types.pop();
        let mut arguments = Vec::with_capacity(types.len() + 1);
        let mut rest = registers;
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
    fn value(&self, definitions: &[u32]) -> ValueName<'a> {
        let mut names = definitions.iter().map(|&definition| self.definition(definition));
        let Some(first) = names.next() else { return ValueName::Unknown };
        if names.all(|name| name == first) { first } else { ValueName::Several }
    }

    fn definition(&self, definition: u32) -> ValueName<'a> {
        let position = definition as usize;
        let Some(instruction) = self.flow.instructions.get(position) else {
            return ValueName::Parameter(position - self.flow.instructions.len());
        };
        if let Some(constant) = self.constant(instruction) {
            return constant;
        }
        self.numbers[position].map_or(ValueName::Later, ValueName::Line)
    }

    fn is_constant(&self, instruction: &Instruction) -> bool {
        match (instruction.opcode, instruction.operand) {
            (0x12..=0x19, Operand::Literal(_)) => true,
            (0x1a | 0x1b, Operand::String(index)) => self.dex.file.string(index).is_some(),
            (0x1c, Operand::Type(index)) => self.dex.file.type_descriptor(index).is_some(),
            _ => false,
        }
    }

    fn constant(&self, instruction: &Instruction) -> Option<ValueName<'a>> {
        match (instruction.opcode, instruction.operand) {
            (0x12..=0x19, Operand::Literal(literal)) => Some(self.literal(literal)),
            (0x1a | 0x1b, Operand::String(index)) => {
                self.dex.file.string(index).map(|text| ValueName::Constant(format!("{text:?}")))
            }
            (0x1c, Operand::Type(index)) => {
                let descriptor = self.dex.file.type_descriptor(index)?;
                Some(ValueName::Class(descriptor))
            }
            _ => None,
        }
    }

    fn literal(&self, literal: i64) -> ValueName<'a> {
        let name = self.resources.of_literal(literal);
        name.map_or(ValueName::Number(literal), |name| ValueName::Constant(name.to_owned()))
    }

    fn operation(&mut self, instruction: &Instruction, mut values: Vec<ValueName<'a>>) {
        let full = instruction.name();
        let mut name = full.split('/').next().unwrap_or(full);
        if let Operand::Literal(literal) = instruction.operand {
            values.push(self.literal(literal));
        }
        if name == "rsub-int" {
            name = "sub-int";
            values.reverse();
        }
        if name == "sub-int"
            && let Some(ValueName::Number(number)) = values.last_mut()
        {
            name = "add-int";
            *number = number.wrapping_neg();
        }
        if is_commutative(name) {
            values.sort();
        }
        self.text.push(name);
        self.reference(instruction.operand);
        self.text.push(" (");
        self.put_values(&values);
        self.text.push(")");
    }

    /// Writes what an operand refers to, after a space; nothing for one that refers to nothing.
    fn reference(&mut self, operand: Operand) {
        let (dex, file) = (self.dex, self.dex.file);
        match operand {
            Operand::Type(index) => {
                let Some(descriptor) = file.type_descriptor(index) else { return };
                self.text.push(" ");
                self.text.descriptor(descriptor);
            }
            Operand::Field(index) => {
                let Some(field) = file.field(index) else { return };
                self.text.push(" ");
                self.text.descriptor(field.class);
                self.text.push("->");
                self.text.field(field.class, field.name);
                self.text.push(":");
                self.text.descriptor(field.kind);
            }
            Operand::Method(method) | Operand::Polymorphic { method, .. } => {
                let Some(method) = file.method(method) else { return };
                let descriptor = dex.descriptor(method.proto);
                self.text.push(" ");
                self.text.descriptor(method.class);
                self.text.push("->");
                self.text.method(method.class, method.name, descriptor);
                self.text.descriptor(descriptor);
            }
            Operand::CallSite(index) => self.put(format_args!(" {}", call_site_text(file, index))),
            Operand::Proto(index) => self.put(format_args!(" {}", dex.descriptor(index))),
            Operand::String(index) => {
                let Some(text) = file.string(index) else { return };
                self.put(format_args!(" {text:?}"));
            }
            Operand::Payload(payload) => {
                let Some(data) = self.code.array_data(payload) else { return };
                self.put(format_args!(" {:?}", data.elements));
            }
            _ => {}
        }
    }

    /// Every condition is written as `eq` or `lt`, with the block for "yes" first.
    fn condition(&mut self, position: usize, mut values: Vec<ValueName<'a>>) {
        let opcode = self.flow.instructions[position].opcode;
        if values.len() == 1 {
            values.push(ValueName::Number(0));
        }
        let name = match opcode {
            0x32 | 0x33 | 0x38 | 0x39 => {
                values.sort();
                "if-eq ("
            }
            // `gt` and its negation `le`: `a > b` is `b < a`.
            0x36 | 0x37 | 0x3c | 0x3d => {
                values.reverse();
                "if-lt ("
            }
            _ => "if-lt (",
        };
        self.text.push(name);
        self.put_values(&values);
        let block = self.flow.blocks.partition_point(|block| block.first <= position) - 1;
        for (number, next) in following(self.flow, block).into_iter().enumerate() {
            self.text.push(if number == 0 { ") then " } else { " else " });
            self.put_label(next);
        }
    }

    fn switch(&mut self, position: usize, values: &[ValueName<'a>]) {
        let block = self.flow.blocks.partition_point(|block| block.first <= position) - 1;
        let block = &self.flow.blocks[block];
        self.put("switch (");
        self.put_values(values);
        self.put(")");
        let cases = block.successors.iter().rev().take(block.switch_keys.len()).rev();
        for (key, &next) in block.switch_keys.iter().zip(cases) {
            let key = self.literal((*key).into());
            self.put(format_args!(" {key}: "));
            self.put_label(next);
        }
        self.text.push(" else ");
        self.put_label(block.successors.first().copied().unwrap_or(usize::MAX));
    }

    fn handlers(&mut self, instruction: &Instruction) {
        if !can_throw(instruction.opcode) {
            return;
        }
        let Some(position) = self.flow.try_block(instruction) else { return };
        self.text.push(" catch");
        let caught = self.code.tries[position].handlers.iter().map(|(kind, _)| *kind);
        for (kind, &block) in caught.zip(self.flow.try_handlers(position)) {
            self.text.push(" ");
            match kind {
                Some(kind) => self.text.descriptor(kind),
                None => self.text.push("all"),
            }
            self.text.push(": ");
            self.put_label(block);
        }
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
