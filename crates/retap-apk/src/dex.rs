//! Dalvik code: reads the `classes.dex` files of an APK into the types of `code`.
//!
//! This is our own reader. The published ones allocate by the counts a file claims, or panic on
//! them. [`Dex`] is one pass over classes and calls; [`DexFile`] reads everything, in place and on demand.

mod annotation;
mod call_site;
mod class;
mod code_item;
mod decode;
mod definition;
mod encoded_value;
mod error;
mod file;
mod header;
mod instruction;
mod line_table;
mod map;
mod mutf8;
mod opcode;
mod operation;
mod pool;

#[cfg(test)]
pub(crate) mod sample;

pub use annotation::{Annotation, ClassAnnotations, Visibility};
pub use call_site::{CallSite, MethodHandle};
pub use code_item::{ArrayData, CodeItem, TryBlock};
pub use decode::{Instruction, Operand, Registers};
pub use definition::{ClassDefinition, FieldDefinition, MethodDefinition};
pub use encoded_value::EncodedValue;
pub use error::DexError;
pub use file::{DexFile, FieldId, MethodId, Proto};
pub use header::DexHeader;

use crate::code::DexClass;
use crate::untrusted::Bytes;
use crate::untrusted::ReadBudget;
use header::DexTables;
use pool::IdPool;

/// One `classes.dex`: its header and all its classes. From version 041 on one file may hold several
/// headers.
#[derive(Debug)]
pub struct Dex {
    pub headers: Vec<DexHeader>,
    pub classes: Vec<DexClass>,
}

impl Dex {
    pub fn parse(file: &[u8]) -> Result<Self, DexError> {
        let mut budget = ReadBudget::for_length(file.len());
        let mut dex = Dex { headers: Vec::new(), classes: Vec::new() };
        let mut next = Some(0);
        while let Some(at) = next {
            let tables = DexTables::parse(Bytes(file), at)?;
            next = tables.next_header;
            dex.headers.push(tables.header.clone());
            class::read_all(&mut IdPool::new(Bytes(file), tables, &mut budget)?, &mut dex.classes)?;
        }
        Ok(dex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the calls of all methods with the text passed to each.
    fn called(dex: &Dex) -> Vec<(String, Option<&str>)> {
        let methods = dex.classes.iter().flat_map(|class| &class.methods);
        let calls = methods.flat_map(|method| &method.calls);
        calls.map(|call| (call.target.to_string(), call.text.as_deref())).collect()
    }

    #[test]
    fn classes_methods_and_calls_are_read() {
        let dex = Dex::parse(&sample::loading_a_library()).unwrap();
        assert_eq!(dex.headers[0].version, 35);
        assert_eq!((dex.headers[0].classes, dex.headers[0].methods), (1, 2));
        let class = &dex.classes[0];
        assert_eq!(&*class.descriptor, "La/Main;");
        assert_eq!(class.superclass.as_deref(), Some("Ljava/lang/Object;"));
        assert_eq!((&*class.methods[0].name, &*class.methods[0].descriptor), ("run", "()V"));
        let load = "Ljava/lang/System;->loadLibrary(Ljava/lang/String;)V";
        assert_eq!(called(&dex), [(load.to_owned(), Some("native"))]);
    }

    #[test]
    fn a_text_that_was_overwritten_is_not_passed() {
        let check = |code: &[u16], expected| {
            let dex = Dex::parse(&sample::with_code(code)).unwrap();
            assert_eq!(called(&dex)[0].1, expected, "{code:04x?}");
        };
        let [load, invoke, end] = [[0x001a, sample::NATIVE], [0x1071, sample::LOAD], [0, 0x000e]];
        check(&[load, invoke, end].concat(), Some("native"));
        check(&[&load[..], &[0x0012], &invoke, &end].concat(), None);
        check(&[&load[..], &[0x0112], &invoke, &end].concat(), Some("native"));
        check(&[&load[..], &[0x000c], &invoke, &end].concat(), None);
    }

    #[test]
    fn junk_after_the_code_ends_only_that_method() {
        let junk = [0x001a, sample::NATIVE, 0x1071, sample::LOAD, 0, 0x1071, 0xffff, 0, 0x0300];
        assert_eq!(called(&Dex::parse(&sample::with_code(&junk)).unwrap()).len(), 1);
    }

    #[test]
    fn classes_that_share_one_body_are_too_costly() {
        assert_eq!(
            Dex::parse(&sample::classes_sharing_one_body()).unwrap_err(),
            DexError::TooCostly
        );
    }

    #[test]
    fn every_truncated_file_is_refused() {
        let file = sample::loading_a_library();
        for len in 0..file.len() {
            assert!(Dex::parse(&file[..len]).is_err(), "{len} bytes");
        }
    }
}
