//! The app's own tests on both versions. The old version says what each test covers, so that those which the change can
//! affect run first on the new one.

use super::UpdatePlan;
use super::changed_code::ChangedCode;
use crate::test::{
    TestDriver, TestFiles, TestJob, TestPlan, TestRun, TestSettings, TestTarget, run_tests,
};
use crate::{Context, DeviceSettings, Failure};
use retap_model::Units;
use retap_model::format::run::RunError;
use retap_model::format::run::update_summary::{TestChange, UpdateTests};
use retap_test::{TestName, TestResult};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The folders of a run's directory with what the tests left on each version.
const FOLDERS: [&str; 2] = ["tests-old", "tests-new"];

/// What to run.
#[derive(Debug, Clone, Copy)]
pub struct TestComparison<'a> {
    pub old: &'a Path,
    pub new: &'a Path,
    pub tests: &'a Path,
    pub plan: &'a UpdatePlan,
    pub settings: &'a TestSettings,
    pub devices: &'a DeviceSettings,
    /// The run's directory.
    pub run: &'a Path,
}

/// One version with the tests.
struct TestedVersion<'a> {
    apk: &'a Path,
    folder: &'a str,
    settings: &'a TestSettings,
}

/// Runs all tests on the old version and then on the new one. `take` sees each result of the new version.
pub fn compare_tests(
    input: TestComparison<'_>,
    context: Context<'_>,
    take: &(dyn Fn(&TestResult) + Sync),
) -> Result<UpdateTests, Failure> {
    let changed = ChangedCode::of(&input.plan.diff, &input.plan.openers());
    // A failure of the old version is no news, so that nobody looks at its pictures.
    let plain = TestSettings { looks_closer: false, ..input.settings.clone() };
    let version = TestedVersion { apk: input.old, folder: FOLDERS[0], settings: &plain };
    let (old_run, units) = input.run_version(&version, context, &|_| {}, |_| {})?;
    let before: BTreeMap<&TestName, (&TestResult, bool)> = old_run
        .results
        .iter()
        .map(|result| (&result.test, (result, changed.is_in(&result.coverage(), &units))))
        .collect();
    // Nothing is known of a test that did not run on the old version.
    let is_affected = |test: &TestName| before.get(test).is_none_or(|(_, affected)| *affected);
    let version = TestedVersion { apk: input.new, folder: FOLDERS[1], settings: input.settings };
    let (new_run, _) = input.run_version(&version, context, take, |tests| {
        // The sort is stable: otherwise the runner's order stays.
        tests.sort_by_key(|test| !is_affected(test));
        let first = tests.iter().filter(|test| is_affected(test)).count();
        let all = tests.len();
        context.remark(&format!("{first} of {all} tests cover changed code and run first"));
    })?;
    let tests = new_run.results.iter().map(|result| {
        let old = before.get(&result.test).map(|(old, _)| *old);
        TestChange {
            test: result.test.to_string(),
            affected: is_affected(&result.test),
            old: old.map(|old| old.word().to_owned()),
            new: result.word().to_owned(),
            broken: result.is_failure() && old.is_some_and(|old| !old.is_failure()),
        }
    });
    Ok(UpdateTests { tests: tests.collect() })
}

impl TestComparison<'_> {
    /// Runs the tests on one version, in the order that `arrange` gives them; returns the version's units too.
    fn run_version(
        &self,
        version: &TestedVersion<'_>,
        context: Context<'_>,
        take: &(dyn Fn(&TestResult) + Sync),
        arrange: impl FnOnce(&mut Vec<TestName>),
    ) -> Result<(TestRun, Arc<Units>), Failure> {
        let TestedVersion { apk, folder, settings } = version;
        let folder = self.run.join(folder);
        // What an interrupted run has left is run again.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(RunError::io(&folder))?;
        let files = TestFiles { app: apk, test: Some(self.tests), driver: None };
        let target = TestTarget::open(files, None)?;
        let mut driver = TestDriver::start(&target, self.devices, context)?;
        let mut plan = TestPlan::new(driver.list(settings)?, &settings.filter);
        arrange(&mut plan.tests);
        let job = TestJob {
            target: &target,
            plan: &plan,
            settings,
            devices: self.devices,
            run: Some(&folder),
        };
        let tested = run_tests(job, &mut driver, context, take)?;
        Ok((tested, driver.app.units))
    }
}
