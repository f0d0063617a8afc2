//! Comparing the methods of two classes that belong together.

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::MethodDefinition;

use super::forms::{CanonicalForms, MethodPlace};
use super::{Change, DiffOptions, MethodDiff, MethodListing};
use crate::canonical::{MemberKey, Naming, Renamed, is_unstable_method};
use crate::listing;
use crate::program::{ProgramClass, ResourceNames};

/// A class of one version with what its methods are compared by.
pub struct Side<'f, 'a> {
    pub class: &'a ProgramClass<'a>,
    /// The class's position in the program.
    pub position: usize,
    pub hashes: &'f [u128],
    pub forms: &'f CanonicalForms<'a>,
    pub resources: &'a ResourceNames,
}

impl Side<'_, '_> {
    fn place(&self, method: usize) -> MethodPlace {
        MethodPlace { class: self.position, method }
    }
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
                    || old.forms.is_same(
                        (old.place(before), names),
                        new.forms,
                        (new.place(after), &same),
                    );
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

/// A class of one version, its names as a naming spells them.
pub struct NamedClass<'n, 'a> {
    pub forms: &'n CanonicalForms<'a>,
    pub position: usize,
    pub naming: &'n dyn Naming,
}

impl<'a> NamedClass<'_, 'a> {
    fn class(&self) -> &'a ProgramClass<'a> {
        &self.forms.program.classes[self.position]
    }

    /// Returns the methods whose names a compiler made up, each by its position and the hash of its form.
    fn unstable(&self) -> Vec<(usize, u128)> {
        let methods = self.class().definition.methods.iter().enumerate();
        let methods = methods.filter(|(_, method)| is_unstable_method(method.id.name));
        let hash = |method| {
            let place = MethodPlace { class: self.position, method };
            self.forms.of(place).hash(self.naming)
        };
        methods.map(|(index, _)| (index, hash(index))).collect()
    }

    fn name(&self, index: usize) -> &'a str {
        self.class().definition.methods[index].id.name
    }

    /// Returns a method's name without the number that a compiler gave it, and its descriptor.
    fn base(&self, index: usize) -> (&'a str, String) {
        let method = &self.class().definition.methods[index];
        let name = method.id.name.trim_end_matches(|c: char| c.is_ascii_digit());
        (name, self.naming.descriptor(self.class().method_descriptor(method)))
    }

    fn key(&self, index: usize) -> MemberKey {
        let method = &self.class().definition.methods[index];
        let descriptor = self.class().method_descriptor(method).to_owned();
        (method.id.class.to_owned(), method.id.name.to_owned(), descriptor)
    }
}

/// Says whether two methods, each with its position and the hash of its form, belong together.
type IsSame<'a> = dyn Fn(&(usize, u128), &(usize, u128)) -> bool + 'a;

/// Pairs methods of both classes whose names a compiler made up: by what they do, then in their order.
pub fn match_unstable(old: &NamedClass, new: &NamedClass) -> Vec<(MemberKey, MemberKey)> {
    let (mut olds, mut news) = (old.unstable(), new.unstable());
    let mut pairs = Vec::new();
    let mut pair_by = |is_same: &IsSame| {
        olds.retain(|one| {
            let Some(place) = news.iter().position(|other| is_same(one, other)) else {
                return true;
            };
            pairs.push((one.0, news.remove(place).0));
            false
        });
    };
    pair_by(&|one, other| one.1 == other.1 && old.name(one.0) == new.name(other.0));
    pair_by(&|one, other| one.1 == other.1);
    pair_by(&|one, other| old.base(one.0) == new.base(other.0));
    pairs.into_iter().map(|(one, other)| (old.key(one), new.key(other))).collect()
}
