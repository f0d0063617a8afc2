//! The results in JUnit's format, which Gradle's and CI's viewers read: a suite for each class.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};
use retap_engine::Failure;
use retap_test::{TestEnd, TestResult};
use std::collections::BTreeMap;
use std::time::Duration;

pub fn render(package: &str, results: &[TestResult]) -> Result<String, Failure> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for result in results {
        let class = result.test.class.as_str();
        let suite = suites.entry(class).or_insert_with(|| TestSuite::new(class));
        suite.add_test_case(case(result));
    }
    let mut report = Report::new(package);
    report.add_test_suites(suites.into_values());
    report.to_string().map_err(|error| Failure::input(error.to_string()))
}

fn case(result: &TestResult) -> TestCase {
    let deciding = result.deciding();
    let mut status = match deciding.map(|attempt| &attempt.end) {
        Some(TestEnd::Passed) => TestCaseStatus::success(),
        Some(TestEnd::Ignored | TestEnd::Stopped) => TestCaseStatus::skipped(),
        Some(end @ TestEnd::AssumptionFailed(reason)) => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(end.word()).set_message(first_line(reason));
            status
        }
        Some(end) => {
            let kind = match end {
                TestEnd::Failed(_) => NonSuccessKind::Failure,
                _ => NonSuccessKind::Error,
            };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(end.word()).set_message(first_line(end.explanation()));
            status.set_description(end.explanation());
            status
        }
        None => TestCaseStatus::skipped(),
    };
    let others = result.attempts.iter().filter(|one| one.end.is_failure());
    for attempt in others.filter(|one| !deciding.is_some_and(|it| std::ptr::eq(*one, it))) {
        let mut rerun = TestRerun::new(NonSuccessKind::Failure);
        rerun.set_message(first_line(attempt.end.explanation()));
        status.add_rerun(rerun);
    }
    let mut case = TestCase::new(result.test.method.as_str(), status);
    case.set_classname(result.test.class.as_str());
    case.set_time(Duration::from_millis(deciding.map_or(0, |attempt| attempt.elapsed_ms)));
    case
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
