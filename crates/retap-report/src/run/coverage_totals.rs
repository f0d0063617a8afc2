//! The coverage so far: of all units, by package and by class.
//!
//! An app may have hundreds of thousands of units, so only the kind, weight and place of each are held.

use super::class_coverage::{ClassCoverage, ClassTable};
use super::json_lines::JsonLines;
use retap_model::format::run::UNITS;
use retap_model::hash::StableHasher;
use retap_model::{Coverage, CoverageCount, Unit, UnitKind};
use std::collections::BTreeMap;
use std::path::Path;

/// Covered units and all units, by kind.
pub type CoverageCounts = BTreeMap<UnitKind, CoverageCount>;

/// Running totals of coverage.
#[derive(Debug, Default)]
pub struct CoverageTotals {
    pub counts: CoverageCounts,
    units: Vec<UnitInfo>,
    /// A hash of the names of all units in order.
    names: u64,
    /// The ids of all units. A damaged set may name ids that no unit has.
    known: Coverage,
    covered: Coverage,
    packages: Vec<(String, CoverageCounts)>,
    classes: ClassTable,
}

#[derive(Debug)]
struct UnitInfo {
    kind: UnitKind,
    weight: u32,
    /// The index of its package.
    package: usize,
}

impl CoverageTotals {
    /// Reads the units of a run. Nothing is covered yet.
    pub fn read(run: &Path, damage: &mut Vec<String>) -> Self {
        let mut totals = Self::default();
        let mut indices: BTreeMap<String, usize> = BTreeMap::new();
        let mut rows: JsonLines<Unit> = JsonLines::open(&run.join(UNITS));
        for unit in rows.by_ref() {
            let package = unit.package();
            let index = indices.get(&package).copied().unwrap_or_else(|| {
                totals.packages.push((package.clone(), CoverageCounts::new()));
                indices.insert(package, totals.packages.len() - 1);
                totals.packages.len() - 1
            });
            totals.classes.add(&unit);
            let mut hasher = StableHasher::new("units");
            totals.names = hasher.u64(totals.names).str(&unit.name).finish();
            let unit = UnitInfo { kind: unit.kind, weight: unit.weight, package: index };
            totals.add_weight(&unit, |count| &mut count.total);
            totals.units.push(unit);
        }
        totals.known = (0..totals.units.len() as u32).collect();
        damage.extend(rows.error);
        totals
    }

    /// Returns true if both count the same units.
    pub fn has_same_units(&self, other: &Self) -> bool {
        self.names == other.names
    }

    /// Adds a set of units that ran after so many events. Returns the number of those that had not run before.
    pub fn cover(&mut self, set: &Coverage, events: u64) -> u64 {
        let new = set.intersection(&self.known).difference(&self.covered);
        let units = std::mem::take(&mut self.units);
        for (id, unit) in new.iter().filter_map(|id| Some((id, units.get(id as usize)?))) {
            self.add_weight(unit, |count| &mut count.covered);
            self.classes.cover(id as usize, events);
        }
        self.units = units;
        self.covered.union_with(&new);
        new.len()
    }

    /// Returns the counts by package, without units that have no package.
    pub fn packages(&self) -> BTreeMap<String, CoverageCounts> {
        self.packages.iter().filter(|(name, _)| !name.is_empty()).cloned().collect()
    }

    pub fn classes(&self) -> Vec<ClassCoverage> {
        self.classes.classes()
    }

    fn add_weight(&mut self, unit: &UnitInfo, field: impl Fn(&mut CoverageCount) -> &mut u64) {
        let of_package = &mut self.packages[unit.package].1;
        for counts in [&mut self.counts, of_package] {
            *field(counts.entry(unit.kind).or_default()) += u64::from(unit.weight);
        }
    }
}
