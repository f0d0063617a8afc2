//! The tests of a run of `retap test`: a line for each as it ends, with its coverage.

use super::appender::Appender;
use super::coverage::{CoverageRow, write_units};
use super::reader::read_all_rows;
use super::{COVERAGE, RunError, TESTS, UNITS};
use crate::coverage::{Coverage, CoverageId, Units};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// A line of `tests.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestRow {
    /// `CLASS#METHOD`.
    pub test: String,
    /// The word for its end: `PASS`, `FAIL` …
    pub end: String,
    /// The phone's own time.
    pub ms: u64,
    /// What all its runs covered, a line of `coverage.jsonl`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageId>,
}

impl TestRow {
    pub fn has_passed(&self) -> bool {
        self.end == "PASS"
    }
}

/// Writes the rows while the tests run.
#[derive(Debug)]
pub struct TestRecorder {
    tests: Appender,
    coverage: Appender,
    written: BTreeSet<CoverageId>,
}

impl TestRecorder {
    /// Begins the files in a run's directory.
    pub fn create(run: &Path, units: &Units) -> Result<Self, RunError> {
        write_units(&run.join(UNITS), units)?;
        Ok(Self {
            tests: Appender::open(run.join(TESTS), 0)?,
            coverage: Appender::open(run.join(COVERAGE), 0)?,
            written: BTreeSet::new(),
        })
    }

    /// Adds a test and what it covered. The set is on disk before the line that refers to it.
    pub fn add(&mut self, mut row: TestRow, covered: &Coverage) -> Result<(), RunError> {
        if !covered.is_empty() {
            let id = covered.id();
            if self.written.insert(id) {
                self.coverage.append_json(&CoverageRow { id, units: covered.clone() })?;
                self.coverage.flush()?;
            }
            row.coverage = Some(id);
        }
        self.tests.append_json(&row)?;
        self.tests.flush()
    }
}

/// Returns true if a folder holds the tests of a run.
pub fn has_tests(run: &Path) -> bool {
    run.join(TESTS).is_file()
}

/// Reads the tests of a run.
pub fn read_tests(run: &Path) -> Result<Vec<TestRow>, RunError> {
    let mut rows = Vec::new();
    read_all_rows(&run.join(TESTS), "a test", &mut rows)?;
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::super::{read_coverage, read_units};
    use super::*;
    use crate::coverage::{Unit, UnitKind};

    #[test]
    fn tests_are_read_back_with_their_coverage() {
        let dir = tempfile::tempdir().unwrap();
        let unit = |name: &str| Unit { kind: UnitKind::Method, name: name.into(), weight: 1 };
        let units = Units::new(vec![unit("a"), unit("b")]);
        let mut recorder = TestRecorder::create(dir.path(), &units).unwrap();
        let row = |test: &str, end: &str| TestRow {
            test: test.into(),
            end: end.into(),
            ms: 3,
            coverage: None,
        };
        let both: Coverage = [0, 1].into_iter().collect();
        recorder.add(row("a.B#c", "PASS"), &both).unwrap();
        recorder.add(row("a.B#d", "FAIL"), &Coverage::new()).unwrap();
        recorder.add(row("a.B#e", "PASS"), &both).unwrap();
        let rows = read_tests(dir.path()).unwrap();
        assert_eq!(rows.len(), 3);
        assert!(rows[0].has_passed() && !rows[1].has_passed());
        assert_eq!((rows[0].coverage, rows[1].coverage), (Some(both.id()), None));
        let sets = read_coverage(dir.path(), &read_units(dir.path()).unwrap()).unwrap();
        assert_eq!(*sets[&both.id()], both);
        assert_eq!(sets.len(), 1);
    }

    #[test]
    fn a_damaged_line_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(TESTS), "{\"test\":1}\n").unwrap();
        let error = read_tests(dir.path()).unwrap_err().to_string();
        assert!(error.contains("tests.jsonl:1: expected a test"), "{error}");
    }
}
