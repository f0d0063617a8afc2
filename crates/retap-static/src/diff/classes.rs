//! Comparing classes: pairs one by one, those without a counterpart as a whole, gathered by package.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use retap_apk::FieldDefinition;

use super::fingerprint::{self, CodeTree};
use super::forms::CanonicalForms;
use super::matching::{self, Matching};
use super::methods::{self, Side};
use super::{Change, ClassDiff, DiffOptions, FieldDiff, PackageDiff};
use crate::canonical::{Naming, Renamed};
use crate::program::{Program, ProgramClass, ResourceNames, java_name, value_text};

/// Compares all classes of two versions.
pub fn compare(
    old: (&Program, &CodeTree),
    new: (&Program, &CodeTree),
    options: DiffOptions,
) -> Vec<PackageDiff> {
    if old.1.root == new.1.root {
        return Vec::new();
    }
    let (old_forms, new_forms) = (CanonicalForms::new(old.0), CanonicalForms::new(new.0));
    let Matching { pairs, removed, new: added, names } =
        matching::matching((&old_forms, old.1), (&new_forms, new.1));
    let old_side = |position: usize| side(&old_forms, old.1, position);
    let new_side = |position: usize| side(&new_forms, new.1, position);
    let mut classes: Vec<ClassDiff> = pairs
        .par_iter()
        .filter(|(before, after)| old.1.classes[*before].hash != new.1.classes[*after].hash)
        .filter_map(|&(before, after)| pair(&old_side(before), &new_side(after), &names, options))
        .collect();
    classes.extend(removed.iter().map(|&it| whole(&old_side(it), Change::Removed, options)));
    classes.extend(added.iter().map(|&it| whole(&new_side(it), Change::New, options)));
    by_package(classes, new.0.package)
}

fn side<'f, 'a>(
    forms: &'f CanonicalForms<'a>,
    tree: &'f CodeTree,
    position: usize,
) -> Side<'f, 'a> {
    Side {
        class: &forms.program.classes[position],
        position,
        hashes: &tree.classes[position].methods,
        forms,
        resources: forms.program.resources,
    }
}

fn by_package(classes: Vec<ClassDiff>, app_package: &str) -> Vec<PackageDiff> {
    let mut packages = BTreeMap::<String, Vec<ClassDiff>>::new();
    for class in classes {
        let package = class.name.rsplit_once('.').map_or("", |(package, _)| package).to_owned();
        packages.entry(package).or_default().push(class);
    }
    let package = |(name, mut classes): (String, Vec<ClassDiff>)| {
        classes.sort_by(|a, b| (&a.name, a.change).cmp(&(&b.name, b.change)));
        let path = classes.first().map_or(String::new(), |class| class.name.replace('.', "/"));
        let library = retap_apk::library_of(&path, app_package).map(|it| it.name.to_owned());
        PackageDiff { name, library, classes }
    };
    packages.into_iter().map(package).collect()
}

/// Compares two classes that belong together. `None` if only the compiler's choices differ.
fn pair(old: &Side, new: &Side, names: &Renamed, options: DiffOptions) -> Option<ClassDiff> {
    let declaration = declaration(old.class, new.class, names);
    let fields = fields(old, new, names);
    let methods = methods::compare(old, new, names, options);
    let old_name = old.class.descriptor();
    let is_renamed = old_name != new.class.descriptor();
    let is_changed = !declaration.is_empty() || !fields.is_empty() || !methods.is_empty();
    // A number that a compiler gave is no name that anybody chose.
    let is_made_up = crate::canonical::is_unstable_class;
    let is_reported = is_renamed && !is_made_up(old_name) && !is_made_up(new.class.descriptor());
    (is_changed || is_reported).then(|| ClassDiff {
        name: java_name(new.class.descriptor()),
        old_name: is_renamed.then(|| java_name(old_name)),
        change: if is_changed { Change::Modified } else { Change::Renamed },
        declaration,
        fields,
        methods,
    })
}

fn whole(side: &Side, change: Change, options: DiffOptions) -> ClassDiff {
    ClassDiff {
        name: java_name(side.class.descriptor()),
        old_name: None,
        change,
        declaration: Vec::new(),
        fields: Vec::new(),
        methods: methods::all(side, change, options),
    }
}

fn declaration(old: &ProgramClass, new: &ProgramClass, names: &Renamed) -> Vec<String> {
    let mut changes = Vec::new();
    let (before, after) = (&old.definition, &new.definition);
    let parent = before.superclass.map(|it| names.descriptor(it)).unwrap_or_default();
    if parent != after.superclass.unwrap_or_default() {
        let now = after.superclass.map(java_name).unwrap_or_default();
        changes.push(format!("extends {now} (was {})", java_name(&parent)));
    }
    let interfaces: BTreeSet<String> =
        before.interfaces.iter().map(|it| names.descriptor(it)).collect();
    let now: BTreeSet<String> = after.interfaces.iter().map(|it| (*it).to_owned()).collect();
    let implements = now.difference(&interfaces).map(|it| format!("implements {}", java_name(it)));
    changes.extend(implements);
    let dropped = interfaces.difference(&now);
    changes.extend(dropped.map(|it| format!("no longer implements {}", java_name(it))));
    if before.access != after.access {
        let (now, was) = (modifiers(after.access), modifiers(before.access));
        changes.push(format!("modifiers: {now} (were: {was})"));
    }
    let old_annotations: BTreeSet<String> =
        fingerprint::annotations(old).iter().map(|it| names.descriptor(it)).collect();
    let new_annotations: BTreeSet<String> = fingerprint::annotations(new).into_iter().collect();
    if old_annotations != new_annotations {
        changes.push("annotations changed".to_owned());
    }
    changes
}

fn modifiers(access: u32) -> String {
    const WORDS: [(u32, &str); 9] = [
        (0x1, "public"),
        (0x2, "private"),
        (0x4, "protected"),
        (0x8, "static"),
        (0x10, "final"),
        (0x200, "interface"),
        (0x400, "abstract"),
        (0x1000, "synthetic"),
        (0x4000, "enum"),
    ];
    let words: Vec<&str> =
        WORDS.iter().filter(|(bit, _)| access & bit != 0).map(|(_, word)| *word).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

fn fields(old: &Side, new: &Side, names: &Renamed) -> Vec<FieldDiff> {
    let described = |side: &Side, naming: &Renamed| {
        let field = |field: &FieldDefinition| {
            let value = field_value(side.class, field, side.resources);
            let kind = java_name(&naming.descriptor(field.id.kind));
            let name = naming.field(field.id.class, field.id.name);
            (format!("{kind} {name}"), value)
        };
        side.class.definition.fields.iter().map(field).collect::<BTreeMap<_, _>>()
    };
    let before = described(old, names);
    let after = described(new, &Renamed::default());
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let compare = |name: &String| {
        let change = match (before.get(name), after.get(name)) {
            (Some(one), Some(other)) if one == other => return None,
            (Some(_), Some(_)) => Change::Modified,
            (Some(_), None) => Change::Removed,
            _ => Change::New,
        };
        Some(FieldDiff {
            name: name.clone(),
            change,
            old_value: before.get(name).cloned().flatten(),
            new_value: after.get(name).cloned().flatten(),
        })
    };
    all.into_iter().filter_map(compare).collect()
}

/// Returns the value of a static field as text, resources by name.
pub fn field_value(
    class: &ProgramClass,
    field: &FieldDefinition,
    resources: &ResourceNames,
) -> Option<String> {
    let value = field.value.as_ref()?;
    if let retap_apk::EncodedValue::Integer(number) = value
        && let Some(name) = resources.of_literal(*number)
    {
        return Some(name.to_owned());
    }
    Some(value_text(class.dex.file, value))
}
