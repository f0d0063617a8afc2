//! A reader of `coverage.jsonl` that goes side by side with the trace.

use crate::run::json_lines::JsonLines;
use retap_model::Coverage;
use retap_model::coverage::CoverageId;
use retap_model::format::run::COVERAGE;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The coverage sets of a run. They were written in the order of their first use, so only the sets that a
/// resumed run left behind must wait in memory.
#[derive(Debug)]
pub struct CoverageSets {
    rows: JsonLines<SetRow>,
    used: BTreeSet<CoverageId>,
    read_ahead: BTreeMap<CoverageId, Coverage>,
}

#[derive(Debug, Deserialize)]
struct SetRow {
    id: CoverageId,
    units: Coverage,
}

impl CoverageSets {
    pub fn open(run: &Path) -> Self {
        let rows = JsonLines::open(&run.join(COVERAGE));
        Self { rows, used: BTreeSet::new(), read_ahead: BTreeMap::new() }
    }

    /// Returns the set the first time it is asked for, and none after that.
    pub fn take_if_first_use(&mut self, id: CoverageId) -> Option<Coverage> {
        if !self.used.insert(id) {
            return None;
        }
        if let Some(set) = self.read_ahead.remove(&id) {
            return Some(set);
        }
        for row in self.rows.by_ref() {
            if row.id == id {
                return Some(row.units);
            }
            self.read_ahead.insert(row.id, row.units);
        }
        None
    }

    /// Returns the reason why reading stopped before the end of the file, if it did.
    pub fn into_error(self) -> Option<String> {
        self.rows.error
    }
}
