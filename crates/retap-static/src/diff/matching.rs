//! Which class of the old version is which of the new one: by hash before name, and then by likeness.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::fingerprint::{CodeTree, package_of};
use super::forms::CanonicalForms;
use super::methods::{self, NamedClass};
use super::shape::{outline, shapes};
use crate::canonical::{MemberKey, Renamed, Shape, is_unstable_class};
use crate::program::{Program, ProgramClass};

/// The likeness from which on two classes of different names are the same class with changes, as Git has it for files.
const LIKENESS: f64 = 0.5;
/// Smaller classes have too little to be recognised by: they must lie in the same package or class.
const SUBSTANCE: usize = 12;
/// Each round knows more names than the one before. Obfuscated apps settle after two or three.
const ROUNDS: usize = 4;

/// The classes that belong together, and the names of the old version as the new one spells them.
pub struct Matching {
    /// Positions in the old and new program.
    pub pairs: Vec<(usize, usize)>,
    pub removed: Vec<usize>,
    pub new: Vec<usize>,
    pub names: Renamed,
}

/// Matches the classes of two versions.
pub fn matching<'a>(
    old: (&CanonicalForms<'a>, &CodeTree),
    new: (&CanonicalForms<'a>, &CodeTree),
) -> Matching {
    let mut matcher = Matcher::new(old, new);
    for _ in 0..ROUNDS {
        let before = matcher.matched.len();
        matcher.match_methods();
        matcher.match_shapes();
        if matcher.matched.len() == before {
            break;
        }
    }
    matcher.match_unstable_names();
    matcher.match_likeness();
    matcher.match_methods();
    matcher.finish()
}

struct Matcher<'f, 'a> {
    old: &'a Program<'a>,
    new: &'a Program<'a>,
    old_forms: &'f CanonicalForms<'a>,
    new_forms: &'f CanonicalForms<'a>,
    old_tree: &'f CodeTree,
    new_tree: &'f CodeTree,
    matched: BTreeMap<usize, usize>,
    /// Classes without a counterpart so far.
    old_left: BTreeSet<usize>,
    new_left: BTreeSet<usize>,
    names: Renamed,
    /// Methods with made-up names whose counterpart is known, of each version.
    old_settled: BTreeSet<MemberKey>,
    new_settled: BTreeSet<MemberKey>,
}

impl<'f, 'a> Matcher<'f, 'a> {
    /// Begins with the classes whose names decide: those that are equal, and those that no compiler made up.
    fn new(
        (old_forms, old_tree): (&'f CanonicalForms<'a>, &'f CodeTree),
        (new_forms, new_tree): (&'f CanonicalForms<'a>, &'f CodeTree),
    ) -> Self {
        let (old, new) = (old_forms.program, new_forms.program);
        let mut matched = BTreeMap::new();
        for (position, class) in old.classes.iter().enumerate() {
            let Some(other) = new.position(class.descriptor()) else { continue };
            let package = package_of(class.descriptor());
            let is_equal = old_tree.packages.get(&package) == new_tree.packages.get(&package)
                || old_tree.classes[position].hash == new_tree.classes[other].hash;
            if is_equal || !is_unstable_class(class.descriptor()) {
                matched.insert(position, other);
            }
        }
        let taken: BTreeSet<usize> = matched.values().copied().collect();
        let old_left = (0..old.classes.len()).filter(|it| !matched.contains_key(it)).collect();
        let new_left = (0..new.classes.len()).filter(|it| !taken.contains(it)).collect();
        Matcher {
            old,
            new,
            old_forms,
            new_forms,
            old_tree,
            new_tree,
            matched,
            old_left,
            new_left,
            names: Renamed::default(),
            old_settled: BTreeSet::new(),
            new_settled: BTreeSet::new(),
        }
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.matched.insert(old, new);
        self.old_left.remove(&old);
        self.new_left.remove(&new);
        let (from, to) = (self.old.classes[old].descriptor(), self.new.classes[new].descriptor());
        if from != to {
            self.names.classes.insert(from.to_owned(), to.to_owned());
        }
    }

    /// Returns the names that have no counterpart yet, of both versions.
    fn unknown(&self) -> BTreeSet<String> {
        let old = self.old_left.iter().map(|&it| self.old.classes[it].descriptor());
        let new = self.new_left.iter().map(|&it| self.new.classes[it].descriptor());
        old.chain(new).map(str::to_owned).collect()
    }

    /// Pairs classes that have the same shape and are alone in that, nearest names first.
    fn match_shapes(&mut self) {
        let unknown = self.unknown();
        let same = Renamed::default();
        let (old_left, new_left) = self.alike_in_outline();
        let old_shapes = shapes(
            self.old_forms,
            &old_left,
            &Shape { unknown: &unknown, known: &self.names, settled: &self.old_settled },
        );
        let new_shapes = shapes(
            self.new_forms,
            &new_left,
            &Shape { unknown: &unknown, known: &same, settled: &self.new_settled },
        );
        let mut groups = BTreeMap::<u64, (Vec<usize>, Vec<usize>)>::new();
        for (position, shape) in old_shapes {
            groups.entry(shape.hash()).or_default().0.push(position);
        }
        for (position, shape) in new_shapes {
            groups.entry(shape.hash()).or_default().1.push(position);
        }
        for (mut olds, mut news) in groups.into_values() {
            // First those that keep their name, then those that stay in their class or package, then the rest.
            let closeness: [fn(&str, &str) -> bool; 4] = [
                |a, b| a == b,
                |a, b| outer(a) == outer(b),
                |a, b| simple(a) == simple(b),
                |a, b| package_of(a) == package_of(b),
            ];
            for is_close in closeness {
                self.pair_where(&mut olds, &mut news, is_close);
            }
            if let ([old], [new]) = (&olds[..], &news[..])
                && substance(&self.old.classes[*old]) >= SUBSTANCE
            {
                self.pair(*old, *new);
            }
        }
    }

    /// Returns the classes left of both versions whose outline the other version has, too. No others can have one shape, and outlines
    /// cost little.
    fn alike_in_outline(&self) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let outlines = |program: &Program, left: &BTreeSet<usize>| -> Vec<(usize, u64)> {
            left.iter().map(|&it| (it, outline(&program.classes[it]))).collect()
        };
        let olds = outlines(self.old, &self.old_left);
        let news = outlines(self.new, &self.new_left);
        let shared = |some: &[(usize, u64)], others: &[(usize, u64)]| {
            let others: BTreeSet<u64> = others.iter().map(|it| it.1).collect();
            some.iter().filter(|it| others.contains(&it.1)).map(|it| it.0).collect()
        };
        (shared(&olds, &news), shared(&news, &olds))
    }

    fn pair_where(
        &mut self,
        olds: &mut Vec<usize>,
        news: &mut Vec<usize>,
        is_close: fn(&str, &str) -> bool,
    ) {
        olds.retain(|&old| {
            let name = self.old.classes[old].descriptor();
            let close = |&new: &usize| is_close(name, self.new.classes[new].descriptor());
            let Some(place) = news.iter().position(close) else { return true };
            self.pair(old, news.remove(place));
            false
        });
    }

    /// Pairs classes whose names may have been made up by a compiler, where nothing else was found for either.
    fn match_unstable_names(&mut self) {
        for old in self.old_left.clone() {
            let name = self.old.classes[old].descriptor();
            if let Some(new) = self.new.position(name).filter(|new| self.new_left.contains(new)) {
                self.pair(old, new);
            }
        }
    }

    /// Pairs classes that share most of their methods, the most alike first.
    fn match_likeness(&mut self) {
        let unknown = self.unknown();
        let same = Renamed::default();
        let olds = shapes(
            self.old_forms,
            &self.old_left,
            &Shape { unknown: &unknown, known: &self.names, settled: &self.old_settled },
        );
        let news = shapes(
            self.new_forms,
            &self.new_left,
            &Shape { unknown: &unknown, known: &same, settled: &self.new_settled },
        );
        let mut holders = BTreeMap::<u128, Vec<usize>>::new();
        for (place, (_, shape)) in news.iter().enumerate() {
            for hash in shape.methods.keys() {
                holders.entry(*hash).or_default().push(place);
            }
        }
        let mut candidates = Vec::new();
        for (old, shape) in &olds {
            let found: BTreeSet<usize> = shape
                .methods
                .keys()
                .flat_map(|it| holders.get(it).into_iter().flatten())
                .copied()
                .collect();
            for place in found {
                let (new, other) = &news[place];
                let likeness = shape.likeness(other);
                let names =
                    (self.old.classes[*old].descriptor(), self.new.classes[*new].descriptor());
                let bonus = if simple(names.0) == simple(names.1) { 0.2 } else { 0.0 };
                if likeness + bonus >= LIKENESS && shape.weight().min(other.weight()) >= SUBSTANCE {
                    candidates.push((likeness + bonus, *old, *new));
                }
            }
        }
        // Ties are broken by the two names in their order, so that the other direction decides alike.
        let named = |it: &(f64, usize, usize)| {
            let (old, new) =
                (self.old.classes[it.1].descriptor(), self.new.classes[it.2].descriptor());
            (old.min(new), old.max(new))
        };
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| named(a).cmp(&named(b))));
        for (_, old, new) in candidates {
            if self.old_left.contains(&old) && self.new_left.contains(&new) {
                self.pair(old, new);
            }
        }
    }

    /// Pairs methods that compilers number, in the classes paired so far, so that their callers do not look changed.
    fn match_methods(&mut self) {
        let unknown = self.unknown();
        let same = Renamed::default();
        let changed: Vec<(usize, usize)> = self
            .matched
            .iter()
            .map(|(&old, &new)| (old, new))
            .filter(|&(old, new)| {
                self.old_tree.classes[old].hash != self.new_tree.classes[new].hash
            })
            .collect();
        let found: Vec<Vec<(MemberKey, MemberKey)>> = changed
            .par_iter()
            .map(|&(old, new)| {
                let old_naming =
                    Shape { unknown: &unknown, known: &self.names, settled: &self.old_settled };
                let new_naming =
                    Shape { unknown: &unknown, known: &same, settled: &self.new_settled };
                methods::match_unstable(
                    &NamedClass { forms: self.old_forms, position: old, naming: &old_naming },
                    &NamedClass { forms: self.new_forms, position: new, naming: &new_naming },
                )
            })
            .collect();
        for (before, after) in found.into_iter().flatten() {
            self.names.methods.insert(before.clone(), after.1.clone());
            self.old_settled.insert(before);
            self.new_settled.insert(after);
        }
    }

    fn finish(self) -> Matching {
        Matching {
            pairs: self.matched.into_iter().collect(),
            removed: self.old_left.into_iter().collect(),
            new: self.new_left.into_iter().collect(),
            names: self.names,
        }
    }
}

fn substance(class: &ProgramClass) -> usize {
    let code = class.definition.methods.iter().filter_map(|method| method.code.as_ref());
    code.map(|code| code.units() as usize).sum()
}

/// Returns the class that another one lies in, by name: `La/Main;` for `La/Main$1;`.
fn outer(descriptor: &str) -> &str {
    descriptor.split('$').next().unwrap_or(descriptor)
}

fn simple(descriptor: &str) -> &str {
    descriptor.rsplit('/').next().unwrap_or(descriptor)
}
