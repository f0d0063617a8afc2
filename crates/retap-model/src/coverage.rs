//! Code units and sets of them. A unit is a branch, line, method or block of instructions of the
//! app's code. Its id is its index in the app's table, which is fixed when the app is installed.

use crate::hash::{StableHasher, hex_id};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The index of a unit in the app's table.
pub type UnitId = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    Instruction,
    Branch,
    Line,
    Method,
}

impl UnitKind {
    pub const ALL: [UnitKind; 4] =
        [UnitKind::Instruction, UnitKind::Branch, UnitKind::Line, UnitKind::Method];
}

impl fmt::Display for UnitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnitKind::Instruction => "instruction",
            UnitKind::Branch => "branch",
            UnitKind::Line => "line",
            UnitKind::Method => "method",
        })
    }
}

/// A piece of code that coverage counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    pub kind: UnitKind,
    /// Stable across builds of the same code. Examples: a method
    /// `com.app.Main.onClick(Landroid/view/View;)V`, its second branch on line 17 `…:17#2`, its
    /// third block of instructions, which starts there, `…:17/3`, and a line
    /// `com/app/Main.java:17`.
    pub name: String,
    /// The number of instructions in the unit: instructions that always run together are one unit.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: u32,
}

impl Unit {
    /// Returns the package of the unit's code, `com.app`, or an empty text if the name has none.
    /// Lines are named by their file (`com/app/Main.java:17`), all others by their method.
    pub fn package(&self) -> String {
        let head = self.name.split(['(', ':']).next().unwrap_or_default();
        let package = match self.kind {
            UnitKind::Line => head.rsplit_once('/').map(|(package, _)| package),
            _ => head.rsplit_once('.').and_then(|(class, _)| class.rsplit_once('.')).map(|p| p.0),
        };
        package.unwrap_or_default().replace('/', ".")
    }
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_one(weight: &u32) -> bool {
    *weight == 1
}

/// All units of an app, in a fixed order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    units: Vec<Unit>,
}

/// The covered and the total number of units of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageCount {
    pub covered: u64,
    pub total: u64,
}

impl CoverageCount {
    pub fn percent(&self) -> f64 {
        if self.total == 0 { 0.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }
}

impl Units {
    pub fn new(units: Vec<Unit>) -> Self {
        Self { units }
    }

    pub fn len(&self) -> usize {
        self.units.len()
    }

    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    pub fn get(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(id as usize)
    }

    pub fn iter(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.units.iter().enumerate().map(|(id, unit)| (id as UnitId, unit))
    }

    /// Returns the units of one kind, as a set to intersect with.
    pub fn of_kind(&self, kind: UnitKind) -> Coverage {
        self.iter().filter(|(_, unit)| unit.kind == kind).map(|(id, _)| id).collect()
    }

    /// Counts covered and all units by kind. Kinds that the app does not have are left out.
    pub fn count(&self, coverage: &Coverage) -> BTreeMap<UnitKind, CoverageCount> {
        let mut counts: BTreeMap<UnitKind, CoverageCount> = BTreeMap::new();
        for (id, unit) in self.iter() {
            let count = counts.entry(unit.kind).or_default();
            count.total += u64::from(unit.weight);
            if coverage.contains(id) {
                count.covered += u64::from(unit.weight);
            }
        }
        counts
    }
}

hex_id!(
    /// The hash of a coverage set: sixteen hexadecimal digits.
    CoverageId, u64, 16
);

/// A compressed set of units.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coverage(RoaringBitmap);

impl Coverage {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> u64 {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, id: UnitId) -> bool {
        self.0.contains(id)
    }

    pub fn insert(&mut self, id: UnitId) -> bool {
        self.0.insert(id)
    }

    pub fn iter(&self) -> impl Iterator<Item = UnitId> + '_ {
        self.0.iter()
    }

    pub fn is_subset(&self, other: &Coverage) -> bool {
        self.0.is_subset(&other.0)
    }

    pub fn union_with(&mut self, other: &Coverage) {
        self.0 |= &other.0;
    }

    pub fn union(&self, other: &Coverage) -> Coverage {
        Coverage(&self.0 | &other.0)
    }

    pub fn intersection(&self, other: &Coverage) -> Coverage {
        Coverage(&self.0 & &other.0)
    }

    pub fn difference(&self, other: &Coverage) -> Coverage {
        Coverage(&self.0 - &other.0)
    }

    /// Returns the number of units in `self` that are not in `other`.
    pub fn count_new(&self, other: &Coverage) -> u64 {
        self.0.difference_len(&other.0)
    }

    pub fn id(&self) -> CoverageId {
        let mut hasher = StableHasher::new("coverage");
        for unit in &self.0 {
            hasher.u64(unit.into());
        }
        CoverageId(hasher.finish())
    }
}

impl FromIterator<UnitId> for Coverage {
    fn from_iter<I: IntoIterator<Item = UnitId>>(ids: I) -> Self {
        Self(ids.into_iter().collect())
    }
}

impl<'a> Extend<&'a Coverage> for Coverage {
    fn extend<I: IntoIterator<Item = &'a Coverage>>(&mut self, sets: I) {
        sets.into_iter().for_each(|set| self.union_with(set));
    }
}

impl<'a> FromIterator<&'a Coverage> for Coverage {
    fn from_iter<I: IntoIterator<Item = &'a Coverage>>(sets: I) -> Self {
        let mut all = Self::new();
        all.extend(sets);
        all
    }
}

/// Writes ranges, `"3-7 9"`, which are readable and short because code runs in blocks.
impl Serialize for Coverage {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use std::fmt::Write;
        let mut text = String::new();
        let mut ids = self.0.iter().peekable();
        while let Some(first) = ids.next() {
            let mut last = first;
            while ids.next_if(|&next| next == last + 1).is_some() {
                last += 1;
            }
            let space = if text.is_empty() { "" } else { " " };
            let written = if first == last {
                write!(text, "{space}{first}")
            } else {
                write!(text, "{space}{first}-{last}")
            };
            written.map_err(serde::ser::Error::custom)?;
        }
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Coverage {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let mut bitmap = RoaringBitmap::new();
        for part in text.split_whitespace() {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match (first.parse::<u32>(), last.parse::<u32>()) {
                (Ok(first), Ok(last)) if first <= last => bitmap.insert_range(first..=last),
                _ => {
                    let message = format!("expected units such as \"3-7 9\", found {part:?}");
                    return Err(serde::de::Error::custom(message));
                }
            };
        }
        Ok(Self(bitmap))
    }
}

#[cfg(test)]
mod tests;
