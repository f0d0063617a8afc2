//! The coverage of each class: its methods, its lines and the event that first ran it.
//!
//! Units are named by their method (`com.app.Main.go()V:17/3`). Lines have units of their own, which classes of one file
//! share: a line belongs to the first class that has code on it, whose units stand before it.

use super::coverage_totals::CoverageCounts;
use retap_model::{CoverageCount, Unit, UnitKind};
use std::collections::BTreeMap;

/// The coverage of one class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassCoverage {
    /// `com.app.Main$1`
    pub name: String,
    /// The path of its source file as its units name it, `com/app/Main.java`; empty if none does.
    pub file: String,
    pub counts: CoverageCounts,
    pub methods: Vec<MethodCoverage>,
    /// Whether each line that has code ran.
    pub lines: BTreeMap<u32, bool>,
    /// The number of events until it first ran.
    pub first_event: Option<u64>,
}

/// The coverage of one method, in instructions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MethodCoverage {
    /// `go(Landroid/view/View;)V`
    pub name: String,
    pub instructions: CoverageCount,
    pub ran: bool,
}

/// The classes of an app, found again by the number of a unit.
#[derive(Debug, Default)]
pub struct ClassTable {
    classes: Vec<ClassCoverage>,
    indices: BTreeMap<String, usize>,
    /// The number of each method in its class, by the names of both.
    methods: BTreeMap<String, u32>,
    /// The place of each unit, if its name tells one.
    units: Vec<Option<UnitPlace>>,
    last_class: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct UnitPlace {
    class: u32,
    /// The number of its method, or of its line if it is a line.
    method: u32,
    kind: UnitKind,
    weight: u32,
}

/// The parts of a unit's name.
struct UnitName<'a> {
    class: &'a str,
    method: &'a str,
}

impl ClassTable {
    /// Adds the next unit of the app.
    pub fn add(&mut self, unit: &Unit) {
        if unit.kind == UnitKind::Line {
            let place = self.add_line(unit);
            self.units.push(place);
            return;
        }
        let Some(UnitName { class, method }) = parse(&unit.name) else {
            self.units.push(None);
            return;
        };
        let index = self.class_index(class);
        self.last_class = Some(index);
        let whole = format!("{class}.{method}");
        let class = &mut self.classes[index];
        let number = *self.methods.entry(whole).or_insert_with(|| {
            class.methods.push(MethodCoverage { name: method.into(), ..Default::default() });
            class.methods.len() as u32 - 1
        });
        let (kind, weight) = (unit.kind, unit.weight);
        let place = UnitPlace { class: index as u32, method: number, kind, weight };
        class.count(place, |count| &mut count.total);
        self.units.push(Some(place));
    }

    /// Notes that a unit ran for the first time.
    pub fn cover(&mut self, unit: usize, events: u64) {
        let Some(place) = self.units.get(unit).copied().flatten() else { return };
        let class = &mut self.classes[place.class as usize];
        class.count(place, |count| &mut count.covered);
        if place.kind == UnitKind::Line {
            class.lines.insert(place.method, true);
            return;
        }
        class.methods[place.method as usize].ran = true;
        class.first_event.get_or_insert(events);
    }

    /// Returns the classes by name. A class whose lines all belong to others has the file of the class around it.
    pub fn classes(&self) -> Vec<ClassCoverage> {
        let mut classes = self.classes.clone();
        for class in classes.iter_mut().filter(|class| class.file.is_empty()) {
            let around = class.name.split('$').next().and_then(|name| self.indices.get(name));
            if let Some(index) = around {
                class.file.clone_from(&self.classes[*index].file);
            }
        }
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        classes
    }

    fn class_index(&mut self, name: &str) -> usize {
        if let Some(index) = self.indices.get(name) {
            return *index;
        }
        self.classes.push(ClassCoverage { name: name.into(), ..ClassCoverage::default() });
        self.indices.insert(name.into(), self.classes.len() - 1);
        self.classes.len() - 1
    }

    /// Adds a line to the class whose units stand before it.
    fn add_line(&mut self, unit: &Unit) -> Option<UnitPlace> {
        let (file, line) = unit.name.rsplit_once(':')?;
        let line: u32 = line.parse().ok()?;
        let index = self.last_class?;
        let class = self.classes.get_mut(index)?;
        if class.file.is_empty() {
            class.file = file.to_string();
        }
        class.lines.insert(line, false);
        let (kind, weight) = (unit.kind, unit.weight);
        let place = UnitPlace { class: index as u32, method: line, kind, weight };
        class.count(place, |count| &mut count.total);
        Some(place)
    }
}

impl ClassCoverage {
    fn count(&mut self, place: UnitPlace, field: impl Fn(&mut CoverageCount) -> &mut u64) {
        *field(self.counts.entry(place.kind).or_default()) += u64::from(place.weight);
        if place.kind == UnitKind::Instruction {
            let method = &mut self.methods[place.method as usize];
            *field(&mut method.instructions) += u64::from(place.weight);
        }
    }
}

/// Splits `com.app.Main.go(I)V:17/3` into `com.app.Main` and `go(I)V`.
fn parse(name: &str) -> Option<UnitName<'_>> {
    let whole = name.rsplit_once(':').map_or(name, |(method, _)| method);
    let arguments = whole.find('(').unwrap_or(whole.len());
    let dot = whole[..arguments].rfind('.')?;
    Some(UnitName { class: &whole[..dot], method: &whole[dot + 1..] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(kind: UnitKind, name: &str, weight: u32) -> Unit {
        Unit { kind, name: name.into(), weight }
    }

    #[test]
    fn a_class_has_methods_lines_and_a_file() {
        let mut table = ClassTable::default();
        for unit in [
            unit(UnitKind::Method, "com.app.Main.go(I)V", 1),
            unit(UnitKind::Instruction, "com.app.Main.go(I)V:17/1", 4),
            unit(UnitKind::Line, "com/app/Main.java:17", 1),
            unit(UnitKind::Instruction, "com.app.Main.go(I)V:18/2", 2),
            unit(UnitKind::Branch, "com.app.Main.go(I)V:18#1", 1),
            unit(UnitKind::Line, "com/app/Main.java:18", 1),
            unit(UnitKind::Method, "com.app.Main$1.run()V", 1),
            unit(UnitKind::Method, "plain", 1),
        ] {
            table.add(&unit);
        }
        table.cover(1, 5);
        table.cover(2, 5);
        table.cover(99, 5);
        let classes = table.classes();
        assert_eq!(classes.len(), 2);
        assert_eq!(classes[1].file, "com/app/Main.java", "the file of the class around it");
        let class = &classes[0];
        assert_eq!(
            (class.name.as_str(), class.file.as_str()),
            ("com.app.Main", "com/app/Main.java")
        );
        assert_eq!(class.lines, BTreeMap::from([(17, true), (18, false)]));
        assert_eq!(class.first_event, Some(5));
        let count = |covered, total| CoverageCount { covered, total };
        assert_eq!(class.counts[&UnitKind::Instruction], count(4, 6));
        assert_eq!(class.counts[&UnitKind::Line], count(1, 2));
        assert_eq!(class.methods[0].instructions, count(4, 6));
    }
}
