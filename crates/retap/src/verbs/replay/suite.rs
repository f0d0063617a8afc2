//! `retap replay SUITE`: replays every trace of a suite folder and reports to build servers. A trace passes if it follows
//! its recording, including a recorded crash: a suite is green as long as the app behaves as before.

use super::runs;
use super::{LabRequest, open_lab};
use crate::cli::ReplayArgs;
use crate::console::Console;
use crate::exit::Exit;
use quick_junit::{
    NonSuccessKind, Report as JUnit, TestCase, TestCaseStatus, TestRerun, TestSuite,
};
use retap_device::replay::compare;
use retap_device::{Execution, Job};
use retap_engine::connection::{NamedTrace, connect_for_trace};
use retap_engine::suite_folder::{self, SuiteTrace};
use retap_engine::{Failure, Reporter, same_app};
use retap_model::format::run::write_whole;
use retap_model::{Cost, Rate};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The result of a suite, as `--json` prints it.
#[derive(Debug, Serialize)]
struct SuiteSummary {
    verb: &'static str,
    suite: String,
    passed: usize,
    /// The number of traces that passed in some runs and not in others.
    flaky: usize,
    failed: usize,
    /// The number of traces that Ctrl-C left without all their runs.
    unfinished: usize,
    traces: Vec<TraceSummary>,
    cost: Cost,
}

#[derive(Debug, Serialize)]
struct TraceSummary {
    name: String,
    events: usize,
    rate: Rate,
    /// One sentence for each run that diverged.
    divergences: Vec<String>,
}

pub fn run(args: &ReplayArgs, console: &Console) -> Result<Exit, Failure> {
    let folder = Path::new(&args.trace);
    let members = suite_folder::read(folder)?;
    let Some(first) = members.first() else {
        return Err(Failure::input(format!("{} lists no trace", folder.display())));
    };
    let (header, file) = (first.header.clone(), first.file.display().to_string());
    let settings = args.device.settings().as_recorded(&header);
    let named = NamedTrace { name: &file, header: &header };
    let apk = args.app.apk.as_deref();
    let connection = connect_for_trace(&settings, apk, named, console.context())?;
    let wanted = LabRequest::new("replay", &settings, args.jobs, &args.fleet);
    let mut lab = open_lab(&connection, wanted, console)?;
    let app = lab.rig().app()?.clone();
    for member in &members {
        same_app::check(&member.header, &app, args.force, console.context())?;
    }
    let jobs: Vec<Job> = members.iter().flat_map(|member| jobs(member, args)).collect();
    let executions = runs::run_all(&mut lab, &jobs, console)?;
    lab.take_remarks().iter().for_each(|remark| console.remark(remark));

    let package = &app.identity.package;
    let runs = args.runs as usize;
    let traces: Vec<TraceSummary> = members
        .iter()
        .zip(executions.chunks_exact(runs))
        .map(|(member, executions)| summarize(member, executions, package))
        .collect();
    let failed = traces.iter().filter(|one| one.rate.successes == 0).count();
    let passed = traces.iter().filter(|one| one.divergences.is_empty()).count();
    let report = SuiteSummary {
        verb: "replay",
        suite: args.trace.clone(),
        passed,
        flaky: traces.len() - passed - failed,
        failed,
        unfinished: members.len() - traces.len(),
        traces,
        cost: lab.cost(),
    };
    if let Some(file) = &args.junit {
        write_junit(file, &report, package)?;
    }
    console.json(&report);
    console.result(&render(&report));
    Ok(match report {
        SuiteSummary { unfinished: 1.., .. } => Exit::Interrupted,
        SuiteSummary { flaky: 0, failed: 0, .. } => Exit::Clean,
        _ => Exit::Found,
    })
}

fn summarize(member: &SuiteTrace, executions: &[Execution], package: &str) -> TraceSummary {
    let mut rate = Rate::default();
    let mut divergences = Vec::new();
    for execution in executions {
        let divergence = compare(&member.trace, execution, member.header.abstraction, package);
        rate.add(divergence.is_none());
        divergences.extend(divergence.map(|divergence| divergence.to_string()));
    }
    let events = member.trace.steps.len();
    TraceSummary { name: member.name.clone(), events, rate, divergences }
}

fn jobs(member: &SuiteTrace, args: &ReplayArgs) -> Vec<Job> {
    let job = |run: u32| Job {
        world_seed: member.trace.world_seed.wrapping_add(if args.vary_world {
            run.into()
        } else {
            0
        }),
        events: member.trace.events().cloned().collect(),
    };
    (0..args.runs).map(job).collect()
}

fn write_junit(file: &Path, report: &SuiteSummary, package: &str) -> Result<(), Failure> {
    let mut suite = TestSuite::new(report.suite.as_str());
    for one in &report.traces {
        let reruns = |skip: usize| {
            one.divergences.iter().skip(skip).map(|divergence| {
                let mut rerun = TestRerun::new(NonSuccessKind::Failure);
                rerun.set_message(divergence.as_str());
                rerun
            })
        };
        let status = if one.rate.successes > 0 {
            let mut status = TestCaseStatus::success();
            status.add_reruns(reruns(0));
            status
        } else {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            if let Some(divergence) = one.divergences.first() {
                status.set_message(divergence.as_str());
            }
            status.add_reruns(reruns(1));
            status
        };
        let mut case = TestCase::new(one.name.as_str(), status);
        case.set_classname(package);
        suite.add_test_case(case);
    }
    let mut junit = JUnit::new("retap");
    junit.add_test_suite(suite);
    let text = junit.to_string().map_err(|error| Failure::input(error.to_string()))?;
    Ok(write_whole(file, text.as_bytes())?)
}

fn render(report: &SuiteSummary) -> String {
    let mut text = String::new();
    let SuiteSummary { passed, flaky, failed, unfinished, .. } = report;
    for one in report.traces.iter().filter(|one| !one.divergences.is_empty()) {
        let _ = writeln!(text, "  {}: faithful in {}", one.name, one.rate);
        let _ = writeln!(text, "    {}", one.divergences[0]);
    }
    let events: usize = report.traces.iter().map(|one| one.events).sum();
    let traces = report.traces.len();
    let _ = writeln!(
        text,
        "{traces} traces of {events} events: {passed} passed, {flaky} flaky, {failed} failed"
    );
    if *unfinished > 0 {
        let _ =
            writeln!(text, "Interrupted: {unfinished} further traces did not get all their runs");
    }
    text
}
