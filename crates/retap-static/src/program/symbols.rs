//! A hash for each string, type, field and method of a dex file, by name. Hashing code by these numbers does not
//! depend on the order of the tables.

use retap_apk::{DexFile, EncodedValue, MethodHandle, Operand};
use xxhash_rust::xxh3::xxh3_64;

/// The hashes of a file's symbols, by their numbers.
pub struct SymbolHashes {
    strings: Vec<u64>,
    types: Vec<u64>,
    fields: Vec<u64>,
    methods: Vec<u64>,
    protos: Vec<u64>,
}

impl SymbolHashes {
    pub fn new(file: &DexFile, descriptors: &[String]) -> Self {
        let header = file.header();
        let text = |text: Option<&str>| text.map_or(0, |text| xxh3_64(text.as_bytes()));
        let types: Vec<u64> =
            (0..header.types as u32).map(|index| text(file.type_descriptor(index))).collect();
        let protos: Vec<u64> =
            descriptors.iter().map(|descriptor| xxh3_64(descriptor.as_bytes())).collect();
        let field = |index| {
            let field = file.field(index)?;
            Some(joined(&[text(Some(field.class)), text(Some(field.name)), text(Some(field.kind))]))
        };
        let method = |index| {
            let method = file.method(index)?;
            let proto = protos.get(method.proto as usize).copied().unwrap_or(0);
            Some(joined(&[text(Some(method.class)), text(Some(method.name)), proto]))
        };
        SymbolHashes {
            strings: (0..header.strings as u32).map(|index| text(file.string(index))).collect(),
            fields: (0..header.fields as u32).map(|index| field(index).unwrap_or(0)).collect(),
            methods: (0..header.methods as u32).map(|index| method(index).unwrap_or(0)).collect(),
            types,
            protos,
        }
    }

    /// Returns the hash of what an operand refers to; 0 for an operand that refers to nothing.
    pub fn of_operand(&self, file: &DexFile, operand: Operand) -> u64 {
        let get = |hashes: &Vec<u64>, index: u32| hashes.get(index as usize).copied().unwrap_or(0);
        match operand {
            Operand::String(index) => get(&self.strings, index),
            Operand::Type(index) => get(&self.types, index),
            Operand::Field(index) => get(&self.fields, index),
            Operand::Method(index) => get(&self.methods, index),
            Operand::Proto(index) => get(&self.protos, index),
            Operand::Polymorphic { method, proto } => {
                joined(&[get(&self.methods, method), get(&self.protos, proto)])
            }
            Operand::CallSite(index) => xxh3_64(call_site_text(file, index).as_bytes()),
            Operand::MethodHandle(index) => xxh3_64(handle_text(file, index).as_bytes()),
            Operand::None | Operand::Literal(_) | Operand::Branch(_) | Operand::Payload(_) => 0,
        }
    }
}

fn joined(hashes: &[u64]) -> u64 {
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    xxh3_64(&bytes)
}

/// Returns a call site as text, without any number of a table.
pub fn call_site_text(file: &DexFile, index: u32) -> String {
    let Some(site) = file.call_site(index) else { return String::new() };
    let arguments: Vec<String> =
        site.arguments.iter().map(|argument| value_text(file, argument)).collect();
    let descriptor = file.descriptor(site.proto).unwrap_or_default();
    format!("{}{descriptor} {}", site.name, arguments.join(", "))
}

pub fn handle_text(file: &DexFile, index: u32) -> String {
    match file.method_handle(index) {
        Some(MethodHandle::Method(method)) => {
            let descriptor = file.descriptor(method.proto).unwrap_or_default();
            format!("{}->{}{descriptor}", method.class, method.name)
        }
        Some(MethodHandle::Field(field)) => {
            format!("{}->{}:{}", field.class, field.name, field.kind)
        }
        None => String::new(),
    }
}

/// Returns a constant as text.
pub fn value_text(file: &DexFile, value: &EncodedValue) -> String {
    match value {
        EncodedValue::Integer(number) => number.to_string(),
        EncodedValue::Float(number) => format!("{number:?}f"),
        EncodedValue::Double(number) => format!("{number:?}"),
        EncodedValue::String(text) => format!("{text:?}"),
        EncodedValue::Type(descriptor) => (*descriptor).to_owned(),
        EncodedValue::Field(field) | EncodedValue::Enum(field) => {
            format!("{}->{}", field.class, field.name)
        }
        EncodedValue::Method(method) => {
            let descriptor = file.descriptor(method.proto).unwrap_or_default();
            format!("{}->{}{descriptor}", method.class, method.name)
        }
        EncodedValue::Proto(proto) => file.descriptor(*proto).unwrap_or_default(),
        EncodedValue::MethodHandle(index) => handle_text(file, *index),
        EncodedValue::Array(values) => {
            let values: Vec<String> = values.iter().map(|value| value_text(file, value)).collect();
            format!("{{{}}}", values.join(", "))
        }
        EncodedValue::Annotation(annotation) => {
            let element = |(name, value): &(&str, EncodedValue)| {
                format!("{name}={}", value_text(file, value))
            };
            let elements: Vec<String> = annotation.elements.iter().map(element).collect();
            format!("@{}({})", annotation.kind, elements.join(", "))
        }
        EncodedValue::Null => "null".to_owned(),
        EncodedValue::Boolean(truth) => truth.to_string(),
    }
}
