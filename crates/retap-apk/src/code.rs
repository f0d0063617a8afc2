//! The code of an APK as data: its classes, their methods and what each of them calls.

use std::collections::hash_map::Entry as Slot;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use crate::library::{self, Library};
use crate::platform;

/// Deeper than any real hierarchy; a longer chain is a circle.
const MAX_SUPERCLASSES: usize = 128;

/// All classes of all dex files. Of two classes with one name the first counts, as on a phone.
#[derive(Debug, Default)]
pub struct Code {
    classes: Vec<Class>,
    by_descriptor: HashMap<Arc<str>, usize>,
    /// Merged classes have thousands of methods and more callers: no searching in lists.
    declared: HashSet<MethodReference>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// `Lcom/example/Main;`
    pub descriptor: Arc<str>,
    pub access: u32,
    /// `None` for `java.lang.Object` alone.
    pub superclass: Option<Arc<str>>,
    pub interfaces: Vec<Arc<str>>,
    pub methods: Vec<Method>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    pub name: Arc<str>,
    /// `(ILjava/lang/String;)V`
    pub descriptor: Arc<str>,
    pub access: u32,
    /// Length of its code in 16-bit units; 0 for abstract and native methods.
    pub code_units: usize,
    pub calls: Vec<Call>,
}

/// One call as it stands in the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub target: Arc<MethodReference>,
    /// The first constant text among its arguments.
    pub text: Option<Arc<str>>,
}

/// A method by name. It may be inherited: `class` is where the search for it begins.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodReference {
    pub class: Arc<str>,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
}

/// How many classes of an APK are the app's own, by package, and how many are whose library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ownership {
    pub own: BTreeMap<String, usize>,
    pub libraries: BTreeMap<&'static str, usize>,
}

impl Code {
    pub fn new(classes: Vec<Class>) -> Self {
        let mut by_descriptor = HashMap::with_capacity(classes.len());
        let mut declared = HashSet::new();
        for (index, class) in classes.iter().enumerate() {
            if let Slot::Vacant(slot) = by_descriptor.entry(class.descriptor.clone()) {
                slot.insert(index);
                declared.extend(class.methods.iter().map(|method| class.reference(method)));
            }
        }
        Code { classes, by_descriptor, declared }
    }

    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    pub fn class(&self, descriptor: &str) -> Option<&Class> {
        self.by_descriptor.get(descriptor).map(|&index| &self.classes[index])
    }

    /// Every method together with its class.
    pub fn methods(&self) -> impl Iterator<Item = (&Class, &Method)> {
        self.classes.iter().flat_map(|class| class.methods.iter().map(move |m| (class, m)))
    }

    /// The framework's methods that a method calls, each under the framework class that
    /// answers: `this.setContentView(…)` in an app's activity is `Landroid/app/Activity;->…`.
    pub fn framework_calls(&self, method: &Method) -> impl Iterator<Item = MethodReference> {
        method.calls.iter().filter_map(|call| self.framework_method(&call.target))
    }

    /// The framework method a reference ends in, unless the app defines it.
    pub fn framework_method(&self, reference: &MethodReference) -> Option<MethodReference> {
        for class in self.superclasses(&reference.class) {
            let found = MethodReference { class: class.clone(), ..reference.clone() };
            if is_framework(class, self.class(class)) {
                return Some(found);
            }
            if self.declared.contains(&found) {
                return None;
            }
        }
        None
    }

    /// A class and what it extends, up to and including the first that the APK does not define.
    pub fn superclasses<'a>(
        &'a self,
        descriptor: &'a Arc<str>,
    ) -> impl Iterator<Item = &'a Arc<str>> {
        let parent = |descriptor: &&'a Arc<str>| self.class(descriptor)?.superclass.as_ref();
        std::iter::successors(Some(descriptor), parent).take(MAX_SUPERCLASSES)
    }

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

impl Class {
    /// `com.example.Main`
    pub fn name(&self) -> String {
        self.path().replace('/', ".")
    }

    pub fn reference(&self, method: &Method) -> MethodReference {
        MethodReference {
            class: self.descriptor.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        }
    }

    /// The library the class comes with, or none if it is the app's own.
    pub fn library(&self, app_package: &str) -> Option<&'static Library> {
        library::of(self.path(), app_package)
    }

    fn package(&self) -> &str {
        self.path().rsplit_once('/').map_or("", |(package, _)| package)
    }

    fn path(&self) -> &str {
        path(&self.descriptor)
    }
}

fn is_framework(descriptor: &str, defined: Option<&Class>) -> bool {
    match defined {
        None => platform::provides(path(descriptor)),
        Some(class) => class.library("") == Some(&library::PLATFORM_STUBS),
    }
}

/// `Lcom/example/Main;` without its wrapping.
fn path(descriptor: &str) -> &str {
    let path = descriptor.strip_prefix('L').unwrap_or(descriptor);
    path.strip_suffix(';').unwrap_or(path)
}

impl fmt::Display for MethodReference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}->{}{}", self.class, self.name, self.descriptor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(descriptor: &str, superclass: &str, methods: &[&str]) -> Class {
        let method = |name: &&str| Method {
            name: (*name).into(),
            descriptor: "()V".into(),
            access: 1,
            code_units: 1,
            calls: Vec::new(),
        };
        Class {
            descriptor: descriptor.into(),
            access: 1,
            superclass: Some(superclass.into()),
            interfaces: Vec::new(),
            methods: methods.iter().map(method).collect(),
        }
    }

    fn check(code: &Code, class: &str, name: &str, expected: Option<&str>) {
        let reference =
            MethodReference { class: class.into(), name: name.into(), descriptor: "()V".into() };
        let found = code.framework_method(&reference).map(|method| method.to_string());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn an_inherited_call_is_the_framework_class_that_answers() {
        let code = Code::new(vec![
            class("La/Base;", "Landroid/app/Activity;", &["greet"]),
            class("La/Main;", "La/Base;", &["onCreate"]),
            class("Landroid/support/v4/Pager;", "Landroid/view/ViewGroup;", &["flip"]),
            class("Landroid/app/NewerThing;", "Ljava/lang/Object;", &[]),
            class("La/Egg;", "La/Hen;", &[]),
            class("La/Hen;", "La/Egg;", &[]),
        ]);
        check(&code, "La/Main;", "finish", Some("Landroid/app/Activity;->finish()V"));
        check(&code, "Landroid/app/Activity;", "finish", Some("Landroid/app/Activity;->finish()V"));
        check(&code, "La/Main;", "greet", None);
        check(&code, "Landroid/support/v4/Pager;", "flip", None);
        let newer = "Landroid/app/NewerThing;->go()V";
        check(&code, "Landroid/app/NewerThing;", "go", Some(newer));
        check(&code, "Lcom/gone/Library;", "run", None);
        check(&code, "[I", "clone", None);
        check(&code, "La/Egg;", "lay", None);
    }

    #[test]
    fn classes_are_the_apps_own_or_a_librarys() {
        let code = Code::new(vec![
            class("Lcom/example/Main;", "Ljava/lang/Object;", &[]),
            class("Lcom/example/ui/List;", "Ljava/lang/Object;", &[]),
            class("Landroidx/core/View;", "Ljava/lang/Object;", &[]),
            class("LTop;", "Ljava/lang/Object;", &[]),
        ]);
        let ownership = code.ownership("com.example");
        assert_eq!(ownership.libraries, BTreeMap::from([("AndroidX", 1)]));
        let own = ["", "com.example", "com.example.ui"].map(|package| (package.to_owned(), 1));
        assert_eq!(ownership.own, BTreeMap::from(own));
        assert_eq!(code.classes()[0].name(), "com.example.Main");
    }
}
