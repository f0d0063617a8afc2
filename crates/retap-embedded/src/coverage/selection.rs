//! The classes of an APK whose coverage counts: by default the app's own that a person wrote.

use retap_apk::{Code, DexClass};
use std::collections::BTreeMap;

/// Classes that the Android build makes for every app.
const GENERATED: [&str; 4] = ["R", "BR", "BuildConfig", "Manifest"];
/// Parts of the names of classes that D8 and R8 generate for lambdas and for APIs that old devices lack.
const DESUGARED: [&str; 3] = ["$$ExternalSynthetic", "$$InternalSynthetic", "-$$Lambda$"];
const SYNTHETIC: u32 = 0x1000;

/// The user's choice of classes and packages by name. `*` stands for any part of a name. A name without
/// it also stands for everything below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoverageSelection {
    /// If there are any, only these count, whether they are libraries or not.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

/// The classes of an APK, divided by whether they count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountedClasses {
    /// The classes that count, named as in class files: `com/example/Main$1`.
    pub classes: Vec<String>,
    /// The number of classes that do not count, by their library.
    pub libraries: BTreeMap<String, u64>,
}

impl CoverageSelection {
    /// Applies the selection to the classes of an app.
    pub fn apply(&self, code: &Code, app_package: &str) -> CountedClasses {
        let mut counted = CountedClasses::default();
        for class in code.classes() {
            let library = class.library(app_package);
            if self.is_counted(class, library.is_some()) {
                counted.classes.push(class.name().replace('.', "/"));
            } else if let Some(library) = library {
                *counted.libraries.entry(library.name.to_owned()).or_default() += 1;
            }
        }
        counted
    }

    fn is_counted(&self, class: &DexClass, is_library: bool) -> bool {
        let name = class.name();
        let is_named = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, &name));
        let chosen = match self.include.is_empty() {
            true => !is_library && !is_generated(class, &name),
            false => is_named(&self.include),
        };
        chosen && !is_named(&self.exclude)
    }
}

/// Returns true if a tool generated the class. The body of a lambda lies in a method of the class around
/// it, so nothing is lost.
fn is_generated(class: &DexClass, name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    let outer = simple.split('$').next().unwrap_or(simple);
    class.access & SYNTHETIC != 0
        || GENERATED.contains(&outer)
        || DESUGARED.iter().any(|part| simple.contains(part))
}

fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        let below = name.strip_prefix(pattern);
        return below.is_some_and(|below| below.is_empty() || below.starts_with(['.', '$']));
    };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_classes_packages_or_parts_of_names() {
        let check = |pattern, name, expected| {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        };
        check("com.app", "com.app.Main", true);
        check("com.app", "com.app", true);
        check("com.app", "com.apple.Main", false);
        check("com.app.Main", "com.app.Main$1", true);
        check("com.app.*", "com.app.ui.Main", true);
        check("com.app*", "com.apple.Main", true);
        check("*.ui.*Dialog", "com.app.ui.AskDialog", true);
        check("*.ui.*Dialog", "com.app.ui.AskDialogs", false);
        check("*a*a", "a", false);
        check("*", "Main", true);
    }

    #[test]
    fn own_code_counts_and_libraries_are_listed_separately() {
        let check = |include: &[&str], exclude: &[&str], classes: &[&str], libraries: &[&str]| {
            let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
            let selection = CoverageSelection { include: owned(include), exclude: owned(exclude) };
            let counted = selection.apply(&code(), "com.app");
            assert_eq!(counted.classes, classes);
            assert_eq!(counted.libraries.into_keys().collect::<Vec<_>>(), libraries);
        };
        check(&[], &[], &["com/app/Main", "com/app/Main$1"], &["AndroidX"]);
        check(&[], &["com.app.Main$*"], &["com/app/Main"], &["AndroidX"]);
        check(&["androidx.core"], &[], &["androidx/core/View"], &[]);
        check(&["*"], &["com.app"], &["androidx/core/View"], &[]);
    }

    fn code() -> Code {
        let class = |name: &str| DexClass {
            descriptor: format!("L{name};").into(),
            access: 1,
            superclass: None,
            interfaces: Vec::new(),
            methods: Vec::new(),
        };
        let names = [
            "com/app/Main",
            "com/app/Main$1",
            "com/app/Main$$ExternalSyntheticLambda0",
            "com/app/R",
            "com/app/R$id",
            "androidx/core/View",
        ];
        Code::new(names.map(class).into())
    }
}
