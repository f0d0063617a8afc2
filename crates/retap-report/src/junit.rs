//! `junit.xml` for CI servers: every crash is a failed test case.
//!
//! A run without crashes has one test case that passed, because an empty file looks like a run that never took place.
//! A crash that its steps do not cause in every run fails too, with a flaky failure beside it. Steps are what a test case
//! printed. Findings are in a test suite of their own, so that a server can tell them from crashes.

use crate::run::{ReportedCrash, ReportedFinding, RunData, number_lines};
use crate::text::simple_class_name;
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestRerun,
    TestSuite,
};
use retap_model::format::run::update_summary::UpdateResult;

/// Renders the file.
pub fn render(run: &RunData) -> Result<String, SerializeError> {
    let package = run.info.app.package.as_str();
    let mut report = Report::new("retap");
    report.add_test_suite(crash_suite(run, package));
    let foreign: Vec<_> = run.crashes.iter().filter(|crash| !crash.has_own_code).collect();
    if !foreign.is_empty() {
        let mut suite = TestSuite::new(format!("{package} without code of the app"));
        suite.add_test_cases(foreign.into_iter().map(|crash| crash_case(package, crash)));
        report.add_test_suite(suite);
    }
    if !run.findings.is_empty() {
        let mut findings = TestSuite::new(format!("{package} findings"));
        findings.add_test_cases(run.findings.iter().map(|finding| finding_case(package, finding)));
        report.add_test_suite(findings);
    }
    if let Some(update) = &run.update {
        report.add_test_suite(update_suite(package, update));
    }
    report.to_string()
}

/// Every difference between two versions that nothing explains is a failed test case.
fn update_suite(package: &str, update: &UpdateResult) -> TestSuite {
    let mut suite = TestSuite::new(format!("{package} update"));
    let unexplained = update.differences.iter().filter(|difference| difference.unexplained);
    suite.add_test_cases(unexplained.map(|difference| {
        let steps = difference.steps.iter().zip(1..);
        let details: String = steps.map(|(step, number)| format!("{number}. {step}\n")).collect();
        let failure =
            Failure { kind: &difference.kind, message: &difference.what, details: &details };
        failed_case(package, &format!("{} ({})", difference.what, difference.trace), &failure)
    }));
    if suite.test_cases.is_empty() {
        suite.add_test_case(passed_case(
            package,
            "nothing differs that the update does not explain",
        ));
    }
    suite
}

fn crash_suite(run: &RunData, package: &str) -> TestSuite {
    let mut suite = TestSuite::new(package);
    for (name, value) in [
        ("device", run.info.device.clone()),
        ("seed", run.info.seed.to_string()),
        ("world seed", run.info.world_seed.to_string()),
    ] {
        suite.add_property((name, value.as_str()));
    }
    let own = run.crashes.iter().filter(|crash| crash.has_own_code);
    suite.add_test_cases(own.map(|crash| crash_case(package, crash)));
    if run.is_minimization() {
        suite.add_test_case(minimization_case(run));
    } else if run.crashes.is_empty() {
        suite.add_test_case(passed_case(package, "no crash"));
    }
    if run.history.not_responding > 0 {
        let message = format!("The app did not respond {} times", run.history.not_responding);
        let failure = Failure { kind: "not responding", message: &message, details: "" };
        suite.add_test_case(failed_case(package, "not responding", &failure));
    }
    suite
}

fn crash_case(package: &str, crash: &ReportedCrash) -> TestCase {
    let exception = simple_class_name(&crash.exception);
    let name = format!("{exception} at {} ({})", crash.frame, crash.id);
    let doubts: String = crash.doubts.iter().map(|doubt| format!("Doubt: {doubt}\n")).collect();
    let steps = number_lines(&crash.steps);
    let confidence = crash.confidence();
    let details = format!("{}\n\nConfidence: {confidence}\n{doubts}\n{steps}", crash.stack);
    let failure = Failure { kind: &crash.exception, message: &crash.message, details: &details };
    let mut case = failed_case(package, &name, &failure);
    case.set_system_out(steps);
    if let Some(rate) = crash.success.filter(|rate| rate.successes < rate.runs) {
        let mut rerun = TestRerun::new(NonSuccessKind::Failure);
        rerun.set_type(crash.exception.as_str());
        rerun
            .set_message(format!("its steps cause it in {} of {} runs", rate.successes, rate.runs));
        rerun.set_stack_trace(crash.stack.as_str());
        case.status.add_rerun(rerun).set_rerun_kind(FlakyOrRerun::Flaky);
    }
    case
}

fn finding_case(
    package: &str,
    ReportedFinding { id, finding, steps, .. }: &ReportedFinding,
) -> TestCase {
    let name = format!("{} in {} ({id})", finding.kind, finding.activity);
    let kind = finding.kind.to_string();
    let details = number_lines(steps);
    let failure = Failure { kind: &kind, message: &finding.message, details: &details };
    let mut case = failed_case(package, &name, &failure);
    case.set_system_out(details);
    case
}

/// The minimised trace satisfies its oracle. If the oracle is a crash or a hang, that is the failure.
fn minimization_case(run: &RunData) -> TestCase {
    let package = &run.info.app.package;
    match &run.minimization {
        Some(summary)
            if summary.oracle.starts_with("crash") || summary.oracle == "not-responding" =>
        {
            let message =
                format!("{} events minimised to {}", summary.events_before, summary.events_after);
            let details = number_lines(&run.minimized_steps);
            let failure = Failure { kind: &summary.oracle, message: &message, details: &details };
            failed_case(package, &summary.oracle, &failure)
        }
        Some(summary) => passed_case(package, &summary.oracle),
        None => passed_case(package, "no result"),
    }
}

fn passed_case(package: &str, name: &str) -> TestCase {
    let mut case = TestCase::new(name, TestCaseStatus::success());
    case.set_classname(package);
    case
}

struct Failure<'a> {
    kind: &'a str,
    message: &'a str,
    details: &'a str,
}

fn failed_case(package: &str, name: &str, failure: &Failure<'_>) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(failure.kind).set_message(failure.message).set_description(failure.details);
    let mut case = TestCase::new(name, status);
    case.set_classname(package);
    case
}
