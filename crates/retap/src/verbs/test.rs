//! `retap test`.

mod junit;
pub(super) mod lines;
mod summary;

use crate::cli::{Clean, TestArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use crate::verbs::fresh_directory;
use lines::{render_failures, render_result, render_start, render_total};
use retap_engine::Failure;
use retap_engine::test::{
    CleanInstalls, Forward, TestDriver, TestFiles, TestJob, TestPlan, TestSettings, TestTarget,
    run_tests,
};
use retap_model::format::run::{RunError, TESTS, write_json, write_whole};
use retap_test::{TestFilter, TestResult};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use summary::TestSummary;

/// The names of the tests, as `--list --json` prints them.
#[derive(Debug, Serialize)]
struct TestList<'a> {
    verb: &'static str,
    package: &'a str,
    runner: &'a str,
    tests: &'a [retap_test::TestName],
}

pub fn run(args: &TestArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let files =
        TestFiles { app: &args.app, test: args.test.as_deref(), driver: args.driver.as_deref() };
    let target = TestTarget::open(files, args.runner.as_deref())?;
    check_directory(args)?;
    let settings = settings(args)?;
    let devices = args.device.settings();
    let mut driver = TestDriver::start(&target, &devices, console.context())?;
    for Forward { local, remote } in driver.forward(&args.forward)? {
        console
            .context()
            .remark(&format!("Port {local} of 127.0.0.1 leads to port {remote} of the phone"));
    }
    let listed = driver.list(&settings)?;
    for name in settings.filter.missing(&listed) {
        console.context().remark(&format!("--only names a test that there is not: {name}"));
    }
    let plan = TestPlan::new(listed, &settings.filter);
    if args.list {
        let list = TestList {
            verb: "test",
            package: &target.package,
            runner: &target.runner,
            tests: &plan.tests,
        };
        console.json(&list);
        let names: Vec<String> = plan.tests.iter().map(ToString::to_string).collect();
        console.result(&names.join("\n"));
        return Ok(Exit::Clean);
    }
    if plan.tests.is_empty() {
        return Err(Failure::input(match plan.left_out {
            0 => format!("{} has no tests for {}", target.runner, target.package),
            n => format!(
                "none of the {n} tests has a name that --filter and --only select; --list prints them"
            ),
        }));
    }
    let directory = create_directory(args, &target.package)?;
    let paint = console.paint();
    console.result(&render_start(&plan, &target, paint));
    let show = |result: &TestResult| console.result(&render_result(result, paint));
    let job = TestJob {
        target: &target,
        plan: &plan,
        settings: &settings,
        devices: &devices,
        run: Some(&directory),
    };
    let tested = run_tests(job, &mut driver, console.context(), &show)?;
    let summary = TestSummary::new(&target, &plan, &tested, &driver.app.units);
    write_files(&directory, &target.package, &summary, &tested.results, &driver)?;
    console.json(&summary);
    let failures = render_failures(&tested, &directory, paint);
    if !failures.is_empty() {
        console.result(&failures);
    }
    if let Some(method) = &args.covering {
        console.result(&summary.render_covering(method));
    }
    console.result(&render_total(&summary, &directory, paint));
    Ok(if tested.is_interrupted {
        Exit::Interrupted
    } else if summary.failed > 0 {
        Exit::Found
    } else {
        Exit::Clean
    })
}

fn settings(args: &TestArgs) -> Result<TestSettings, Failure> {
    let mut arguments: Vec<(String, String)> =
        args.arguments.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    arguments.extend(args.size.map(|size| ("size".to_owned(), size.name().to_owned())));
    let mut filter = TestFilter::new(&args.filter);
    if let Some(only) = &args.only {
        filter = filter.only(&fs::read_to_string(only).map_err(RunError::io(only))?);
    }
    Ok(TestSettings {
        filter,
        arguments,
        clean: match args.clean {
            Clean::Each => CleanInstalls::Each,
            Clean::Once => CleanInstalls::Once,
        },
        retries: args.retry,
        fail_fast: args.fail_fast,
        limit: args.timeout,
        world_seed: args.world_seed,
        worlds: args.worlds,
        runs: args.runs,
        jobs: args.jobs,
        looks_closer: !args.no_pictures,
    })
}

/// Refuses a directory with results, before anything is started: they are never written over.
fn check_directory(args: &TestArgs) -> Result<(), Failure> {
    let is_used = |directory: &&PathBuf| !args.list && directory.join(TESTS).exists();
    match args.output.output.as_ref().filter(is_used) {
        Some(used) => Err(Failure::input(format!(
            "{} holds a run already; nothing is overwritten: choose another directory with -o",
            used.display()
        ))),
        None => Ok(()),
    }
}

fn create_directory(args: &TestArgs, package: &str) -> Result<PathBuf, Failure> {
    let directory = args.output.output.clone().unwrap_or_else(|| fresh_directory(package));
    fs::create_dir_all(&directory).map_err(RunError::io(&directory))?;
    Ok(directory)
}

fn write_files(
    directory: &Path,
    package: &str,
    summary: &TestSummary,
    results: &[TestResult],
    driver: &TestDriver<'_>,
) -> Result<(), Failure> {
    write_whole(&directory.join("junit.xml"), junit::render(package, results)?.as_bytes())?;
    write_json(&directory.join("coverage-by-test.json"), &summary.covered_methods)?;
    write_json(&directory.join(summary::FILE), summary)?;
    driver.keep_coverage(directory, &summary.all_coverage)
}
