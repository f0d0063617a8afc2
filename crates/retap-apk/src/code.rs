//! The code of an APK as data: its classes, their methods and the calls of each method.

mod class;
mod library;
mod platform;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use class::{Call, DexClass, DexMethod, MethodReference};
pub use library::{Library, LibraryRole, find as library_of};

/// Deeper than any real hierarchy. A longer chain is a circle.
const MAX_SUPERCLASSES: usize = 128;

/// All classes of all dex files. Of two classes with one name the first counts, as on a phone.
#[derive(Debug, Default)]
pub struct Code {
    classes: Vec<DexClass>,
    by_descriptor: BTreeMap<Arc<str>, ClassIndex>,
}

/// The position of a class, and its methods in a form that is fast to search: classes merged by
/// a shrinker have thousands of methods and even more callers.
#[derive(Debug)]
struct ClassIndex {
    position: usize,
    methods: BTreeSet<MethodSignature>,
}

/// A method's name and descriptor, which identify it within its class.
type MethodSignature = (Arc<str>, Arc<str>);

/// A method together with its class.
#[derive(Debug, Clone, Copy)]
pub struct ClassMethod<'a> {
    pub class: &'a DexClass,
    pub method: &'a DexMethod,
}

/// The number of classes that are the app's own, by package, and that come from each library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ownership {
    pub own: BTreeMap<String, usize>,
    pub libraries: BTreeMap<&'static str, usize>,
}

impl Code {
    pub fn new(classes: Vec<DexClass>) -> Self {
        let mut by_descriptor = BTreeMap::new();
        for (position, class) in classes.iter().enumerate() {
            by_descriptor
                .entry(class.descriptor.clone())
                .or_insert_with(|| ClassIndex::new(position, class));
        }
        Code { classes, by_descriptor }
    }

    pub fn classes(&self) -> &[DexClass] {
        &self.classes
    }

    /// Returns the class with this descriptor: `Lcom/example/Main;`.
    pub fn class(&self, descriptor: &str) -> Option<&DexClass> {
        self.by_descriptor.get(descriptor).map(|index| &self.classes[index.position])
    }

    /// Returns every method together with its class.
    pub fn methods(&self) -> impl Iterator<Item = ClassMethod<'_>> {
        self.classes
            .iter()
            .flat_map(|class| class.methods.iter().map(move |method| ClassMethod { class, method }))
    }

    /// Returns the framework's methods that a method calls, each under the framework class that
    /// answers: `this.setContentView(…)` in an app's activity is `Landroid/app/Activity;->…`.
    pub fn framework_calls(&self, method: &DexMethod) -> impl Iterator<Item = MethodReference> {
        method.calls.iter().filter_map(|call| self.framework_method(&call.target))
    }

    /// Returns the framework method that a reference leads to, unless the app defines it.
    pub fn framework_method(&self, reference: &MethodReference) -> Option<MethodReference> {
        let signature = (reference.name.clone(), reference.descriptor.clone());
        for class in self.superclasses(&reference.class) {
            let index = self.by_descriptor.get(class);
            if is_framework(class, index.map(|index| &self.classes[index.position])) {
                return Some(MethodReference { class: class.clone(), ..reference.clone() });
            }
            if index.is_some_and(|index| index.methods.contains(&signature)) {
                return None;
            }
        }
        None
    }

    /// Returns a class and what it extends, up to and including the first that the APK does not define.
    pub fn superclasses<'a>(
        &'a self,
        descriptor: &'a Arc<str>,
    ) -> impl Iterator<Item = &'a Arc<str>> {
        let parent = |descriptor: &&'a Arc<str>| self.class(descriptor)?.superclass.as_ref();
        std::iter::successors(Some(descriptor), parent).take(MAX_SUPERCLASSES)
    }

    /// Counts the classes of the app and of each library.
    pub fn ownership(&self, app_package: &str) -> Ownership {
        let mut ownership = Ownership::default();
        for class in &self.classes {
            match class.library(app_package) {
                Some(library) => *ownership.libraries.entry(library.name).or_default() += 1,
                None => {
                    let package = class.package().replace('/', ".");
                    *ownership.own.entry(package).or_default() += 1;
                }
            }
        }
        ownership
    }
}

impl ClassIndex {
    fn new(position: usize, class: &DexClass) -> Self {
        let signature = |method: &DexMethod| (method.name.clone(), method.descriptor.clone());
        ClassIndex { position, methods: class.methods.iter().map(signature).collect() }
    }
}

fn is_framework(descriptor: &str, defined: Option<&DexClass>) -> bool {
    match defined {
        None => platform::provides(class::path_of(descriptor)),
        Some(class) => class.library("") == Some(&library::PLATFORM_STUBS),
    }
}

#[cfg(test)]
mod tests;
