//! Chooses the fewest tests of recorded runs with the same coverage. Nothing runs for it.

use crate::Failure;
use retap_model::Coverage;
use retap_model::coverage::{CoverageCount, UnitKind, Units};
use retap_model::format::run::{TestRow, read_coverage, read_tests, read_units};
use retap_reduce::{CoverCandidate, smallest_cover};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The tests that are enough.
#[derive(Debug, Clone, Serialize)]
pub struct TestChoice {
    /// In the order in which they ran.
    pub chosen: Vec<String>,
    /// Tests whose coverage the others have.
    pub left_out: Vec<String>,
    /// Tests that did not pass. They are not chosen from.
    pub not_passed: Vec<String>,
    /// Whether no smaller choice exists.
    pub is_smallest: bool,
    pub units: UnitKind,
    /// What the chosen tests cover, which is what all that passed cover.
    pub coverage: CoverageCount,
    /// The phone's own time that the chosen tests took, and all that passed.
    pub chosen_ms: u64,
    pub passed_ms: u64,
}

/// Chooses from the tests of these runs, which must be of one build of the app.
pub fn choose_tests(runs: &[PathBuf], kind: UnitKind) -> Result<TestChoice, Failure> {
    let mut units: Option<Units> = None;
    let mut passed: BTreeMap<usize, (TestRow, Coverage)> = BTreeMap::new();
    let mut not_passed = Vec::new();
    for run in runs {
        let own = read_units(run)?;
        if units.as_ref().is_some_and(|known| *known != own) {
            return Err(Failure::input(format!(
                "{} counts other code units than the runs before it: choose from runs of one build of the app",
                run.display()
            )));
        }
        let sets = read_coverage(run, &own)?;
        for row in read_tests(run)? {
            let covered = row.coverage.and_then(|id| sets.get(&id));
            let covered = covered.map_or_else(Coverage::new, |set| Coverage::clone(set));
            if row.has_passed() {
                passed.insert(passed.len(), (row, covered));
            } else {
                not_passed.push(row.test);
            }
        }
        units = Some(own);
    }
    let Some(units) = units.filter(|_| !passed.is_empty()) else {
        return Err(Failure::input("no test of these runs has passed: there is nothing to choose"));
    };
    let counted = units.of_kind(kind);
    let candidates: Vec<CoverCandidate> = passed
        .values()
        .map(|(row, covered)| CoverCandidate {
            covers: covered.intersection(&counted),
            cost: row.ms,
        })
        .collect();
    let cover = smallest_cover(&candidates);
    let all = candidates.iter().fold(Coverage::new(), |sum, one| sum.union(&one.covers));
    let rows: Vec<&TestRow> = passed.values().map(|(row, _)| row).collect();
    let is_chosen = |index: &usize| cover.chosen.binary_search(index).is_ok();
    let names = |wanted: bool| {
        let indices = (0..rows.len()).filter(|index| is_chosen(index) == wanted);
        indices.map(|index| rows[index].test.clone()).collect()
    };
    Ok(TestChoice {
        chosen: names(true),
        left_out: names(false),
        not_passed,
        is_smallest: cover.is_smallest,
        units: kind,
        coverage: CoverageCount { covered: all.len(), total: counted.len() },
        chosen_ms: cover.chosen.iter().map(|index| rows[*index].ms).sum(),
        passed_ms: rows.iter().map(|row| row.ms).sum(),
    })
}
