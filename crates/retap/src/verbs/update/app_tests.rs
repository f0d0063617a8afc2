//! The app's own tests, before the phases.

use super::session::UpdateSession;
use crate::verbs::test::lines::render_result;
use retap_engine::test::{CleanInstalls, TestSettings};
use retap_engine::update::{TestComparison, compare_tests};
use retap_engine::{Failure, Reporter};
use retap_model::format::run::update_summary::UpdateTests;
use retap_model::format::run::{RunError, write_json};
use retap_test::{TestFilter, TestResult};
use std::fs;
use std::time::Duration;

/// The file of a run's directory with how each test ended on both versions.
const FILE: &str = "tests.json";

/// The phone's time for each test.
const LIMIT: Duration = Duration::from_secs(120);

impl UpdateSession<'_> {
    /// Runs the tests on both versions, if there are any and the run has not done so before.
    pub(super) fn run_tests(&self) -> Result<Option<UpdateTests>, Failure> {
        let (Some(tests), Some(old), Some(new)) =
            (&self.args.tests, &self.args.old, &self.args.new)
        else {
            return Ok(None);
        };
        let file = self.dir.join(FILE);
        if file.exists() {
            let text = fs::read_to_string(&file).map_err(RunError::io(&file))?;
            let ended = serde_json::from_str(&text);
            return ended
                .map(Some)
                .map_err(|error| Failure::input(format!("{}: {error}", file.display())));
        }
        let settings = TestSettings {
            filter: TestFilter::new(&[]),
            arguments: Vec::new(),
            clean: CleanInstalls::Each,
            retries: 0,
            fail_fast: false,
            limit: LIMIT,
            world_seed: self.info.world_seed,
            worlds: 1,
            runs: 1,
            jobs: 1,
            looks_closer: true,
        };
        let input = TestComparison {
            old,
            new,
            tests,
            plan: self.plan,
            settings: &settings,
            devices: &self.args.device.settings(),
            run: &self.dir,
        };
        let paint = self.console.paint();
        let show = |result: &TestResult| self.console.remark(&render_result(result, paint));
        let ended = compare_tests(input, self.console.context(), &show)?;
        if !crate::interrupt::is_set() {
            write_json(&file, &ended)?;
        }
        Ok(Some(ended))
    }
}
