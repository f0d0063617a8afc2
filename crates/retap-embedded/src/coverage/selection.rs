//! Which of an APK's classes count. By default the app's own, as far as a person wrote them.

use retap_apk::{Class, Code};
use std::collections::BTreeMap;

/// Classes that the Android build makes for every app.
const GENERATED: [&str; 4] = ["R", "BR", "BuildConfig", "Manifest"];
/// Parts of the names of classes that D8 and R8 make up, around lambdas and what old devices lack.
const MADE_UP: [&str; 3] = ["$$ExternalSynthetic", "$$InternalSynthetic", "-$$Lambda$"];
const SYNTHETIC: u32 = 0x1000;

/// Names of classes or packages; `*` stands for any part of a name. A name without it also stands for
/// all that lies below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Where there are any, these count and no others, libraries or not.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
}

/// What became of the classes of an APK.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    /// As in class files: `com/example/Main$1`.
    pub classes: Vec<String>,
    /// The number of classes that do not count, by the library they belong to.
    pub libraries: BTreeMap<String, u64>,
}

impl Selection {
    pub fn of(&self, code: &Code, app_package: &str) -> Counted {
        let mut counted = Counted::default();
        for class in code.classes() {
            let library = class.library(app_package);
            if self.counts(class, library.is_some()) {
                counted.classes.push(class.name().replace('.', "/"));
            } else if let Some(library) = library {
                *counted.libraries.entry(library.name.to_owned()).or_default() += 1;
            }
        }
        counted
    }

    fn counts(&self, class: &Class, is_library: bool) -> bool {
        let name = class.name();
        let named = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, &name));
        let chosen = match self.include.is_empty() {
            true => !is_library && !is_generated(class, &name),
            false => named(&self.include),
        };
        chosen && !named(&self.exclude)
    }
}

/// Nobody wrote it. What a lambda does lies in a method of the class around it.
fn is_generated(class: &Class, name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    let outer = simple.split('$').next().unwrap_or(simple);
    class.access & SYNTHETIC != 0
        || GENERATED.contains(&outer)
        || MADE_UP.iter().any(|part| simple.contains(part))
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
    fn own_code_counts_and_libraries_are_listed_apart() {
        let check = |include: &[&str], exclude: &[&str], classes: &[&str], libraries: &[&str]| {
            let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
            let selection = Selection { include: owned(include), exclude: owned(exclude) };
            let counted = selection.of(&code(), "com.app");
            assert_eq!(counted.classes, classes);
            assert_eq!(counted.libraries.into_keys().collect::<Vec<_>>(), libraries);
        };
        check(&[], &[], &["com/app/Main", "com/app/Main$1"], &["AndroidX"]);
        check(&[], &["com.app.Main$*"], &["com/app/Main"], &["AndroidX"]);
        check(&["androidx.core"], &[], &["androidx/core/View"], &[]);
        check(&["*"], &["com.app"], &["androidx/core/View"], &[]);
    }

    fn code() -> Code {
        let class = |name: &str| Class {
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
