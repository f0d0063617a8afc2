//! What can run of an app at all: everything that its call graph reaches from what Android calls.

use std::collections::BTreeSet;

use retap_apk::{Apk, ApkError};

use super::code_model::CodeModel;
use super::layout::{LayoutReader, NamedClasses};
use super::windows::{components, descriptor_of};
use crate::program::with_program;

/// The app's own methods, given as `Lcom/example/Main;->run()V`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallGraph {
    pub own: BTreeSet<String>,
    /// Those that Android can reach: from the manifest's components and from the classes that XML names.
    pub reached: BTreeSet<String>,
    /// Calls from own methods to own methods.
    pub calls: usize,
}

impl CallGraph {
    pub fn read(apk: &Apk) -> Result<Self, ApkError> {
        with_program(apk, |program| {
            let components = components(apk);
            let code = CodeModel::new(program, &components);
            let layouts = LayoutReader::new(apk, program.resources);
            let mut named = NamedClasses::default();
            for kind in ["@layout/", "@menu/", "@xml/", "@navigation/"] {
                program.resources.beginning(kind).for_each(|it| layouts.classes(it, &mut named));
            }
            let in_xml = named.fragments.iter().chain(&named.widgets).map(|it| descriptor_of(it));
            let entries: Vec<String> = components.into_iter().chain(in_xml).collect();
            let methods = entries.iter().flat_map(|class| code.superclasses(class));
            let methods: Vec<_> = methods.flat_map(|class| code.methods_of(class)).collect();
            let reached = code.reachable(methods, &|_| true);
            let signature = |number: &u32| code.methods[*number as usize].signature();
            CallGraph {
                own: code.methods.iter().map(|it| it.signature()).collect(),
                reached: reached.iter().map(signature).collect(),
                calls: code.callees.iter().map(BTreeSet::len).sum(),
            }
        })
    }
}
