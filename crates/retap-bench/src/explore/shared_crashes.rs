//! Groups crashes by the set of strategies that found them.

use super::cell::MeasuredCell;
use retap_model::CrashId;
use std::collections::{BTreeMap, BTreeSet};

/// The number of crashes that exactly these strategies found.
#[derive(Debug)]
pub struct SharedCrashes {
    pub strategies: Vec<String>,
    pub crashes: usize,
}

/// Counts the crashes of every set of strategies, the largest count first.
pub fn shared_crashes(measured: &[MeasuredCell]) -> Vec<SharedCrashes> {
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
    let mut rows: Vec<SharedCrashes> = sets
        .into_iter()
        .map(|(set, crashes)| SharedCrashes {
            strategies: set.into_iter().map(String::from).collect(),
            crashes,
        })
        .collect();
    rows.sort_by(|a, b| b.crashes.cmp(&a.crashes).then_with(|| a.strategies.cmp(&b.strategies)));
    rows
}
