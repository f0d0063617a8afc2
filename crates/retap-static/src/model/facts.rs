//! The facts of one method: its calls with what is known of their arguments, the fields it writes, the constants it
//! mentions, what it returns.

use retap_apk::EncodedValue;
use retap_apk::{MethodDefinition, MethodHandle, Operand};

use crate::flow::{ControlFlow, ReachingDefinitions, RegisterValues, is_invoke};
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
        let Some(definitions) = ReachingDefinitions::new(code, &flow) else { return facts };
        for block in 0..flow.blocks.len() {
            definitions
                .walk(block, |position, registers| reader.read(position, registers, &mut facts));
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
    fn read(&self, position: usize, registers: RegisterValues<'_>, facts: &mut MethodFacts<'a>) {
        let instruction = &self.flow.instructions[position];
        let file = self.class.dex.file;
        let values = |register: Option<u16>| match register {
            Some(register) => self.values(registers.of(register)),
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
                facts.calls.extend(self.calls(position, operand, registers));
            }
            _ => {}
        }
    }

    fn calls(
        &self,
        position: usize,
        operand: Operand,
        registers: RegisterValues<'_>,
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
        let arguments = arguments.into_iter().map(|it| self.values(registers.of(it))).collect();
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
