//! A readable disassembly: one line an instruction, with names as in Java source and without the file's noise.

use retap_apk::{CodeItem, Instruction, MethodDefinition, Operand};

use crate::flow;
use crate::program::{ProgramClass, ResourceNames, call_site_text, descriptor_types, java_name};

/// Returns the lines of a method's code; one line for a method without any.
pub fn lines(
    class: &ProgramClass,
    method: &MethodDefinition,
    resources: &ResourceNames,
) -> Vec<String> {
    let Some(code) = &method.code else {
        return vec!["(no code)".to_owned()];
    };
    let instructions = code.instructions();
    let targets = targets(code, &instructions);
    let label = |at: u32| targets.binary_search(&at).map_or("?".to_owned(), |it| format!("L{it}"));
    let mut lines = Vec::new();
    for instruction in &instructions {
        for block in code.tries.iter().filter(|block| block.start == instruction.at) {
            let handlers: Vec<String> = block
                .handlers
                .iter()
                .map(|(kind, at)| {
                    format!("{} {}", kind.map_or("any".to_owned(), short), label(*at))
                })
                .collect();
            lines.push(format!("try, catch {}", handlers.join(", ")));
        }
        if targets.binary_search(&instruction.at).is_ok() {
            lines.push(format!("{}:", label(instruction.at)));
        }
        let silent = instruction.opcode == 0;
        if !silent {
            lines.push(format!("  {}", line(class, code, instruction, resources, &label)));
        }
    }
    lines
}

/// Returns the offsets that branches, switches and handlers lead to, sorted.
fn targets(code: &CodeItem, instructions: &[Instruction]) -> Vec<u32> {
    let mut targets: Vec<u32> =
        code.tries.iter().flat_map(|it| it.handlers.iter().map(|h| h.1)).collect();
    for instruction in instructions {
        match instruction.operand {
            Operand::Branch(at) => targets.push(at),
            Operand::Payload(payload) => {
                let cases = code.switch(instruction, payload).unwrap_or_default();
                targets.extend(cases.iter().map(|(_, at)| *at));
            }
            _ => {}
        }
    }
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn line(
    class: &ProgramClass,
    code: &CodeItem,
    instruction: &Instruction,
    resources: &ResourceNames,
    label: &dyn Fn(u32) -> String,
) -> String {
    let first_parameter = code.registers - code.parameters;
    let register = |number: u16| match number.checked_sub(first_parameter) {
        Some(parameter) => format!("p{parameter}"),
        None => format!("v{number}"),
    };
    let registers: Vec<String> = instruction.registers.iter().map(register).collect();
    let name = instruction.name().split('/').next().unwrap_or_default();
    let file = class.dex.file;
    let operand = match instruction.operand {
        Operand::None => String::new(),
        Operand::Literal(literal) => resources.of_literal(literal).map_or_else(
            || literal.to_string(),
            |name| format!("R{}", name.replacen('@', ".", 1).replace('/', ".")),
        ),
        Operand::Branch(at) => label(at),
        Operand::Payload(payload) if flow::is_switch(instruction.opcode) => {
            let cases = code.switch(instruction, payload).unwrap_or_default();
            let case = |(key, at): &(i32, u32)| format!("{key} → {}", label(*at));
            format!("{{{}}}", cases.iter().map(case).collect::<Vec<_>>().join(", "))
        }
        Operand::Payload(payload) => {
            let bytes = code.array_data(payload).map_or(0, |data| data.elements.len());
            format!("{bytes} bytes")
        }
        Operand::String(index) => {
            file.string(index).map(|it| format!("{it:?}")).unwrap_or_default()
        }
        Operand::Type(index) => file.type_descriptor(index).map(short).unwrap_or_default(),
        Operand::Field(index) => file
            .field(index)
            .map(|field| format!("{}.{}", short(field.class), field.name))
            .unwrap_or_default(),
        Operand::Method(index) | Operand::Polymorphic { method: index, .. } => file
            .method(index)
            .map(|method| {
                let mut types = descriptor_types(class.dex.descriptor(method.proto));
                types.pop();
                let types: Vec<String> = types.into_iter().map(short).collect();
                format!("{}.{}({})", short(method.class), method.name, types.join(", "))
            })
            .unwrap_or_default(),
        Operand::Proto(index) => class.dex.descriptor(index).to_owned(),
        Operand::CallSite(index) => call_site_text(file, index),
        Operand::MethodHandle(index) => crate::program::handle_text(file, index),
    };
    let operands = registers.join(", ");
    let gap = if operands.is_empty() || operand.is_empty() { "" } else { "  " };
    if flow::is_invoke(instruction.opcode) {
        return format!("{name} {operand}{gap}[{operands}]");
    }
    format!("{name} {operands}{gap}{operand}").trim_end().to_owned()
}

/// Returns a type's name without its package.
pub fn short(descriptor: &str) -> String {
    let name = java_name(descriptor);
    name.rsplit('.').next().unwrap_or(&name).to_owned()
}
