//! The impact of changed methods: the app's own methods that call them or read what they write, directly or through others.

use super::code_model::CodeModel;
use super::facts::MethodNumber;
use crate::program::with_program;
use retap_apk::{Apk, ApkError};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the methods that call one of these or read a field that one of these writes, up to so many steps away, without the
/// methods themselves. Methods are given and returned as `Lcom/example/Main;->run()V`.
pub fn impact_of(apk: &Apk, methods: &[String], steps: u32) -> Result<Vec<String>, ApkError> {
    with_program(apk, |program| {
        let code = CodeModel::new(program, &super::windows::components(apk));
        let by_signature: BTreeMap<String, MethodNumber> =
            (0..).zip(&code.methods).map(|(number, method)| (method.signature(), number)).collect();
        let changed: BTreeSet<MethodNumber> =
            methods.iter().filter_map(|method| by_signature.get(method).copied()).collect();
        let mut found = changed.clone();
        let mut newest = changed.clone();
        for _ in 0..steps {
            newest = newest
                .iter()
                .flat_map(|number| code.callers[*number as usize].iter().copied())
                .chain(readers_of_what(&code, &newest))
                .filter(|caller| !found.contains(caller))
                .collect();
            found.extend(&newest);
        }
        let callers = found.difference(&changed);
        callers.map(|number| code.methods[*number as usize].signature()).collect()
    })
}

/// Returns the methods that use a field of the app which one of these writes.
fn readers_of_what(code: &CodeModel, writers: &BTreeSet<MethodNumber>) -> Vec<MethodNumber> {
    let written: BTreeSet<(&str, &str)> = writers
        .iter()
        .flat_map(|number| &code.methods[*number as usize].facts.fields_written)
        .map(|(class, name, _)| (*class, *name))
        .filter(|(class, _)| code.program.class(class).is_some())
        .collect();
    let uses = |it: &MethodNumber| {
        let mut used = code.methods[*it as usize].facts.fields_used.iter();
        used.any(|field| written.contains(field))
    };
    (0..code.methods.len() as MethodNumber).filter(uses).collect()
}
