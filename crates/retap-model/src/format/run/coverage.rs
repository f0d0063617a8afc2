//! The coverage of a run: the table of units and the sets that steps refer to by id.

use super::reader::read_all_rows;
use super::{COVERAGE, RunError, UNITS, write_whole};
use crate::coverage::{Coverage, CoverageId, Unit, Units};
use crate::format::FormatError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A line of `coverage.jsonl`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CoverageRow {
    pub id: CoverageId,
    pub units: Coverage,
}

/// Reads the table of units of a run.
pub fn read_units(run: &Path) -> Result<Units, RunError> {
    let mut units: Vec<Unit> = Vec::new();
    read_all_rows(&run.join(UNITS), "a code unit", &mut units)?;
    Ok(Units::new(units))
}

/// Reads all coverage sets of a run. Each unit must be in the run's table.
pub fn read_coverage(
    run: &Path,
    units: &Units,
) -> Result<BTreeMap<CoverageId, Arc<Coverage>>, RunError> {
    let path = run.join(COVERAGE);
    let mut rows: Vec<CoverageRow> = Vec::new();
    read_all_rows(&path, "a coverage set", &mut rows)?;
    let all: Coverage = (0..units.len() as u32).collect();
    for (at, row) in rows.iter().enumerate() {
        if !row.units.is_subset(&all) {
            let file = path.display().to_string();
            let expected = format!("units below {}, as many as {UNITS} has", units.len());
            return Err(FormatError::malformed(&file, at + 1, expected, row.id.to_string()).into());
        }
    }
    Ok(rows.into_iter().map(|row| (row.id, Arc::new(row.units))).collect())
}

/// Writes `units.jsonl` and `coverage.jsonl` into a folder that holds traces but no run.
pub fn write_coverage<'a>(
    folder: &Path,
    units: &Units,
    sets: impl IntoIterator<Item = &'a Coverage>,
) -> Result<(), RunError> {
    write_units(&folder.join(UNITS), units)?;
    let path = folder.join(COVERAGE);
    let mut bytes = Vec::new();
    let sets: BTreeMap<CoverageId, &Coverage> =
        sets.into_iter().filter(|set| !set.is_empty()).map(|set| (set.id(), set)).collect();
    for (id, units) in sets {
        let row = CoverageRow { id, units: units.clone() };
        serde_json::to_writer(&mut bytes, &row).map_err(|e| RunError::io(&path)(e.into()))?;
        bytes.push(b'\n');
    }
    write_whole(&path, &bytes)
}

pub(super) fn write_units(path: &Path, units: &Units) -> Result<(), RunError> {
    let mut bytes = Vec::new();
    for (_, unit) in units.iter() {
        serde_json::to_writer(&mut bytes, unit).map_err(|e| RunError::io(path)(e.into()))?;
        bytes.push(b'\n');
    }
    write_whole(path, &bytes)
}
