//! How a canonical form spells names: as they are, as the other version calls them, or not at all.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Spells names. Classes inside descriptors are spelled one by one.
pub trait Naming: Sync {
    /// Returns the name of a class: `Lcom/example/Main;`.
    fn class<'a>(&self, class: &'a str) -> Cow<'a, str>;
    fn method<'a>(&self, class: &str, name: &'a str, descriptor: &str) -> Cow<'a, str>;
    fn field<'a>(&self, class: &str, name: &'a str) -> Cow<'a, str>;

    /// Returns a type's or method's descriptor with each class in it spelled.
    fn descriptor(&self, descriptor: &str) -> String {
        let mut text = String::with_capacity(descriptor.len());
        let mut rest = descriptor;
        while let Some((before, class, after)) = split_at_class(rest) {
            text.push_str(before);
            text.push_str(&self.class(class));
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

/// Splits a descriptor at its first class: what comes before it, its own descriptor, what comes after.
pub fn split_at_class(descriptor: &str) -> Option<(&str, &str, &str)> {
    let start = descriptor.find('L')?;
    let end = descriptor[start..].find(';').map_or(descriptor.len(), |end| start + end + 1);
    Some((&descriptor[..start], &descriptor[start..end], &descriptor[end..]))
}

/// A method by class, name and descriptor.
pub type MemberKey = (String, String, String);

/// Spells the names of the old version as the new one does. Empty, it spells names as they are.
#[derive(Debug, Default)]
pub struct Renamed {
    pub classes: BTreeMap<String, String>,
    pub methods: BTreeMap<MemberKey, String>,
}

impl Naming for Renamed {
    fn class<'a>(&self, class: &'a str) -> Cow<'a, str> {
        self.classes.get(class).map_or(Cow::Borrowed(class), |new| Cow::Owned(new.clone()))
    }

    fn method<'a>(&self, class: &str, name: &'a str, descriptor: &str) -> Cow<'a, str> {
        if self.methods.is_empty() {
            return Cow::Borrowed(name);
        }
        let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        self.methods.get(&key).map_or(Cow::Borrowed(name), |new| Cow::Owned(new.clone()))
    }

    fn field<'a>(&self, _class: &str, name: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(name)
    }
}

/// Spells the classes whose counterpart is not known yet, and their members, all alike.
#[derive(Debug)]
pub struct Shape<'a> {
    pub unknown: &'a BTreeSet<String>,
    pub known: &'a Renamed,
    /// The methods whose counterpart is known although a compiler made up their names.
    pub settled: &'a BTreeSet<MemberKey>,
}

impl Naming for Shape<'_> {
    fn class<'a>(&self, class: &'a str) -> Cow<'a, str> {
        if self.unknown.contains(class) {
            Cow::Borrowed("Lunknown;")
        } else {
            self.known.class(class)
        }
    }

    fn method<'a>(&self, class: &str, name: &'a str, descriptor: &str) -> Cow<'a, str> {
        let is_settled = || {
            let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
            self.settled.contains(&key)
        };
        let is_special = name.starts_with('<');
        let is_unstable = || is_unstable_method(name) && !is_settled();
        if !is_special && (self.unknown.contains(class) || is_unstable()) {
            return Cow::Borrowed("unknown");
        }
        self.known.method(class, name, descriptor)
    }

    fn field<'a>(&self, class: &str, name: &'a str) -> Cow<'a, str> {
        if self.unknown.contains(class) { Cow::Borrowed("unknown") } else { Cow::Borrowed(name) }
    }
}

/// Returns true for names that compilers number: a new lambda renames those after it.
pub fn is_unstable_method(name: &str) -> bool {
    name.starts_with("lambda$")
        || name.starts_with("access$")
        || name.starts_with("$r8$")
        || name.starts_with("-$$")
        || (name.len() <= 2 && name.chars().all(|c| c.is_ascii_lowercase()))
}

/// Returns true for classes that compilers number or shrinkers rename.
pub fn is_unstable_class(descriptor: &str) -> bool {
    let path = descriptor.trim_start_matches('L').trim_end_matches(';');
    let simple = path.rsplit('/').next().unwrap_or(path);
    let last = simple.rsplit('$').next().unwrap_or(simple);
    let is_numbered = simple.contains('$') && last.chars().all(|c| c.is_ascii_digit());
    is_numbered
        || simple.contains("$$")
        || simple.contains("$r8$")
        || simple.contains("$lambda$")
        || simple.contains("$sam$")
        || (simple.len() <= 2 && simple.chars().all(|c| c.is_ascii_alphanumeric()))
}
