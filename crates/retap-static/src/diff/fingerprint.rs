//! The tree of hashes of a version's code: methods below classes below packages.

use std::collections::BTreeMap;

use rayon::prelude::*;
use retap_apk::{CodeItem, MethodDefinition, Operand};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::program::{Program, ProgramClass, ResourceNames, value_text};

/// The hashes of a version, in the order of the program's classes.
pub struct CodeTree {
    pub root: u128,
    pub packages: BTreeMap<String, u128>,
    pub classes: Vec<ClassFingerprint>,
}

/// The hash of a class and of each of its methods, in the order of the definition.
pub struct ClassFingerprint {
    pub hash: u128,
    pub methods: Vec<u128>,
}

impl CodeTree {
    pub fn new(program: &Program) -> Self {
        let classes: Vec<ClassFingerprint> =
            program.classes.par_iter().map(|class| of_class(class, program.resources)).collect();
        let mut packages = BTreeMap::<String, Vec<u8>>::new();
        for (class, fingerprint) in program.classes.iter().zip(&classes) {
            let package = package_of(class.descriptor());
            packages.entry(package).or_default().extend(fingerprint.hash.to_le_bytes());
        }
        let packages: BTreeMap<String, u128> =
            packages.into_iter().map(|(name, hashes)| (name, xxh3_128(&hashes))).collect();
        let all: Vec<u8> = packages.values().flat_map(|hash| hash.to_le_bytes()).collect();
        CodeTree { root: xxh3_128(&all), packages, classes }
    }
}

/// Returns `com.example` for `Lcom/example/Main;`.
pub fn package_of(descriptor: &str) -> String {
    let path = descriptor.trim_start_matches('L');
    path.rsplit_once('/').map_or("", |(package, _)| package).replace('/', ".")
}

fn of_class(class: &ProgramClass, resources: &ResourceNames) -> ClassFingerprint {
    let methods: Vec<u128> =
        class.definition.methods.iter().map(|method| of_method(class, method, resources)).collect();
    let mut sorted = methods.clone();
    sorted.sort_unstable();
    let mut bytes = declaration(class, resources).join("\n").into_bytes();
    bytes.extend(sorted.iter().flat_map(|hash| hash.to_le_bytes()));
    ClassFingerprint { hash: xxh3_128(&bytes), methods }
}

/// Returns what a class states besides its methods, as lines.
fn declaration(class: &ProgramClass, resources: &ResourceNames) -> Vec<String> {
    let definition = &class.definition;
    let mut lines = vec![
        definition.descriptor.to_owned(),
        definition.access.to_string(),
        definition.superclass.unwrap_or_default().to_owned(),
        definition.interfaces.join(" "),
    ];
    let mut fields: Vec<String> = definition
        .fields
        .iter()
        .map(|field| {
            let value = super::classes::field_value(class, field, resources).unwrap_or_default();
            format!("{} {} {} {value}", field.access, field.id.kind, field.id.name)
        })
        .collect();
    fields.sort();
    lines.extend(fields);
    lines.extend(annotations(class));
    lines
}

/// Returns the annotations that code can see. Those of the virtual machine and Kotlin's copy of the source's types change
/// with every compiler.
pub fn annotations(class: &ProgramClass) -> Vec<String> {
    use retap_apk::{EncodedValue, Visibility};
    let found = class.definition.annotations(class.dex.file).unwrap_or_default();
    let visible = found.class.into_iter().filter(|annotation| {
        annotation.visibility == Visibility::Runtime
            && annotation.kind != "Lkotlin/Metadata;"
            && annotation.kind != "Lkotlin/coroutines/jvm/internal/DebugMetadata;"
    });
    visible.map(|it| value_text(class.dex.file, &EncodedValue::Annotation(it))).collect()
}

fn of_method(class: &ProgramClass, method: &MethodDefinition, resources: &ResourceNames) -> u128 {
    let mut bytes = Vec::with_capacity(256);
    bytes.extend(method.id.name.as_bytes());
    bytes.extend(class.method_descriptor(method).as_bytes());
    bytes.extend(method.access.to_le_bytes());
    if let Some(code) = &method.code {
        code_bytes(class, code, resources, &mut bytes);
    }
    xxh3_128(&bytes)
}

/// Appends the instructions as they are, with names in place of numbers of tables.
fn code_bytes(
    class: &ProgramClass,
    code: &CodeItem,
    resources: &ResourceNames,
    bytes: &mut Vec<u8>,
) {
    let (file, hashes) = (class.dex.file, &class.dex.hashes);
    for instruction in code.instructions() {
        // The jumbo form of a string's number is the one choice that follows from the tables alone.
        bytes.push(if instruction.opcode == 0x1b { 0x1a } else { instruction.opcode });
        bytes.extend(instruction.registers.iter().flat_map(u16::to_le_bytes));
        match instruction.operand {
            Operand::None => {}
            Operand::Literal(literal) => match resources.of_literal(literal) {
                Some(name) => bytes.extend(xxh3_64(name.as_bytes()).to_le_bytes()),
                None => bytes.extend(literal.to_le_bytes()),
            },
            Operand::Branch(at) => bytes.extend(at.wrapping_sub(instruction.at).to_le_bytes()),
            Operand::Payload(payload) => {
                for (key, target) in code.switch(&instruction, payload).unwrap_or_default() {
                    let name = resources.of_literal(key.into());
                    let key = name.map_or(key as u64, |name| xxh3_64(name.as_bytes()));
                    bytes.extend(key.to_le_bytes());
                    bytes.extend(target.wrapping_sub(instruction.at).to_le_bytes());
                }
                bytes.extend(code.array_data(payload).map_or(&[][..], |data| data.elements));
            }
            operand => bytes.extend(hashes.of_operand(file, operand).to_le_bytes()),
        }
    }
    for block in &code.tries {
        bytes.extend(block.start.to_le_bytes());
        bytes.extend(block.end.to_le_bytes());
        for (kind, at) in &block.handlers {
            bytes.extend(kind.unwrap_or_default().as_bytes());
            bytes.extend(at.to_le_bytes());
        }
    }
}
