//! What a canonical form says, with its names left open: it is made once and compared under any naming.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::naming::{Naming, split_at_class};

/// A text in which the names that versions may spell differently are holes.
pub struct CanonicalForm<'a> {
    /// The hash of the text around the names.
    skeleton: u128,
    names: Vec<OpenName<'a>>,
    lines: usize,
}

/// A name that a [`Naming`] spells.
enum OpenName<'a> {
    Class(&'a str),
    Method { class: &'a str, name: &'a str, descriptor: &'a str },
    Field { class: &'a str, name: &'a str },
}

impl CanonicalForm<'_> {
    /// Returns true if both say the same, each spelled by its own naming.
    pub fn is_same(&self, naming: &dyn Naming, other: &CanonicalForm, others: &dyn Naming) -> bool {
        self.skeleton == other.skeleton
            && self.names.len() == other.names.len()
            && self.names.iter().zip(&other.names).all(|(a, b)| a.spell(naming) == b.spell(others))
    }

    /// Returns a hash that is equal for forms that say the same, each spelled by its own naming.
    pub fn hash(&self, naming: &dyn Naming) -> u128 {
        let mut hash = Xxh3::new();
        hash.update(&self.skeleton.to_le_bytes());
        for name in &self.names {
            hash.update(name.spell(naming).as_bytes());
            hash.update(&[0]);
        }
        hash.digest128()
    }

    pub fn lines(&self) -> usize {
        self.lines
    }
}

impl<'a> OpenName<'a> {
    fn spell(&self, naming: &dyn Naming) -> Cow<'a, str> {
        match *self {
            OpenName::Class(class) => naming.class(class),
            OpenName::Method { class, name, descriptor } => naming.method(class, name, descriptor),
            OpenName::Field { class, name } => naming.field(class, name),
        }
    }
}

/// Writes a form's text. What stands for a name cannot stand in the text: strings are written escaped.
#[derive(Default)]
pub struct FormText<'a> {
    text: String,
    names: Vec<OpenName<'a>>,
}

impl<'a> FormText<'a> {
    pub fn finish(self) -> CanonicalForm<'a> {
        CanonicalForm {
            skeleton: xxh3_128(self.text.as_bytes()),
            names: self.names,
            lines: self.text.bytes().filter(|it| *it == b'\n').count(),
        }
    }

    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn put(&mut self, part: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{part}");
    }

    /// Appends a type's or method's descriptor, each class in it as a name.
    pub fn descriptor(&mut self, descriptor: &'a str) {
        let mut rest = descriptor;
        while let Some((before, class, after)) = split_at_class(rest) {
            self.text.push_str(before);
            self.text.push('\0');
            self.names.push(OpenName::Class(class));
            rest = after;
        }
        self.text.push_str(rest);
    }

    pub fn method(&mut self, class: &'a str, name: &'a str, descriptor: &'a str) {
        self.text.push('\u{1}');
        self.names.push(OpenName::Method { class, name, descriptor });
    }

    pub fn field(&mut self, class: &'a str, name: &'a str) {
        self.text.push('\u{2}');
        self.names.push(OpenName::Field { class, name });
    }
}

#[cfg(test)]
mod tests {
    use super::super::Renamed;
    use super::*;

    fn form<'a>(fill: impl FnOnce(&mut FormText<'a>)) -> CanonicalForm<'a> {
        let mut text = FormText::default();
        fill(&mut text);
        text.finish()
    }

    #[test]
    fn a_renamed_class_is_the_same_under_the_naming_that_knows_it() {
        let old = form(|it| it.descriptor("([La/Old;I)V"));
        let new = form(|it| it.descriptor("([La/New;I)V"));
        let same = Renamed::default();
        let renamed = Renamed {
            classes: [("La/Old;".to_owned(), "La/New;".to_owned())].into(),
            ..Renamed::default()
        };
        assert!(old.is_same(&renamed, &new, &same));
        assert!(!old.is_same(&same, &new, &same));
        assert_eq!(old.hash(&renamed), new.hash(&same));
        assert_ne!(old.hash(&same), new.hash(&same));
    }

    #[test]
    fn a_method_and_a_field_of_one_name_differ() {
        let method = form(|it| it.method("La/A;", "size", "()I"));
        let field = form(|it| it.field("La/A;", "size"));
        let same = Renamed::default();
        assert!(!method.is_same(&same, &field, &same));
        assert_ne!(method.hash(&same), field.hash(&same));
    }
}
