//! The app's table of units as the agent wrote it: what each probe of each class shows.

use crate::wire::{Malformed, Reader};
use retap_model::{Coverage, Unit, UnitId, UnitKind, Units};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const VERSION: u32 = 1;
/// The order of the file.
const KINDS: [UnitKind; 4] =
    [UnitKind::Instruction, UnitKind::Branch, UnitKind::Line, UnitKind::Method];

#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is damaged: {source}")]
    Malformed { path: PathBuf, source: Malformed },
}

#[derive(Debug, Default)]
pub struct Table {
    pub units: Arc<Units>,
    pub classes: Vec<Class>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Class {
    /// JaCoCo's.
    pub id: u64,
    /// As in class files.
    pub name: String,
    /// Where each probe's units begin in `shown`, and after the last one where they end.
    begins: Vec<usize>,
    shown: Vec<UnitId>,
}

impl Class {
    pub fn probes(&self) -> usize {
        self.begins.len() - 1
    }

    /// The units that a probe shows; none if there is no such probe.
    pub fn shown(&self, probe: usize) -> Option<&[UnitId]> {
        let (begin, end) = (self.begins.get(probe)?, self.begins.get(probe + 1)?);
        Some(&self.shown[*begin..*end])
    }
}

impl Table {
    /// The file's name in the folder that the agent names.
    pub const FILE: &str = "units.table";

    pub fn read(path: &Path) -> Result<Self, TableError> {
        let io = |source| TableError::Io { path: path.to_owned(), source };
        let bytes = std::fs::read(path).map_err(io)?;
        decode(&bytes).map_err(|source| TableError::Malformed { path: path.to_owned(), source })
    }

    /// Probes that, had they been executed, would show just these units: of each class those that
    /// show nothing else. A run keeps units, and from them this is as good as the probes themselves.
    pub fn probes_of(&self, covered: &Coverage) -> Vec<Vec<bool>> {
        let explained = |shown: &[UnitId]| {
            !shown.is_empty() && shown.iter().all(|unit| covered.contains(*unit))
        };
        let of = |class: &Class| {
            (0..class.probes()).map(|probe| class.shown(probe).is_some_and(explained)).collect()
        };
        self.classes.iter().map(of).collect()
    }
}

fn decode(bytes: &[u8]) -> Result<Table, Malformed> {
    let mut body = Reader::new(bytes);
    let version = body.u32()?;
    if version != VERSION {
        return Err(Malformed::Unknown { what: "version", value: version });
    }
    let mut units = Vec::new();
    for _ in 0..body.u32()? {
        units.push(decode_unit(&mut body)?);
    }
    let mut classes = Vec::new();
    for _ in 0..body.u32()? {
        classes.push(decode_class(&mut body, units.len())?);
    }
    body.finish()?;
    Ok(Table { units: Arc::new(Units::new(units)), classes })
}

fn decode_unit(body: &mut Reader<'_>) -> Result<Unit, Malformed> {
    let kind = body.u8()?;
    let unknown = Malformed::Unknown { what: "unit kind", value: kind.into() };
    let kind = *KINDS.get(usize::from(kind)).ok_or(unknown)?;
    let weight = body.u32()?;
    Ok(Unit { kind, name: body.string()?, weight })
}

fn decode_class(body: &mut Reader<'_>, units: usize) -> Result<Class, Malformed> {
    let (id, name) = (body.u64()?, body.string()?);
    let (mut begins, mut shown) = (vec![0], Vec::new());
    for _ in 0..body.u32()? {
        for _ in 0..body.u32()? {
            let unit = body.u32()?;
            if unit as usize >= units {
                return Err(Malformed::Unknown { what: "unit", value: unit });
            }
            shown.push(unit);
        }
        begins.push(shown.len());
    }
    Ok(Class { id, name, begins, shown })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    fn class(name: &str, probes: &[&[UnitId]]) -> Class {
        let mut begins = vec![0];
        let mut shown = Vec::new();
        for units in probes {
            shown.extend_from_slice(units);
            begins.push(shown.len());
        }
        Class { id: 0x0102_0304_0506_0708, name: name.into(), begins, shown }
    }

    /// Two classes: a method that branches, and one that shares a line with it.
    pub fn table() -> Table {
        let unit = |kind, name: &str| Unit { kind, name: name.into(), weight: 1 };
        let units = vec![
            unit(UnitKind::Method, "a.B.c()V"),
            unit(UnitKind::Branch, "a.B.c()V:1#1"),
            unit(UnitKind::Branch, "a.B.c()V:1#2"),
            unit(UnitKind::Line, "a/B.java:1"),
        ];
        let classes = vec![class("a/B", &[&[0, 1, 3], &[0, 2, 3], &[]]), class("a/B$C", &[&[3]])];
        Table { units: Arc::new(Units::new(units)), classes }
    }

    fn encode(table: &Table) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, value: usize| {
            out.extend_from_slice(&u32::try_from(value).unwrap().to_be_bytes());
        };
        let string = |out: &mut Vec<u8>, text: &str| {
            number(out, text.len());
            out.extend_from_slice(text.as_bytes());
        };
        number(&mut out, VERSION as usize);
        number(&mut out, table.units.len());
        for (_, unit) in table.units.iter() {
            out.push(KINDS.iter().position(|kind| *kind == unit.kind).unwrap() as u8);
            number(&mut out, unit.weight as usize);
            string(&mut out, &unit.name);
        }
        number(&mut out, table.classes.len());
        for class in &table.classes {
            out.extend_from_slice(&class.id.to_be_bytes());
            string(&mut out, &class.name);
            number(&mut out, class.probes());
            for probe in 0..class.probes() {
                let shown = class.shown(probe).unwrap();
                number(&mut out, shown.len());
                shown.iter().for_each(|unit| number(&mut out, *unit as usize));
            }
        }
        out
    }

    #[test]
    fn a_table_is_read_as_the_agent_writes_it() {
        let read = decode(&encode(&table())).unwrap();
        assert_eq!((read.units, read.classes), (table().units, table().classes));
    }

    #[test]
    fn a_cut_or_altered_table_is_refused() {
        let whole = encode(&table());
        for length in 0..whole.len() {
            assert!(decode(&whole[..length]).is_err(), "{length} bytes");
        }
        let mut altered = whole;
        *altered.last_mut().unwrap() = 4;
        assert_eq!(decode(&altered).unwrap_err(), Malformed::Unknown { what: "unit", value: 4 });
    }

    #[test]
    fn units_lead_back_to_probes_that_show_just_them() {
        let check = |covered: &[UnitId], expected: &[&[bool]]| {
            let covered = covered.iter().copied().collect();
            assert_eq!(table().probes_of(&covered), expected, "{covered:?}");
        };
        check(&[], &[&[false, false, false], &[false]]);
        check(&[3], &[&[false, false, false], &[true]]);
        check(&[0, 1, 3], &[&[true, false, false], &[true]]);
        check(&[0, 1, 2, 3], &[&[true, true, false], &[true]]);
    }
}
