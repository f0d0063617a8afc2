//! What is covered so far, of all units and by package. Of a unit only its kind, its weight and its
//! package are held: there may be hundreds of thousands.

use crate::rows::Rows;
use retap_model::format::run::UNITS;
use retap_model::{Coverage, CoverageCount, Unit, UnitKind};
use std::collections::BTreeMap;
use std::path::Path;

pub type CoverageCounts = BTreeMap<UnitKind, CoverageCount>;

#[derive(Debug, Default)]
pub struct Totals {
    pub counts: CoverageCounts,
    units: Vec<Brief>,
    /// The ids of all units: a set may name ranges that no unit stands for.
    known: Coverage,
    covered: Coverage,
    packages: Vec<(String, CoverageCounts)>,
}

#[derive(Debug)]
struct Brief {
    kind: UnitKind,
    weight: u32,
    /// Its place in the list.
    package: usize,
}

impl Totals {
    pub fn read(run: &Path, remarks: &mut Vec<String>) -> Self {
        let mut totals = Self::default();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut rows: Rows<Unit> = Rows::open(&run.join(UNITS));
        for unit in rows.by_ref() {
            let package = unit.package();
            let place = places.get(&package).copied().unwrap_or_else(|| {
                totals.packages.push((package.clone(), CoverageCounts::new()));
                places.insert(package, totals.packages.len() - 1);
                totals.packages.len() - 1
            });
            let brief = Brief { kind: unit.kind, weight: unit.weight, package: place };
            totals.add(&brief, |count| &mut count.total);
            totals.units.push(brief);
        }
        totals.known = (0..totals.units.len() as u32).collect();
        remarks.extend(rows.trouble);
        totals
    }

    pub fn cover(&mut self, set: &Coverage) {
        let new = set.intersection(&self.known).difference(&self.covered);
        let units = std::mem::take(&mut self.units);
        for unit in new.iter().filter_map(|id| units.get(id as usize)) {
            self.add(unit, |count| &mut count.covered);
        }
        self.units = units;
        self.covered.union_with(&new);
    }

    /// Units of no package are left out.
    pub fn packages(&self) -> BTreeMap<String, CoverageCounts> {
        self.packages.iter().filter(|(name, _)| !name.is_empty()).cloned().collect()
    }

    fn add(&mut self, unit: &Brief, to: impl Fn(&mut CoverageCount) -> &mut u64) {
        let of_package = &mut self.packages[unit.package].1;
        for counts in [&mut self.counts, of_package] {
            *to(counts.entry(unit.kind).or_default()) += u64::from(unit.weight);
        }
    }
}
