//! What classes look like without their names, by which they are recognised in another version.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::forms::{CanonicalForms, MethodPlace};
use crate::canonical::{Naming, Shape};
use crate::program::ProgramClass;

/// What a class looks like without its name: its declaration, and its methods with their weights.
pub struct ClassShape {
    declaration: u64,
    /// Methods by the hash of their shape, each with its number of lines and how often it occurs.
    pub methods: BTreeMap<u128, (usize, usize)>,
}

impl ClassShape {
    pub fn hash(&self) -> u64 {
        let methods = self.methods.iter().flat_map(|(hash, (_, count))| [*hash, *count as u128]);
        let declaration = std::iter::once(u128::from(self.declaration));
        let bytes: Vec<u8> = declaration.chain(methods).flat_map(u128::to_le_bytes).collect();
        xxh3_64(&bytes)
    }

    pub fn weight(&self) -> usize {
        self.methods.values().map(|(weight, count)| weight * count).sum()
    }

    /// Returns the share of lines in methods that both have.
    pub fn likeness(&self, other: &ClassShape) -> f64 {
        let common = self.methods.iter().filter_map(|(hash, (weight, count))| {
            other.methods.get(hash).map(|(_, other)| weight * count.min(other))
        });
        let common: usize = common.sum();
        2.0 * common as f64 / (self.weight() + other.weight()).max(1) as f64
    }
}

/// Returns the shapes of these classes.
pub fn shapes(
    forms: &CanonicalForms,
    left: &BTreeSet<usize>,
    naming: &Shape,
) -> Vec<(usize, ClassShape)> {
    let left: Vec<usize> = left.iter().copied().collect();
    left.par_iter().map(|&position| (position, shape(forms, position, naming))).collect()
}

fn shape(forms: &CanonicalForms, position: usize, naming: &Shape) -> ClassShape {
    let definition = &forms.program.classes[position].definition;
    let mut lines = vec![definition.access.to_string()];
    lines.push(definition.superclass.map(|it| naming.descriptor(it)).unwrap_or_default());
    lines.extend(definition.interfaces.iter().map(|it| naming.descriptor(it)));
    let mut fields: Vec<String> =
        definition.fields.iter().map(|field| naming.descriptor(field.id.kind)).collect();
    fields.sort();
    lines.extend(fields);
    let mut methods = BTreeMap::<u128, (usize, usize)>::new();
    for method in 0..definition.methods.len() {
        let form = forms.of(MethodPlace { class: position, method });
        let entry = methods.entry(form.hash(naming)).or_default();
        *entry = (form.lines(), entry.1 + 1);
    }
    ClassShape { declaration: xxh3_64(lines.join("\n").as_bytes()), methods }
}

/// Returns a hash of what a class declares, without any name. Classes of one shape have one outline.
pub fn outline(class: &ProgramClass) -> u64 {
    let definition = &class.definition;
    let mut members: Vec<String> =
        definition.fields.iter().map(|field| nameless(field.id.kind)).collect();
    members.extend(
        definition.methods.iter().map(|method| {
            format!("{} {}", method.access, nameless(class.method_descriptor(method)))
        }),
    );
    members.sort();
    members.push(format!("{} {}", definition.access, definition.interfaces.len()));
    xxh3_64(members.join("\n").as_bytes())
}

/// Returns a descriptor in which all classes look alike: `(IL)[L` for `(ILa/B;)[La/C;`.
fn nameless(descriptor: &str) -> String {
    let mut is_named = false;
    let keep = |it: &char| {
        let is_kept = !is_named;
        is_named = if is_named { *it != ';' } else { *it == 'L' };
        is_kept
    };
    descriptor.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::nameless;

    #[test]
    fn descriptors_lose_their_names_and_nothing_else() {
        assert_eq!(nameless("(ILa/B;J)[La/C;"), "(ILJ)[L");
        assert_eq!(nameless("()V"), "()V");
    }
}
