//! The app's own code as a graph: who calls whom, directly, through subclasses, and through Android, which calls back
//! whatever overrides a method of its own.

mod callbacks;
mod made;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use retap_apk::{EncodedValue, MethodDefinition, library_of};

use super::android::{self, FrameworkKind};
use super::facts::{CallFact, MethodFacts, MethodNumber, Value};
use crate::program::{Program, ProgramClass};
pub use values::CallScope;
use values::{FieldValues, ValueSearch};

/// Deeper than any real hierarchy. A longer chain is a circle.
const MAX_SUPERCLASSES: usize = 128;

/// The app's own classes with their call graph.
pub struct CodeModel<'a> {
    pub program: &'a Program<'a>,
    pub methods: Vec<OwnMethod<'a>>,
    pub callees: Vec<BTreeSet<MethodNumber>>,
    pub callers: Vec<BTreeSet<MethodNumber>>,
    by_name: BTreeMap<(&'a str, &'a str, &'a str), MethodNumber>,
    subclasses: BTreeMap<&'a str, Vec<usize>>,
    field_values: FieldValues<'a>,
    constants: BTreeMap<(&'a str, &'a str), i64>,
    /// Classes of which objects are made: by the app's own code, or by Android for the manifest.
    made: BTreeSet<&'a str>,
    /// What Android and libraries may call of each of them.
    callbacks: BTreeMap<&'a str, Vec<MethodNumber>>,
}

/// A method of the app's own code.
pub struct OwnMethod<'a> {
    pub class: &'a ProgramClass<'a>,
    pub definition: &'a MethodDefinition<'a>,
    pub facts: MethodFacts<'a>,
}

impl<'a> OwnMethod<'a> {
    pub fn name(&self) -> &'a str {
        self.definition.id.name
    }

    /// Returns `Lcom/example/Main;->run()V`.
    pub fn signature(&self) -> String {
        let descriptor = self.class.method_descriptor(self.definition);
        format!("{}->{}{descriptor}", self.class.descriptor(), self.name())
    }

    pub fn is_static(&self) -> bool {
        self.definition.access & 0x8 != 0
    }
}

impl<'a> CodeModel<'a> {
    /// Reads the app's own code. `components` are the classes that the manifest names.
    pub fn new(program: &'a Program<'a>, components: &[String]) -> Self {
        let own: Vec<(&ProgramClass, &MethodDefinition)> = program
            .classes
            .iter()
            .filter(|class| is_own(class.descriptor(), program.package))
            .flat_map(|class| class.definition.methods.iter().map(move |method| (class, method)))
            .collect();
        let methods: Vec<OwnMethod> = own
            .par_iter()
            .enumerate()
            .map(|(number, &(class, definition))| OwnMethod {
                class,
                definition,
                facts: MethodFacts::new(class, definition, number as MethodNumber),
            })
            .collect();
        let mut model = CodeModel {
            callees: vec![BTreeSet::new(); methods.len()],
            callers: vec![BTreeSet::new(); methods.len()],
            by_name: BTreeMap::new(),
            subclasses: BTreeMap::new(),
            field_values: FieldValues::new(),
            constants: BTreeMap::new(),
            made: BTreeSet::new(),
            callbacks: BTreeMap::new(),
            methods,
            program,
        };
        let classes = components.iter().filter_map(|it| program.class(it));
        model.made.extend(classes.map(ProgramClass::descriptor));
        model.index();
        model.connect();
        model
    }

    fn index(&mut self) {
        for (number, method) in self.methods.iter().enumerate() {
            let descriptor = method.class.method_descriptor(method.definition);
            let key = (method.class.descriptor(), method.name(), descriptor);
            self.by_name.insert(key, number as MethodNumber);
            for (class, name, values) in &method.facts.fields_written {
                let known = self.field_values.entry((class, name)).or_default();
                known.extend(values.iter().map(|value| (*value, number as MethodNumber)));
            }
        }
        for (position, class) in self.program.classes.iter().enumerate() {
            let definition = &class.definition;
            for parent in definition.superclass.iter().chain(&definition.interfaces) {
                self.subclasses.entry(parent).or_default().push(position);
            }
            for field in &definition.fields {
                if let Some(EncodedValue::Integer(number)) = field.value {
                    self.constants.insert((field.id.class, field.id.name), number);
                }
            }
        }
    }

    fn connect(&mut self) {
        self.made.extend(self.methods.iter().flat_map(|it| it.facts.made.iter().copied()));
        let unseen = self.made_unseen();
        self.made.extend(unseen.values().flatten().copied());
        let made: Vec<&str> = self.made.iter().copied().collect();
        self.callbacks = made.par_iter().map(|it| (*it, self.find_callbacks(it))).collect();
        for number in 0..self.methods.len() {
            let mut callees = BTreeSet::new();
            for call in &self.methods[number].facts.calls {
                callees.extend(self.targets(call));
            }
            for class in &self.methods[number].facts.made {
                callees.extend(self.callbacks(class));
            }
            for class in unseen.get(&(number as MethodNumber)).into_iter().flatten() {
                callees.extend(self.constructors(class));
                callees.extend(self.callbacks(class));
            }
            callees.extend(self.initializers(number));
            callees.remove(&(number as MethodNumber));
            for &callee in &callees {
                self.callers[callee as usize].insert(number as MethodNumber);
            }
            self.callees[number] = callees;
        }
    }

    /// Returns the own methods that a call may run: those of the class named, and those of subclasses that are made somewhere.
    pub fn targets(&self, call: &CallFact<'a>) -> Vec<MethodNumber> {
        let mut targets: Vec<MethodNumber> =
            self.declared(call.class, call.name, call.descriptor).into_iter().collect();
        if !call.is_exact {
            let mut work = vec![call.class];
            let mut seen = BTreeSet::new();
            while let Some(class) = work.pop() {
                for &position in self.subclasses.get(class).into_iter().flatten() {
                    let subclass = self.program.classes[position].descriptor();
                    if !seen.insert(subclass) {
                        continue;
                    }
                    work.push(subclass);
                    let key = (subclass, call.name, call.descriptor);
                    // Framework types have thousands of subclasses: their callbacks follow from where objects are made.
                    let is_own_type = is_own(call.class, self.program.package);
                    if is_own_type
                        && (self.made.contains(subclass) || self.kind(subclass).is_some())
                    {
                        targets.extend(self.by_name.get(&key));
                    }
                }
            }
        }
        targets
    }

    /// Returns the method that a class has or inherits, if it is the app's own.
    pub fn declared(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodNumber> {
        self.superclasses(class).find_map(|it| self.by_name.get(&(it, name, descriptor)).copied())
    }

    /// Returns an own method of a class by name alone.
    pub fn named(&self, class: &str, name: &str) -> Option<MethodNumber> {
        self.superclasses(class).find_map(|it| {
            let methods = self.methods_of(it);
            methods.into_iter().find(|&number| self.methods[number as usize].name() == name)
        })
    }

    /// Returns the methods that a class itself defines.
    pub fn methods_of(&self, class: &str) -> Vec<MethodNumber> {
        let Some(class) = self.program.class(class) else { return Vec::new() };
        let key = |method: &MethodDefinition<'a>| {
            (class.descriptor(), method.id.name, class.method_descriptor(method))
        };
        let methods = class.definition.methods.iter();
        methods.filter_map(|method| self.by_name.get(&key(method)).copied()).collect()
    }

    /// Returns a class and what it extends, as far as the APK defines it, and the first that it does not.
    pub fn superclasses<'b>(&'b self, class: &'b str) -> impl Iterator<Item = &'b str> {
        let parent = |class: &&'b str| self.program.class(class)?.definition.superclass;
        std::iter::successors(Some(class), parent).take(MAX_SUPERCLASSES)
    }

    /// Returns what kind of window a class makes, by what it extends.
    pub fn kind(&self, class: &str) -> Option<FrameworkKind> {
        self.superclasses(class).find_map(android::framework_kind)
    }

    /// Returns the constant of a static field.
    pub fn constant(&self, class: &str, name: &str) -> Option<i64> {
        self.constants.get(&(class, name)).copied()
    }

    /// Follows a value through fields, parameters and small helpers to integers, texts, classes, objects and calls of the
    /// framework. `number` is the method that the value was found in.
    pub fn resolve(&self, value: Value<'a>, number: MethodNumber) -> Vec<Value<'a>> {
        self.resolve_among(value, number, None)
    }

    /// Follows a value, through parameters only to callers in the scope if any of them calls the method.
    pub fn resolve_among(
        &self,
        value: Value<'a>,
        number: MethodNumber,
        scope: Option<CallScope<'_>>,
    ) -> Vec<Value<'a>> {
        ValueSearch::new(self, scope).run(value, number)
    }

    fn leads_to(&self, call: &CallFact<'a>, number: MethodNumber) -> bool {
        let method = &self.methods[number as usize];
        call.descriptor == method.class.method_descriptor(method.definition)
            && (self.declared(call.class, call.name, call.descriptor) == Some(number)
                || !call.is_exact)
    }

    /// Returns everything that can run from these methods on. `may_enter` keeps a walk inside its window.
    pub fn reachable(
        &self,
        from: impl IntoIterator<Item = MethodNumber>,
        may_enter: &dyn Fn(&OwnMethod<'a>) -> bool,
    ) -> BTreeSet<MethodNumber> {
        let mut seen: BTreeSet<MethodNumber> = from.into_iter().collect();
        let mut work: Vec<MethodNumber> = seen.iter().copied().collect();
        while let Some(number) = work.pop() {
            for &callee in &self.callees[number as usize] {
                if !seen.contains(&callee) && may_enter(&self.methods[callee as usize]) {
                    seen.insert(callee);
                    work.push(callee);
                }
            }
        }
        seen
    }
}

/// Returns true for a class that is neither Android's nor a known library's.
pub fn is_own(descriptor: &str, package: &str) -> bool {
    let path = descriptor.trim_start_matches('L').trim_end_matches(';');
    let is_platform =
        ["java/", "javax/", "android/", "dalvik/", "kotlin/", "org/json/", "org/w3c/", "org/xml/"]
            .iter()
            .any(|prefix| path.starts_with(prefix));
    !is_platform && library_of(path, package).is_none()
}
