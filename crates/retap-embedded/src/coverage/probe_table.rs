//! The app's table of units, which the agent writes as `units.table`: the units that each probe of each
//! class shows.

use crate::foreign_folder::ForeignFolder;
use crate::wire::{BodyReader, MalformedData};
use retap_model::{Coverage, Unit, UnitId, UnitKind, Units};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FILE: &str = "units.table";
/// Ten times the table of the largest app that was seen.
const MAX_LEN: u64 = 1 << 30;
const VERSION: u32 = 1;
/// The kinds of units in the order of their numbers in the file.
const KINDS: [UnitKind; 4] =
    [UnitKind::Instruction, UnitKind::Branch, UnitKind::Line, UnitKind::Method];

/// A fault of the file.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} is damaged: {source}")]
    MalformedData { path: PathBuf, source: MalformedData },
}

/// An app's units, and the units that each probe shows.
#[derive(Debug, Default)]
pub struct ProbeTable {
    pub units: Arc<Units>,
    pub classes: Vec<ProbedClass>,
}

/// A class with probes.
#[derive(Debug, PartialEq, Eq)]
pub struct ProbedClass {
    /// JaCoCo's id of the class.
    pub id: u64,
    /// The name as in class files.
    pub name: String,
    /// The start of each probe's units in `units`, followed by the end of the last ones.
    starts: Vec<usize>,
    units: Vec<UnitId>,
}

impl ProbedClass {
    pub fn probe_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the units that a probe shows; `None` if there is no such probe.
    pub fn units_of(&self, probe: usize) -> Option<&[UnitId]> {
        let (start, end) = (self.starts.get(probe)?, self.starts.get(probe + 1)?);
        Some(&self.units[*start..*end])
    }
}

impl ProbeTable {
    /// Reads the table in the folder that the agent names.
    pub fn read(folder: &Path) -> Result<Self, TableError> {
        let path = folder.join(FILE);
        let bytes = ForeignFolder::open(folder).and_then(|it| it.read(FILE.as_ref(), MAX_LEN));
        match bytes {
            Err(source) => Err(TableError::Io { path, source }),
            Ok(bytes) => {
                decode(&bytes).map_err(|source| TableError::MalformedData { path, source })
            }
        }
    }

    /// Reads the bytes of a table.
    pub fn decode(bytes: &[u8]) -> Result<Self, MalformedData> {
        decode(bytes)
    }

    /// Returns, for each class, the probes that show nothing but these units. A run keeps only units,
    /// and these probes give the same report as the executed ones.
    pub fn probes_within(&self, covered: &Coverage) -> Vec<Vec<bool>> {
        let is_covered = |shown: &[UnitId]| {
            !shown.is_empty() && shown.iter().all(|unit| covered.contains(*unit))
        };
        let covered_probes = |class: &ProbedClass| {
            let is_covered = |probe| class.units_of(probe).is_some_and(is_covered);
            (0..class.probe_count()).map(is_covered).collect()
        };
        self.classes.iter().map(covered_probes).collect()
    }
}

fn decode(bytes: &[u8]) -> Result<ProbeTable, MalformedData> {
    let mut body = BodyReader::new(bytes);
    let version = body.u32()?;
    if version != VERSION {
        return Err(MalformedData::Unknown { what: "version", value: version });
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
    Ok(ProbeTable { units: Arc::new(Units::new(units)), classes })
}

fn decode_unit(body: &mut BodyReader<'_>) -> Result<Unit, MalformedData> {
    let kind = body.u8()?;
    let unknown = MalformedData::Unknown { what: "unit kind", value: kind.into() };
    let kind = *KINDS.get(usize::from(kind)).ok_or(unknown)?;
    let weight = body.u32()?;
    Ok(Unit { kind, name: body.string()?, weight })
}

fn decode_class(
    body: &mut BodyReader<'_>,
    unit_count: usize,
) -> Result<ProbedClass, MalformedData> {
    let (id, name) = (body.u64()?, body.string()?);
    let (mut starts, mut units) = (vec![0], Vec::new());
    for _ in 0..body.u32()? {
        for _ in 0..body.u32()? {
            let unit = body.u32()?;
            if unit as usize >= unit_count {
                return Err(MalformedData::Unknown { what: "unit", value: unit });
            }
            units.push(unit);
        }
        starts.push(units.len());
    }
    Ok(ProbedClass { id, name, starts, units })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    fn class(name: &str, probes: &[&[UnitId]]) -> ProbedClass {
        let mut starts = vec![0];
        let mut units = Vec::new();
        for shown in probes {
            units.extend_from_slice(shown);
            starts.push(units.len());
        }
        ProbedClass { id: 0x0102_0304_0506_0708, name: name.into(), starts, units }
    }

    /// Two classes: a method that branches, and one that shares a line with it.
    pub fn sample_table() -> ProbeTable {
        let unit = |kind, name: &str| Unit { kind, name: name.into(), weight: 1 };
        let units = vec![
            unit(UnitKind::Method, "a.B.c()V"),
            unit(UnitKind::Branch, "a.B.c()V:1#1"),
            unit(UnitKind::Branch, "a.B.c()V:1#2"),
            unit(UnitKind::Line, "a/B.java:1"),
        ];
        let classes = vec![class("a/B", &[&[0, 1, 3], &[0, 2, 3], &[]]), class("a/B$C", &[&[3]])];
        ProbeTable { units: Arc::new(Units::new(units)), classes }
    }

    fn encode(table: &ProbeTable) -> Vec<u8> {
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
            number(&mut out, class.probe_count());
            for probe in 0..class.probe_count() {
                let shown = class.units_of(probe).unwrap();
                number(&mut out, shown.len());
                shown.iter().for_each(|unit| number(&mut out, *unit as usize));
            }
        }
        out
    }

    #[test]
    fn a_table_is_read_as_the_agent_writes_it() {
        let read = decode(&encode(&sample_table())).unwrap();
        assert_eq!((read.units, read.classes), (sample_table().units, sample_table().classes));
    }

    #[test]
    fn a_truncated_or_altered_table_is_refused() {
        let whole = encode(&sample_table());
        for length in 0..whole.len() {
            assert!(decode(&whole[..length]).is_err(), "{length} bytes");
        }
        let mut altered = whole;
        *altered.last_mut().unwrap() = 4;
        assert_eq!(
            decode(&altered).unwrap_err(),
            MalformedData::Unknown { what: "unit", value: 4 }
        );
    }

    #[test]
    fn probes_within_units_show_nothing_else() {
        let check = |covered: &[UnitId], expected: &[&[bool]]| {
            let covered = covered.iter().copied().collect();
            assert_eq!(sample_table().probes_within(&covered), expected, "{covered:?}");
        };
        check(&[], &[&[false, false, false], &[false]]);
        check(&[3], &[&[false, false, false], &[true]]);
        check(&[0, 1, 3], &[&[true, false, false], &[true]]);
        check(&[0, 1, 2, 3], &[&[true, true, false], &[true]]);
    }

    #[test]
    fn damaged_tables() {
        let whole = encode(&sample_table());
        retap_fuzz::fuzz("probe-table", &[&whole], &["\0\0\0\u{1}", "\0\0\0\0"], |bytes| {
            let Ok(table) = decode(bytes) else { return false };
            let all = (0..table.units.len() as u32).collect();
            assert_eq!(table.probes_within(&all).len(), table.classes.len());
            true
        });
    }
}
