//! Which strategies found which crashes: one row for every set of strategies that has some to itself.

use super::cell::Measured;
use retap_model::CrashId;
use std::collections::{BTreeMap, BTreeSet};

/// For every set of strategies, how many crashes those and no others found.
pub fn upset(measured: &[Measured]) -> Vec<(Vec<String>, usize)> {
    let mut finders: BTreeMap<(&str, CrashId), BTreeSet<&str>> = BTreeMap::new();
    for m in measured {
        for id in &m.crashes {
            finders.entry((&m.app, *id)).or_default().insert(&m.strategy);
        }
    }
    let mut sets: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
    for found in finders.into_values() {
        *sets.entry(found).or_default() += 1;
    }
    let mut rows: Vec<(Vec<String>, usize)> = sets
        .into_iter()
        .map(|(set, crashes)| (set.into_iter().map(String::from).collect(), crashes))
        .collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows
}
