//! The facts of one method: its calls with what is known of their arguments, the fields it writes, the constants it
//! mentions, what it returns.

use retap_apk::EncodedValue;
use retap_apk::{CodeItem, MethodDefinition, MethodHandle, Operand};

use crate::flow::{ControlFlow, ReachingDefinitions, is_invoke};
use crate::program::{ProgramClass, descriptor_types};

/// A method of the app by its position among all methods that have code.
pub type MethodNumber = u32;

/// What a register may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value<'a> {
    Integer(i64),
    Text(&'a str),
    Class(&'a str),
    /// An object made here: its class, and the method and position of its making.
    Object(&'a str, MethodNumber, u32),
    /// The argument at a position; 0 is `this` of a method that is not static.
    Parameter(u16),
    Field(&'a str, &'a str),
    /// What the call at a position of a method returns.
    Returned(MethodNumber, u32),
}

/// A call of a method.
#[derive(Debug)]
pub struct CallFact<'a> {
    /// The position among the method's instructions.
    pub position: u32,
    pub class: &'a str,
    pub name: &'a str,
    pub descriptor: &'a str,
    /// Decided by the class named, not by the object's: static and direct calls, and those of a superclass.
    pub is_exact: bool,
    pub is_static: bool,
    /// The receiver first, if there is one.
    pub arguments: Vec<Vec<Value<'a>>>,
}

/// The facts of one method.
#[derive(Debug, Default)]
pub struct MethodFacts<'a> {
    pub calls: Vec<CallFact<'a>>,
    pub made: Vec<&'a str>,
    /// Classes that it names: `Detail.class`.
    pub classes: Vec<&'a str>,
    pub literals: Vec<&'a str>,
    pub integers: Vec<i64>,
    pub fields_written: Vec<(&'a str, &'a str, Vec<Value<'a>>)>,
    /// Fields read or written, by class and name.
    pub fields_used: Vec<(&'a str, &'a str)>,
    pub returned: Vec<Value<'a>>,
}

impl<'a> MethodFacts<'a> {
    pub fn new(
        class: &ProgramClass<'a>,
        method: &MethodDefinition<'a>,
        number: MethodNumber,
    ) -> Self {
        let mut facts = MethodFacts::default();
        let Some(code) = &method.code else { return facts };
        let flow = ControlFlow::new(code);
        let is_static = method.access & 0x8 != 0;
        let reader = FactReader {
            class,
            number,
            flow: &flow,
            parameters: parameter_registers(class, method, is_static),
        };
        let Some(mut definitions) = ReachingDefinitions::new(code, &flow) else { return facts };
        for block in 0..flow.blocks.len() {
            definitions.walk(block, |position, lookup| reader.read(position, lookup, &mut facts));
        }
        facts
    }

    pub fn call_at(&self, position: u32) -> Option<&CallFact<'a>> {
        self.calls.iter().find(|call| call.position == position)
    }
}

/// Returns for each register of the parameters the argument that it holds.
fn parameter_registers(
    class: &ProgramClass,
    method: &MethodDefinition,
    is_static: bool,
) -> Vec<u16> {
    let mut registers = Vec::new();
    let mut argument = 0;
    if !is_static {
        registers.push(0);
        argument = 1;
    }
    let mut types = descriptor_types(class.method_descriptor(method));
    types.pop();
    for kind in types {
        registers.push(argument);
        if matches!(kind, "J" | "D") {
            registers.push(argument);
        }
        argument += 1;
    }
    registers
}

struct FactReader<'a, 'b> {
    class: &'b ProgramClass<'a>,
    number: MethodNumber,
    flow: &'b ControlFlow,
    parameters: Vec<u16>,
}

impl<'a> FactReader<'a, '_> {
    fn read(&self, position: usize, lookup: &dyn Fn(u16) -> Vec<u32>, facts: &mut MethodFacts<'a>) {
        let instruction = &self.flow.instructions[position];
        let file = self.class.dex.file;
        let values = |register: Option<u16>| match register {
            Some(register) => self.values(&lookup(register)),
            None => Vec::new(),
        };
        match (instruction.opcode, instruction.operand) {
            (0x22, Operand::Type(index)) => facts.made.extend(file.type_descriptor(index)),
            (0x1c, Operand::Type(index)) => facts.classes.extend(file.type_descriptor(index)),
            (0x1a | 0x1b, Operand::String(index)) => facts.literals.extend(file.string(index)),
            (0x12..=0x19, Operand::Literal(literal)) => facts.integers.push(literal),
            (0x11 | 0x0f, _) => facts.returned.extend(values(instruction.registers.get(0))),
            (0x59..=0x5f | 0x67..=0x6d, Operand::Field(index)) => {
                if let Some(field) = file.field(index) {
                    let written = values(instruction.registers.get(0));
                    facts.fields_written.push((field.class, field.name, written));
                    facts.fields_used.push((field.class, field.name));
                }
            }
            (0x52..=0x58 | 0x60..=0x66, Operand::Field(index)) => {
                facts.fields_used.extend(file.field(index).map(|field| (field.class, field.name)));
            }
            (opcode, operand) if is_invoke(opcode) => {
                facts.calls.extend(self.calls(position, operand, lookup));
            }
            _ => {}
        }
    }

    fn calls(
        &self,
        position: usize,
        operand: Operand,
        lookup: &dyn Fn(u16) -> Vec<u32>,
    ) -> Vec<CallFact<'a>> {
        let instruction = &self.flow.instructions[position];
        let dex = self.class.dex;
        let target = match operand {
            Operand::Method(index) | Operand::Polymorphic { method: index, .. } => {
                dex.file.method(index).map(|method| (method, false))
            }
            Operand::CallSite(index) => dex.file.call_site(index).and_then(|site| {
                // The body of a lambda is a handle among the arguments of its call site.
                site.arguments.iter().find_map(|argument| match argument {
                    EncodedValue::MethodHandle(handle) => match dex.file.method_handle(*handle)? {
                        MethodHandle::Method(method) => Some((method, true)),
                        MethodHandle::Field(_) => None,
                    },
                    _ => None,
                })
            }),
            _ => None,
        };
        let Some((method, is_custom)) = target else { return Vec::new() };
        let descriptor = dex.descriptor(method.proto);
        let is_static = matches!(instruction.opcode, 0x71 | 0x77);
        let mut arguments = Vec::new();
        if !is_custom {
            let mut registers = instruction.registers.iter();
            if !is_static {
                arguments.extend(registers.next());
            }
            let mut types = descriptor_types(descriptor);
            types.pop();
            for kind in types {
                arguments.extend(registers.next());
                if matches!(kind, "J" | "D") {
                    registers.next();
                }
            }
        }
        let arguments = arguments.into_iter().map(|it| self.values(&lookup(it))).collect();
        vec![CallFact {
            position: position as u32,
            class: method.class,
            name: method.name,
            descriptor,
            is_exact: is_custom || !matches!(instruction.opcode, 0x6e | 0x72 | 0x74 | 0x78),
            is_static,
            arguments,
        }]
    }

    fn values(&self, definitions: &[u32]) -> Vec<Value<'a>> {
        definitions.iter().filter_map(|&definition| self.value(definition)).collect()
    }

    fn value(&self, definition: u32) -> Option<Value<'a>> {
        let instructions = &self.flow.instructions;
        let Some(instruction) = instructions.get(definition as usize) else {
            let register = definition as usize - instructions.len();
            return self.parameters.get(register).map(|&argument| Value::Parameter(argument));
        };
        let file = self.class.dex.file;
        match (instruction.opcode, instruction.operand) {
            (0x12..=0x19, Operand::Literal(literal)) => Some(Value::Integer(literal)),
            (0x1a | 0x1b, Operand::String(index)) => file.string(index).map(Value::Text),
            (0x1c, Operand::Type(index)) => file.type_descriptor(index).map(Value::Class),
            (0x22, Operand::Type(index)) => {
                file.type_descriptor(index).map(|it| Value::Object(it, self.number, definition))
            }
            (0x52..=0x58 | 0x60..=0x66, Operand::Field(index)) => {
                file.field(index).map(|field| Value::Field(field.class, field.name))
            }
            (opcode, _) if is_invoke(opcode) => Some(Value::Returned(self.number, definition)),
            _ => None,
        }
    }
}

/// Returns the positions of the calls that can run when `discriminator()`, such as `getItemId()`, returns `id`.
pub fn calls_for_id(
    class: &ProgramClass,
    code: &CodeItem,
    discriminators: &[&str],
    id: i64,
    constant: &dyn Fn(&str, &str) -> Option<i64>,
) -> Vec<u32> {
    let flow = ControlFlow::new(code);
    let Some(mut definitions) = ReachingDefinitions::new(code, &flow) else { return Vec::new() };
    let file = class.dex.file;
    let is_discriminator = |definition: u32| {
        let Some(instruction) = flow.instructions.get(definition as usize) else { return false };
        let Operand::Method(index) = instruction.operand else { return false };
        file.method(index).is_some_and(|method| discriminators.contains(&method.name))
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
        definitions.walk(block, |position, lookup| {
            let instruction = &flow.instructions[position];
            if is_invoke(instruction.opcode) {
                calls.push(position as u32);
            }
            let operands: Vec<Vec<u32>> = instruction.registers.iter().map(lookup).collect();
            let depends = |set: &Vec<u32>| set.iter().any(|it| is_discriminator(*it));
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
