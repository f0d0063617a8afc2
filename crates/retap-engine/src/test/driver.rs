//! Runs tests on one device: lists them, runs one from a clean install, or many in one process.

use super::{TestSettings, TestTarget};
use crate::{Context, DeviceSettings, Failure};
use retap_device::{Device, DeviceError};
use retap_embedded::{
    CoverageSelection, EmbeddedDevice, EmbeddedOptions, KeptScreen, TestReport, TestReportKind,
    TestStart, TestStep,
};
use retap_model::{App, Coverage, Outcome, WorldSeed};
use retap_test::{InstrumentationStatus, ReportReader, TestAttempt, TestEnd, TestName};
use std::path::Path;
use std::time::Duration;

/// The virtual time in which an instrumentation must start, and the time until it finishes after its last test.
const START_LIMIT: Duration = Duration::from_secs(120);

/// One device with an app and its tests.
#[derive(Debug)]
pub struct TestDriver {
    device: EmbeddedDevice,
    pub app: App,
    runner: String,
}

/// One run of an instrumentation.
struct Session {
    reader: ReportReader,
    attempts: Vec<(TestName, TestAttempt)>,
    current: TestAttempt,
    kept: Option<KeptScreen>,
}

impl TestDriver {
    /// Starts a device with the app and its tests.
    pub fn start(
        target: &TestTarget,
        settings: &DeviceSettings,
        context: Context<'_>,
    ) -> Result<Self, Failure> {
        if settings.is_fake() {
            return Err(Failure::input(
                "a fake app has no test APK; tests run on the embedded device",
            ));
        }
        let options = EmbeddedOptions {
            api: settings.api,
            display: settings.display.unwrap_or_default(),
            outside: settings.outside.clone(),
            selection: CoverageSelection {
                include: settings.include.clone(),
                exclude: settings.exclude.clone(),
            },
            tests: Some(target.tests.clone()),
            ..EmbeddedOptions::default()
        };
        let listener = context.reporter.device_listener();
        let mut device = EmbeddedDevice::on_this_machine(options, listener)?;
        let app = device.install(&target.app)?;
        Ok(Self { device, app, runner: target.runner.clone() })
    }

    /// Returns all tests, in the runner's order, without running them.
    pub fn list(&mut self, settings: &TestSettings) -> Result<Vec<TestName>, Failure> {
        let extra = [("log".to_owned(), "true".to_owned())];
        let mut start = self.start_request(settings, settings.world_seed, &extra);
        start.clean_install = true;
        let session = self.run_session(&start, settings, false)?;
        if session.reader.ended().is_empty() && !session.reader.is_finished() {
            let attempt = session.current;
            return Err(Failure::input(format!(
                "the tests cannot be listed: the instrumentation {} {}\n{}",
                self.runner,
                match &attempt.end {
                    TestEnd::Crashed(_) => "crashed when it started",
                    TestEnd::TimedOut(_) => "did not report in time",
                    _ => "ended before it finished",
                },
                attempt.end.explanation()
            )));
        }
        Ok(session.reader.ended().iter().map(|(name, _)| name.clone()).collect())
    }

    /// Runs one test in a process of its own, from a clean install.
    pub fn run_one(
        &mut self,
        test: &TestName,
        settings: &TestSettings,
        world_seed: WorldSeed,
    ) -> Result<TestAttempt, Failure> {
        Ok(self.run_alone(test, settings, world_seed, false)?.0)
    }

    /// Runs a test that failed once more, in the same world, for the last screen before its end.
    pub fn picture(
        &mut self,
        test: &TestName,
        settings: &TestSettings,
        world_seed: WorldSeed,
    ) -> Result<Option<KeptScreen>, Failure> {
        Ok(self.run_alone(test, settings, world_seed, true)?.1)
    }

    /// Runs tests one after the other in one process, and in another one after a test that ended it. Hands each result
    /// on as it comes; `go_on` says whether to run the rest.
    pub fn run_together(
        &mut self,
        tests: &[TestName],
        settings: &TestSettings,
        world_seed: WorldSeed,
        take: &mut dyn FnMut(TestName, TestAttempt) -> bool,
    ) -> Result<(), Failure> {
        let mut left: Vec<TestName> = tests.to_vec();
        let mut is_first = true;
        while !left.is_empty() {
            let mut start = self.start_request(settings, world_seed, &[only(&left)]);
            start.clean_install = is_first;
            is_first = false;
            let session = self.run_session(&start, settings, false)?;
            let before = left.len();
            for (name, attempt) in session.attempts {
                if let Some(at) = left.iter().position(|test| *test == name) {
                    left.remove(at);
                    if !take(name, attempt) {
                        return Ok(());
                    }
                }
            }
            if session.reader.is_finished() || left.len() == before {
                // The runner is done and says nothing of the rest.
                let words = session.reader.last_words();
                for test in left.drain(..) {
                    let end = match &session.current.end {
                        TestEnd::Passed => TestEnd::NotRun(words.clone()),
                        end => end.clone(),
                    };
                    let attempt = TestAttempt { end, ..new_attempt(world_seed) };
                    if !take(test, attempt) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the files of a run that JaCoCo's tools read.
    pub fn keep_coverage(&self, run: &Path, covered: &Coverage) -> Result<(), Failure> {
        Ok(self.device.keep_coverage(run, covered)?)
    }

    fn run_alone(
        &mut self,
        test: &TestName,
        settings: &TestSettings,
        world_seed: WorldSeed,
        keeps_screens: bool,
    ) -> Result<(TestAttempt, Option<KeptScreen>), Failure> {
        let mut start =
            self.start_request(settings, world_seed, &[only(std::slice::from_ref(test))]);
        start.clean_install = true;
        start.keeps_screens = keeps_screens;
        let session = match self.run_session(&start, settings, keeps_screens) {
            // The test has ended the device itself: it is the test's end, and the next one gets a new device.
            Err(Failure::Device(DeviceError::Lost(loss))) => {
                let end = TestEnd::Crashed(format!("the device was lost: {loss}"));
                return Ok((TestAttempt { end, ..new_attempt(world_seed) }, None));
            }
            session => session?,
        };
        let words = session.reader.last_words();
        let mut all = session.attempts;
        let kept = session.kept;
        let found = all.iter().position(|(name, _)| name == test);
        // A failure of the class, such as in its set-up, is reported under another name.
        let found = found.or_else(|| all.iter().position(|(_, one)| one.end.is_failure()));
        let attempt = match found {
            Some(at) => all.swap_remove(at).1,
            None if session.current.end == TestEnd::Passed => {
                let end = TestEnd::NotRun(words);
                TestAttempt { end, ..session.current }
            }
            None => session.current,
        };
        Ok((attempt, kept))
    }

    fn start_request(
        &self,
        settings: &TestSettings,
        world_seed: WorldSeed,
        extra: &[(String, String)],
    ) -> TestStart {
        let mut arguments = settings.arguments.clone();
        arguments.extend_from_slice(extra);
        TestStart {
            world_seed,
            runner: self.runner.clone(),
            arguments,
            clean_install: false,
            keeps_screens: false,
            limit_ms: millis(START_LIMIT),
        }
    }

    /// Runs an instrumentation to its end.
    fn run_session(
        &mut self,
        start: &TestStart,
        settings: &TestSettings,
        keeps_screens: bool,
    ) -> Result<Session, Failure> {
        let mut session = Session::new(start.world_seed);
        let mut step = self.device.start_tests(start)?;
        loop {
            let had_failed = session.has_failed();
            let is_over = session.take(step);
            let fails_now = session.has_failed() && !had_failed;
            if keeps_screens && fails_now && !session.is_lost() {
                session.kept = self.device.kept_screen().ok().filter(|kept| !kept.png.is_empty());
            }
            if is_over {
                return Ok(session);
            }
            let limit = if session.reader.running().is_some() {
                settings.limit
            } else {
                settings.limit.max(START_LIMIT)
            };
            step = self.device.continue_tests(millis(limit))?;
        }
    }
}

impl Session {
    fn new(world_seed: WorldSeed) -> Self {
        Self {
            reader: ReportReader::default(),
            attempts: Vec::new(),
            current: new_attempt(world_seed),
            kept: None,
        }
    }

    fn has_failed(&self) -> bool {
        self.current.end.is_failure()
            || self.attempts.iter().any(|(_, attempt)| attempt.end.is_failure())
    }

    /// Returns true if the device itself does not answer any more.
    fn is_lost(&self) -> bool {
        matches!(self.current.end, TestEnd::TimedOut(_))
    }

    /// Takes what happened up to a report; returns true if it was the last.
    fn take(&mut self, step: TestStep) -> bool {
        self.current.elapsed_ms += step.elapsed_ms;
        self.current.coverage.union_with(&step.coverage);
        self.current.host_limitations.extend(step.host_limitations);
        self.current.log.extend(step.log);
        let mut is_over = false;
        for report in step.reports {
            is_over |= self.take_report(report);
        }
        let end = match step.outcome {
            Outcome::Crashed(crash) => Some(TestEnd::Crashed(crash.stack.clone())),
            Outcome::NotResponding { stack } => Some(TestEnd::TimedOut(stack)),
            Outcome::Exited => Some(TestEnd::ProcessEnded),
            _ => None,
        };
        // A runner that has finished ends its process.
        if let Some(end) = end.filter(|_| !is_over) {
            self.abort(end);
            is_over = true;
        }
        is_over
    }

    fn take_report(&mut self, report: TestReport) -> bool {
        let values = report.values.into_iter().collect();
        match report.kind {
            TestReportKind::Status => {
                let status = InstrumentationStatus { code: report.code, values };
                if let Some((name, end)) = self.reader.status(&status).cloned() {
                    self.close(name, end);
                }
                false
            }
            TestReportKind::Result => {
                self.reader.finish(values);
                true
            }
            TestReportKind::Late => {
                let stacks = values.get("stacks").cloned().unwrap_or_default();
                self.abort(TestEnd::TimedOut(stacks));
                true
            }
        }
    }

    fn abort(&mut self, end: TestEnd) {
        self.reader.abort(end.clone());
        self.current.end = end.clone();
        if let Some((name, last)) = self.reader.ended().last().cloned()
            && last == end
        {
            self.close(name, end);
        }
    }

    /// Ends a test; what comes now belongs to the next one.
    fn close(&mut self, name: TestName, end: TestEnd) {
        let next = TestAttempt {
            end: if end.ends_process() { end.clone() } else { TestEnd::Passed },
            ..new_attempt(self.current.world_seed)
        };
        let mut attempt = std::mem::replace(&mut self.current, next);
        attempt.end = end;
        self.attempts.push((name, attempt));
    }
}

fn new_attempt(world_seed: WorldSeed) -> TestAttempt {
    TestAttempt {
        world_seed,
        end: TestEnd::Passed,
        elapsed_ms: 0,
        coverage: Coverage::new(),
        host_limitations: Vec::new(),
        log: Vec::new(),
    }
}

/// Returns the runner's argument that selects these tests.
fn only(tests: &[TestName]) -> (String, String) {
    let selectors: Vec<String> = tests.iter().map(TestName::selector).collect();
    ("class".to_owned(), selectors.join(","))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
