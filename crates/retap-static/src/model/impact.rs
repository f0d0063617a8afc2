//! The impact of changed methods: the app's own methods that call them, directly or through others.

use super::code_model::CodeModel;
use super::facts::MethodNumber;
use crate::program::with_program;
use retap_apk::{Apk, ApkError};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the methods that call one of these, up to so many calls away, without the methods themselves. Methods are given
/// and returned as `Lcom/example/Main;->run()V`.
pub fn callers_of(apk: &Apk, methods: &[String], calls: u32) -> Result<Vec<String>, ApkError> {
    with_program(apk, |program| {
        let code = CodeModel::new(program, &super::windows::components(apk));
        let by_signature: BTreeMap<String, MethodNumber> =
            (0..).zip(&code.methods).map(|(number, method)| (method.signature(), number)).collect();
        let changed: BTreeSet<MethodNumber> =
            methods.iter().filter_map(|method| by_signature.get(method).copied()).collect();
        let mut found = changed.clone();
        let mut newest = changed.clone();
        for _ in 0..calls {
            newest = newest
                .iter()
                .flat_map(|number| code.callers[*number as usize].iter().copied())
                .filter(|caller| !found.contains(caller))
                .collect();
            found.extend(&newest);
        }
        let callers = found.difference(&changed);
        callers.map(|number| code.methods[*number as usize].signature()).collect()
    })
}
