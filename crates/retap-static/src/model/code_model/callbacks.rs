//! What Android and libraries may call: methods that override theirs.

use std::collections::BTreeSet;

use super::{CodeModel, is_own};
use crate::model::facts::MethodNumber;
use crate::model::framework;

/// The methods of every object that Java, Android and libraries call by themselves.
const OF_EVERY_OBJECT: [&str; 5] = ["toString", "equals", "hashCode", "finalize", "clone"];

impl<'a> CodeModel<'a> {
    /// Returns the methods of an own class that override something that is not the app's: Android, or a library, may call
    /// them from the moment that an object is made.
    pub fn callbacks(&self, class: &str) -> Vec<MethodNumber> {
        self.callbacks.get(class).cloned().unwrap_or_else(|| self.find_callbacks(class))
    }

    pub(super) fn find_callbacks(&self, class: &str) -> Vec<MethodNumber> {
        if !is_own(class, self.program.package) {
            return Vec::new();
        }
        let foreign = self.foreign_types(class);
        let own = self.superclasses(class).take_while(|it| is_own(it, self.program.package));
        let is_callback = |number: &MethodNumber| {
            let method = &self.methods[*number as usize];
            let is_virtual = method.definition.access & (0x8 | 0x2) == 0;
            is_virtual
                && !method.name().starts_with('<')
                && (OF_EVERY_OBJECT.contains(&method.name())
                    || foreign.iter().any(|it| self.declares(it, method.name())))
        };
        own.flat_map(|it| self.methods_of(it)).filter(is_callback).collect()
    }

    /// Returns everything that is not the app's own among what a class extends and implements.
    pub fn foreign_types(&self, class: &str) -> BTreeSet<&'a str> {
        let mut foreign = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut work: Vec<&'a str> = self.parents(class).collect();
        while let Some(parent) = work.pop() {
            if seen.insert(parent) {
                work.extend(self.parents(parent));
                if parent != "Ljava/lang/Object;" && !is_own(parent, self.program.package) {
                    foreign.insert(parent);
                }
            }
        }
        foreign
    }

    fn parents(&self, class: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let definition = self.program.class(class).map(|it| &it.definition);
        let superclass = definition.and_then(|it| it.superclass);
        let interfaces = definition.map(|it| it.interfaces.clone()).unwrap_or_default();
        superclass.into_iter().chain(interfaces)
    }

    /// Returns true if a type that is not the app's own has a method of this name, or may have.
    fn declares(&self, class: &str, name: &str) -> bool {
        match self.program.class(class) {
            Some(class) => class.definition.methods.iter().any(|it| it.id.name == name),
            None => framework::may_override(class, name),
        }
    }
}
