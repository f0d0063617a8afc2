//! What runs without a call: objects that others make by name, and static initialisers.

use std::collections::{BTreeMap, BTreeSet};

use super::{CodeModel, is_own};
use crate::model::android::FrameworkKind;
use crate::model::facts::MethodNumber;
use crate::program::ProgramClass;

const INTERFACE_OR_ABSTRACT: u32 = 0x200 | 0x400;

impl<'a> CodeModel<'a> {
    /// Returns for each method the classes of which objects are made because of it, though it makes none itself: fragments whose
    /// class it names, and what annotation processors generate for its class.
    pub(super) fn made_unseen(&self) -> BTreeMap<MethodNumber, BTreeSet<&'a str>> {
        let mut made: BTreeMap<MethodNumber, BTreeSet<&'a str>> = BTreeMap::new();
        for (number, method) in self.methods.iter().enumerate() {
            let named = method.facts.classes.iter().copied();
            let fragments: BTreeSet<&str> = named
                .filter(|it| self.program.class(it).is_some())
                .filter(|it| self.kind(it) == Some(FrameworkKind::Fragment))
                .collect();
            if !fragments.is_empty() {
                made.insert(number as MethodNumber, fragments);
            }
        }
        for class in &self.program.classes {
            for constructor in self.generated_for(class).iter().flat_map(|it| self.constructors(it))
            {
                made.entry(constructor).or_default().insert(class.descriptor());
            }
        }
        made
    }

    /// Returns the class for which this one was generated, by its name: `Main$$ViewBinder` or `Main_ViewBinding` for `Main`. Libraries
    /// find such classes by name, so that no code is seen to make them.
    fn generated_for(&self, class: &ProgramClass<'a>) -> Option<String> {
        let name = class.descriptor().strip_suffix(';')?;
        let is_generated = is_own(class.descriptor(), self.program.package)
            && class.definition.access & INTERFACE_OR_ABSTRACT == 0
            && !self.made.contains(class.descriptor());
        let owner = name.rsplit_once("$$").or_else(|| name.rsplit_once('_'))?.0;
        let owner = format!("{owner};");
        (is_generated && self.program.class(&owner).is_some()).then_some(owner)
    }

    pub(super) fn constructors(&self, class: &str) -> Vec<MethodNumber> {
        let mut methods = self.methods_of(class);
        methods.retain(|&it| self.methods[it as usize].name() == "<init>");
        methods
    }

    /// Returns the static initialisers that may run with a method: those of its own class and of what it makes, calls and reads.
    pub(super) fn initializers(&self, number: usize) -> BTreeSet<MethodNumber> {
        let method = &self.methods[number];
        let facts = &method.facts;
        let called = facts.calls.iter().filter(|it| it.is_static).map(|it| it.class);
        let used = facts.fields_used.iter().map(|it| it.0);
        let made = facts.made.iter().copied();
        let classes: BTreeSet<&str> =
            called.chain(used).chain(made).chain([method.class.descriptor()]).collect();
        let all = classes.into_iter().flat_map(|it| self.superclasses(it));
        all.filter_map(|it| self.by_name.get(&(it, "<clinit>", "()V")).copied()).collect()
    }
}
