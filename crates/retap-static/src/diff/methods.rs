//! Comparing the methods of two classes that belong together.

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::MethodDefinition;

use super::{Change, DiffOptions, MethodDiff, MethodListing};
use crate::canonical::{CanonicalCode, MemberKey, Naming, Renamed, is_unstable_method};
use crate::listing;
use crate::program::{ProgramClass, ResourceNames};

/// A class with the hashes of its methods and the names of its resources.
pub struct Side<'a> {
    pub class: &'a ProgramClass<'a>,
    pub hashes: &'a [u128],
    pub resources: &'a ResourceNames,
}

/// Returns the methods that differ, in the order of their names.
pub fn compare(old: &Side, new: &Side, names: &Renamed, options: DiffOptions) -> Vec<MethodDiff> {
    let same = Renamed::default();
    let old_keys = keys(old, names);
    let new_keys = keys(new, &same);
    let all: BTreeSet<&MethodKey> = old_keys.keys().chain(new_keys.keys()).collect();
    let differs = |key: &&MethodKey| {
        let pair = (old_keys.get(*key).copied(), new_keys.get(*key).copied());
        let change = match pair {
            (Some(before), Some(after)) => {
                let is_equal = old.hashes[before] == new.hashes[after]
                    || NamedMethod::of(old, before, names)
                        .does_the_same_as(&NamedMethod::of(new, after, &same));
                (!is_equal).then_some(Change::Modified)
            }
            (Some(_), None) => Some(Change::Removed),
            _ => Some(Change::New),
        };
        change.map(|change| difference(old, new, pair, change, options))
    };
    all.iter().filter_map(differs).collect()
}

/// Returns the methods of a class that has no counterpart.
pub fn all(side: &Side, change: Change, options: DiffOptions) -> Vec<MethodDiff> {
    let methods = 0..side.class.definition.methods.len();
    let mut methods: Vec<MethodDiff> = methods
        .map(|index| match change {
            Change::Removed => difference(side, side, (Some(index), None), change, options),
            _ => difference(side, side, (None, Some(index)), change, options),
        })
        .collect();
    methods.sort_by(|a, b| (&a.name, &a.descriptor).cmp(&(&b.name, &b.descriptor)));
    methods
}

fn difference(
    old: &Side,
    new: &Side,
    pair: (Option<usize>, Option<usize>),
    change: Change,
    options: DiffOptions,
) -> MethodDiff {
    let method = |side: &Side, index: Option<usize>| {
        let count = |index: usize| {
            let code = side.class.definition.methods[index].code.as_ref();
            code.map_or(0, |code| code.instructions().len())
        };
        index.map_or(0, count)
    };
    let named = |side: &Side, index: usize| {
        let method = &side.class.definition.methods[index];
        (method.id.name.to_owned(), side.class.method_descriptor(method).to_owned())
    };
    let before = pair.0.map(|index| named(old, index));
    let after = pair.1.map(|index| named(new, index));
    let old_name = match (&before, &after) {
        (Some(before), Some(after)) if before.0 != after.0 => Some(before.0.clone()),
        _ => None,
    };
    let listed = |side: &Side, index: Option<usize>| {
        let listed = index.map(|index| {
            listing::lines(side.class, &side.class.definition.methods[index], side.resources)
        });
        listed.unwrap_or_default()
    };
    let listing = options
        .listings
        .then(|| MethodListing { old: listed(old, pair.0), new: listed(new, pair.1) });
    let (name, descriptor) = after.or(before).unwrap_or_default();
    MethodDiff {
        name,
        descriptor,
        change,
        old_name,
        old_instructions: method(old, pair.0),
        new_instructions: method(new, pair.1),
        listing,
    }
}

/// A method's name and descriptor, and whether another method of its class was renamed to that name.
type MethodKey = (String, String, bool);

/// Returns the position of each method by name and descriptor, as `naming` spells them.
fn keys(side: &Side, naming: &Renamed) -> BTreeMap<MethodKey, usize> {
    let named = |(index, method): (usize, &MethodDefinition)| {
        let descriptor = side.class.method_descriptor(method);
        let name = naming.method(method.id.class, method.id.name, descriptor);
        let is_renamed = name != method.id.name;
        (is_renamed, (name.into_owned(), naming.descriptor(descriptor)), index)
    };
    let methods = side.class.definition.methods.iter().enumerate().map(named);
    let (renamed, kept): (Vec<_>, Vec<_>) = methods.partition(|(is_renamed, ..)| *is_renamed);
    let mut keys = BTreeMap::new();
    for (_, (name, descriptor), index) in renamed {
        keys.insert((name, descriptor, false), index);
    }
    for (_, (name, descriptor), index) in kept {
        let mut key = (name, descriptor, false);
        key.2 = keys.contains_key(&key);
        keys.insert(key, index);
    }
    keys
}

/// A method whose canonical form can be written, with the names as one version spells them.
struct NamedMethod<'a> {
    class: &'a ProgramClass<'a>,
    method: &'a MethodDefinition<'a>,
    code: Option<CanonicalCode<'a>>,
    resources: &'a ResourceNames,
    naming: &'a dyn Naming,
}

impl<'a> NamedMethod<'a> {
    fn new(
        class: &'a ProgramClass<'a>,
        method: &'a MethodDefinition<'a>,
        resources: &'a ResourceNames,
        naming: &'a dyn Naming,
    ) -> Self {
        let code = method.code.as_ref().map(|code| CanonicalCode::new(class, code));
        NamedMethod { class, method, code, resources, naming }
    }

    fn of(side: &'a Side<'a>, index: usize, naming: &'a dyn Naming) -> Self {
        let method = &side.class.definition.methods[index];
        NamedMethod::new(side.class, method, side.resources, naming)
    }

    /// Compares canonical forms, which are written only if nothing cheaper tells the methods apart.
    fn does_the_same_as(&self, other: &NamedMethod) -> bool {
        let effects = |it: &NamedMethod| it.code.as_ref().map(CanonicalCode::effects);
        self.method.access == other.method.access
            && effects(self) == effects(other)
            && self.text() == other.text()
    }

    /// Returns the method's modifiers, types and canonical code as text.
    fn text(&self) -> String {
        let mut text = format!("{} ", self.method.access);
        self.naming.write_descriptor(self.class.method_descriptor(self.method), &mut text);
        text.push('\n');
        if let Some(code) = &self.code {
            code.write(self.resources, self.naming, &mut text);
        }
        text
    }
}

/// Returns a method's modifiers, types and canonical code as text.
pub fn shape(
    class: &ProgramClass,
    method: &MethodDefinition,
    resources: &ResourceNames,
    naming: &dyn Naming,
) -> String {
    NamedMethod::new(class, method, resources, naming).text()
}

/// Says whether two methods, each with its position and shape, belong together.
type IsSame<'a> = dyn Fn(&(usize, String), &(usize, String)) -> bool + 'a;

/// Pairs methods of both classes whose names a compiler made up: by what they do, then in their order.
pub fn match_unstable(
    (old, old_resources): (&ProgramClass, &ResourceNames),
    (new, new_resources): (&ProgramClass, &ResourceNames),
    old_naming: &dyn Naming,
    new_naming: &dyn Naming,
) -> Vec<(MemberKey, MemberKey)> {
    let unstable = |class: &ProgramClass, resources, naming: &dyn Naming| {
        let methods = class.definition.methods.iter().enumerate();
        let methods = methods.filter(|(_, method)| is_unstable_method(method.id.name));
        let describe = |(index, method): (usize, &MethodDefinition)| {
            (index, shape(class, method, resources, naming))
        };
        methods.map(describe).collect::<Vec<_>>()
    };
    let mut olds = unstable(old, old_resources, old_naming);
    let mut news = unstable(new, new_resources, new_naming);
    let mut pairs = Vec::new();
    let base = |class: &ProgramClass, index: usize, naming: &dyn Naming| {
        let method = &class.definition.methods[index];
        let name = method.id.name.trim_end_matches(|c: char| c.is_ascii_digit());
        (name.to_owned(), naming.descriptor(class.method_descriptor(method)))
    };
    let mut pair_by = |is_same: &IsSame| {
        olds.retain(|one| {
            let Some(place) = news.iter().position(|other| is_same(one, other)) else {
                return true;
            };
            pairs.push((one.0, news.remove(place).0));
            false
        });
    };
    let is_named_alike = |one: usize, other: usize| {
        old.definition.methods[one].id.name == new.definition.methods[other].id.name
    };
    pair_by(&|one, other| one.1 == other.1 && is_named_alike(one.0, other.0));
    pair_by(&|one, other| one.1 == other.1);
    pair_by(&|one, other| base(old, one.0, old_naming) == base(new, other.0, new_naming));
    let key = |class: &ProgramClass, index: usize| {
        let method = &class.definition.methods[index];
        let descriptor = class.method_descriptor(method).to_owned();
        (method.id.class.to_owned(), method.id.name.to_owned(), descriptor)
    };
    pairs.into_iter().map(|(one, other)| (key(old, one), key(new, other))).collect()
}
