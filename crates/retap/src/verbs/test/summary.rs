//! The summary of a run of tests, as `--json` prints it and the run's directory keeps it.

use retap_engine::test::{TestPlan, TestRun, TestTarget};
use retap_model::coverage::{CoverageCount, UnitKind};
use retap_model::{Coverage, Units};
use retap_test::{Flakiness, TestEnd, TestName, TestResult};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The file of the run's directory that holds the summary.
pub const FILE: &str = "result.json";

#[derive(Debug, Serialize)]
pub struct TestSummary {
    pub verb: &'static str,
    pub package: String,
    pub runner: String,
    pub tests: usize,
    pub passed: usize,
    pub failed: usize,
    /// Tests that failed in some runs and not in others; they count as failed if they failed in any world.
    pub flaky: usize,
    pub ignored: usize,
    pub skipped: usize,
    /// Tests that the user stopped.
    pub stopped: usize,
    pub not_run: usize,
    /// The number of processes that the app was started in.
    pub restarts: u64,
    pub results: Vec<ResultSummary>,
    pub coverage: BTreeMap<String, CoverageCount>,
    #[serde(skip)]
    pub all_coverage: Coverage,
    /// The methods that each test covers.
    #[serde(skip)]
    pub covered_methods: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Debug, Serialize)]
pub struct ResultSummary {
    #[serde(flatten)]
    result: TestResult,
    end: &'static str,
    covered_units: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    flakiness: Option<Flakiness>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
}

impl TestSummary {
    pub fn new(target: &TestTarget, plan: &TestPlan, tested: &TestRun, units: &Units) -> Self {
        let ended = |is: fn(&TestEnd) -> bool| {
            let is_so = |result: &&TestResult| result.deciding().is_some_and(|one| is(&one.end));
            tested.results.iter().filter(is_so).count()
        };
        let mut all_coverage = Coverage::new();
        tested.results.iter().for_each(|result| all_coverage.union_with(&result.coverage()));
        let coverage =
            units.count(&all_coverage).into_iter().map(|(kind, count)| (kind.to_string(), count));
        Self {
            verb: "test",
            package: target.package.clone(),
            runner: target.runner.clone(),
            tests: tested.results.len(),
            passed: ended(|end| matches!(end, TestEnd::Passed)),
            failed: ended(TestEnd::is_failure),
            flaky: tested.results.iter().filter(|result| result.is_flaky()).count(),
            ignored: ended(|end| matches!(end, TestEnd::Ignored)),
            skipped: ended(|end| matches!(end, TestEnd::AssumptionFailed(_))),
            stopped: ended(|end| matches!(end, TestEnd::Stopped)),
            not_run: plan.tests.len() - tested.results.len(),
            restarts: tested.restarts,
            results: tested.results.iter().map(|result| summarize(result, tested)).collect(),
            coverage: coverage.collect(),
            all_coverage,
            covered_methods: tested
                .results
                .iter()
                .map(|result| (result.test.to_string(), methods(&result.coverage(), units)))
                .collect(),
        }
    }

    /// Names the tests that cover methods whose name contains this.
    pub fn render_covering(&self, method: &str) -> String {
        let covers =
            |methods: &BTreeSet<String>| methods.iter().any(|covered| covered.contains(method));
        let tests: Vec<&str> = self
            .covered_methods
            .iter()
            .filter(|(_, methods)| covers(methods))
            .map(|(test, _)| test.as_str())
            .collect();
        match tests.is_empty() {
            true => format!("\nNo test covers {method}"),
            false => {
                let cover = if tests.len() == 1 { "test covers" } else { "tests cover" };
                format!("\n{} {cover} {method}:\n  {}", tests.len(), tests.join("\n  "))
            }
        }
    }
}

fn summarize(result: &TestResult, tested: &TestRun) -> ResultSummary {
    let name: &TestName = &result.test;
    ResultSummary {
        end: result.deciding().map_or("NOT RUN", |attempt| attempt.end.word()),
        covered_units: result.coverage().len(),
        flakiness: (result.attempts.len() > 1).then(|| result.flakiness()),
        evidence: tested.evidence.get(name).map(|folder| folder.display().to_string()),
        result: result.clone(),
    }
}

fn methods(coverage: &Coverage, units: &Units) -> BTreeSet<String> {
    let is_method = |id| units.get(id).filter(|unit| unit.kind == UnitKind::Method);
    coverage.iter().filter_map(is_method).map(|unit| unit.name.clone()).collect()
}
