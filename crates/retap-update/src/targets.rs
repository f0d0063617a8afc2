//! The methods to reach, and how much of each has run.

use retap_model::coverage::UnitKind;
use retap_model::{Coverage, UnitId, Units};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The position of a target in [`Targets`].
pub type TargetNumber = usize;

/// The reason why a method is a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetOrigin {
    Modified,
    New,
    /// The user named it.
    Asked,
    /// It calls a changed method, directly or through others.
    Impact,
}

/// A method that the update changed, or that the user asked for.
#[derive(Debug, Clone)]
pub struct TargetMethod {
    /// `Lcom/example/Main;->run()V`
    pub signature: String,
    pub origin: TargetOrigin,
    /// The blocks of instructions, each with the number of its instructions.
    blocks: Vec<(UnitId, u32)>,
    /// True if any part of the method has run.
    pub is_reached: bool,
}

/// All targets that the device can see run.
#[derive(Debug, Clone, Default)]
pub struct Targets {
    methods: Vec<TargetMethod>,
    by_signature: BTreeMap<String, TargetNumber>,
    /// The target that a unit belongs to.
    by_unit: BTreeMap<UnitId, TargetNumber>,
    covered: Coverage,
    /// Changed methods that coverage does not count: without code, or of a library.
    pub not_counted: Vec<String>,
}

impl Targets {
    pub fn new(wanted: &[(String, TargetOrigin)], units: &Units) -> Self {
        let mut blocks: BTreeMap<&str, Vec<(UnitId, u32)>> = BTreeMap::new();
        let mut methods: BTreeMap<&str, UnitId> = BTreeMap::new();
        for (id, unit) in units.iter() {
            let head = unit.name.split(':').next().unwrap_or_default();
            match unit.kind {
                UnitKind::Instruction => blocks.entry(head).or_default().push((id, unit.weight)),
                UnitKind::Method => {
                    methods.insert(&unit.name, id);
                }
                _ => {}
            }
        }
        let mut targets = Self::default();
        for (signature, origin) in wanted {
            if targets.by_signature.contains_key(signature) {
                continue;
            }
            let name = unit_name(signature);
            let own = blocks.get(name.as_str()).cloned().unwrap_or_default();
            // A device that counts methods alone still says whether a target ran.
            let own = match methods.get(name.as_str()) {
                Some(method) if own.is_empty() => vec![(*method, 1)],
                _ => own,
            };
            if own.is_empty() {
                targets.not_counted.push(signature.clone());
                continue;
            }
            let number = targets.methods.len();
            targets.by_signature.insert(signature.clone(), number);
            let of_method =
                own.iter().map(|(unit, _)| *unit).chain(methods.get(name.as_str()).copied());
            targets.by_unit.extend(of_method.map(|unit| (unit, number)));
            targets.methods.push(TargetMethod {
                signature: signature.clone(),
                origin: *origin,
                blocks: own,
                is_reached: false,
            });
        }
        targets
    }

    pub fn len(&self) -> usize {
        self.methods.len()
    }

    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (TargetNumber, &TargetMethod)> {
        self.methods.iter().enumerate()
    }

    pub fn get(&self, number: TargetNumber) -> &TargetMethod {
        &self.methods[number]
    }

    /// Returns the units of each target with their weights. Methods are named as coverage names them.
    pub fn goals(&self) -> impl Iterator<Item = (String, Vec<(UnitId, u32)>)> + '_ {
        self.methods.iter().map(|method| (unit_name(&method.signature), method.blocks.clone()))
    }

    pub fn number_of(&self, signature: &str) -> Option<TargetNumber> {
        self.by_signature.get(signature).copied()
    }

    /// Returns the targets that these units belong to.
    pub fn among(&self, units: &Coverage) -> BTreeSet<TargetNumber> {
        units.iter().filter_map(|unit| self.by_unit.get(&unit).copied()).collect()
    }

    /// Records the units that ran. Returns the targets that they belong to.
    pub fn record(&mut self, units: &Coverage) -> BTreeSet<TargetNumber> {
        let hit: BTreeMap<UnitId, TargetNumber> = units
            .iter()
            .filter_map(|unit| self.by_unit.get(&unit).map(|target| (unit, *target)))
            .collect();
        for (unit, target) in &hit {
            self.covered.insert(*unit);
            self.methods[*target].is_reached = true;
        }
        hit.into_values().collect()
    }

    /// Returns the number of instructions of a target that have not run: the paper's u_m.
    pub fn uncovered(&self, number: TargetNumber) -> u64 {
        let left =
            self.methods[number].blocks.iter().filter(|(unit, _)| !self.covered.contains(*unit));
        left.map(|(_, weight)| u64::from(*weight)).sum()
    }

    pub fn instructions(&self, number: TargetNumber) -> u64 {
        self.methods[number].blocks.iter().map(|(_, weight)| u64::from(*weight)).sum()
    }

    pub fn reached(&self) -> usize {
        self.methods.iter().filter(|method| method.is_reached).count()
    }

    pub fn covered_instructions(&self) -> u64 {
        (0..self.len()).map(|number| self.instructions(number) - self.uncovered(number)).sum()
    }

    pub fn all_instructions(&self) -> u64 {
        (0..self.len()).map(|number| self.instructions(number)).sum()
    }

    /// Returns true if every instruction of every target has run.
    pub fn are_covered(&self) -> bool {
        (0..self.len()).all(|number| self.uncovered(number) == 0)
    }
}

/// Returns the name that coverage gives a method: `com.example.Main.run()V`.
fn unit_name(signature: &str) -> String {
    match signature.split_once("->") {
        Some((class, method)) => {
            let class = class.trim_start_matches('L').trim_end_matches(';').replace('/', ".");
            format!("{class}.{method}")
        }
        None => signature.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::coverage::Unit;

    #[test]
    fn a_target_is_covered_block_by_block() {
        let unit = |kind, name: &str, weight| Unit { kind, name: name.into(), weight };
        let units = Units::new(vec![
            unit(UnitKind::Method, "a.B.run()V", 1),
            unit(UnitKind::Instruction, "a.B.run()V:3/1", 5),
            unit(UnitKind::Instruction, "a.B.run()V:4/2", 7),
            unit(UnitKind::Method, "a.B.running()V", 1),
        ]);
        let wanted = [
            ("La/B;->run()V".to_string(), TargetOrigin::Modified),
            ("La/B;->gone()V".to_string(), TargetOrigin::New),
        ];
        let mut targets = Targets::new(&wanted, &units);
        assert_eq!((targets.len(), targets.not_counted.len()), (1, 1));
        assert_eq!(targets.record(&Coverage::from_iter([3])).len(), 0);
        assert_eq!(targets.record(&Coverage::from_iter([1])), BTreeSet::from([0]));
        assert_eq!((targets.uncovered(0), targets.instructions(0), targets.reached()), (7, 12, 1));
        targets.record(&Coverage::from_iter([2]));
        assert!(targets.are_covered());
    }
}
