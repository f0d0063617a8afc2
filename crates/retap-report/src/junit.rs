//! `junit.xml`: every crash a failed test case, so that any CI server can show it. A run without one
//! has a single case that passed: an empty file looks like a run that never took place. What is wrong and no crash
//! is a suite of its own, so that a server can tell them apart.

use crate::crash::FoundCrash;
use crate::finding::Found;
use crate::run::Run;
use crate::sentence::short;
use crate::step::ToldStep;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

pub fn render(run: &Run) -> Result<String, SerializeError> {
    let package = run.info.app.package.as_str();
    let mut suite = TestSuite::new(package);
    for (name, value) in [
        ("device", run.info.device.clone()),
        ("seed", run.info.seed.to_string()),
        ("world seed", run.info.world_seed.to_string()),
    ] {
        suite.add_property((name, value.as_str()));
    }
    suite.add_test_cases(run.crashes.iter().map(|crash| of_crash(package, crash)));
    if run.info.verb == "minimize" {
        suite.add_test_case(of_minimization(run));
    } else if run.crashes.is_empty() {
        suite.add_test_case(passed(package, "no crash"));
    }
    if run.history.not_responding > 0 {
        let message = format!("not responding {} times", run.history.not_responding);
        suite.add_test_case(failed(package, "not responding", "not responding", &message, ""));
    }
    let mut report = Report::new("retap");
    report.add_test_suite(suite);
    if !run.findings.is_empty() {
        let mut findings = TestSuite::new(format!("{package} findings"));
        findings.add_test_cases(run.findings.iter().map(|found| of_finding(package, found)));
        report.add_test_suite(findings);
    }
    report.to_string()
}

fn of_crash(package: &str, crash: &FoundCrash) -> TestCase {
    let name = format!("{} at {} ({})", short(&crash.exception), crash.place, crash.id);
    let details = format!("{}\n\n{}", crash.stack, told(&crash.steps));
    failed(package, &name, &crash.exception, &crash.message, &details)
}

fn of_finding(package: &str, found: &Found) -> TestCase {
    let name = format!("{} in {} ({})", found.finding.kind, found.finding.activity, found.id);
    let kind = found.finding.kind.to_string();
    failed(package, &name, &kind, &found.finding.message, &told(&found.steps))
}

/// What was minimised is shown by the answer: the oracle holds, and that is the failure.
fn of_minimization(run: &Run) -> TestCase {
    let package = &run.info.app.package;
    match &run.minimization {
        Some(found) if found.oracle.starts_with("crash") || found.oracle == "not-responding" => {
            let message = format!("{} events → {}", found.events_before, found.events_after);
            failed(package, &found.oracle, &found.oracle, &message, &told(&run.answer))
        }
        Some(found) => passed(package, &found.oracle),
        None => passed(package, "nothing found"),
    }
}

fn passed(package: &str, name: &str) -> TestCase {
    let mut case = TestCase::new(name, TestCaseStatus::success());
    case.set_classname(package);
    case
}

fn failed(package: &str, name: &str, kind: &str, message: &str, details: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(message).set_description(details);
    let mut case = TestCase::new(name, status);
    case.set_classname(package);
    case
}

fn told(steps: &[ToldStep]) -> String {
    let line = |step: &ToldStep| format!("{}. {}\n", step.number, step.sentence);
    steps.iter().map(line).collect()
}
