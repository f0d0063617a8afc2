//! Runs tests on one device: lists them, runs one from a clean install, or many in one process.

use super::forwards::{Forward, Forwards};
use super::recorded_trace::record;
use super::session::{Session, new_attempt};
use super::{TestSettings, TestTarget};
use crate::{Context, DeviceKind, DeviceSettings, Failure};
use retap_device::{Device, DeviceError};
use retap_embedded::{
    CoverageSelection, DecisionPlan, DecisionReport, EmbeddedDevice, EmbeddedOptions, Keeps,
    KeptScreen, TestContinue, TestStart, TestStep,
};
use retap_model::format::trace::{self, Header};
use retap_model::{App, Coverage, Trace, WorldSeed};
use retap_test::{TestAttempt, TestEnd, TestName};
use std::path::Path;
use std::time::{Duration, Instant};

/// The virtual time in which an instrumentation must start, and the time until it finishes after its last test.
const START_LIMIT: Duration = Duration::from_secs(120);

/// The virtual time that the phone gets to answer what arrives at a forwarded port.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);

/// The pause between two looks at the forwarded ports.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The time for which the phone's clock stands still while nobody asks anything.
const TICK: Duration = Duration::from_millis(50);

/// One device with an app and its tests.
#[derive(Debug)]
pub struct TestDriver<'a> {
    device: EmbeddedDevice,
    pub app: App,
    runner: String,
    is_driven: bool,
    forwards: Forwards,
    context: Context<'a>,
}

impl<'a> TestDriver<'a> {
    /// Starts a device with the app and its tests.
    pub fn start(
        target: &TestTarget,
        settings: &DeviceSettings,
        context: Context<'a>,
    ) -> Result<Self, Failure> {
        match settings.kind {
            DeviceKind::Embedded => {}
            DeviceKind::Fake(_) => {
                return Err(Failure::input(
                    "a fake app has no test APK; tests run on the embedded device",
                ));
            }
            DeviceKind::Adb => {
                return Err(Failure::input(
                    "tests run on the embedded device; on a phone `adb shell am instrument` runs them",
                ));
            }
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
        Ok(Self {
            device,
            app,
            runner: target.runner.clone(),
            is_driven: target.is_driven,
            forwards: Forwards::default(),
            context,
        })
    }

    /// Opens ports of the machine that lead to ports of the phone; returns them with the ports that were chosen.
    pub fn forward(&mut self, forwards: &[Forward]) -> Result<Vec<Forward>, Failure> {
        self.forwards = Forwards::open(forwards)?;
        Ok(self.forwards.ports())
    }

    /// Returns all tests, in the runner's order, without running them.
    pub fn list(&mut self, settings: &TestSettings) -> Result<Vec<TestName>, Failure> {
        let extra = [("log".to_owned(), "true".to_owned())];
        let mut start = self.start_request(settings, settings.world_seed, &extra);
        start.clean_install = true;
        let session = self.run_session(&start, settings)?;
        if session.reader.ended().is_empty() && !session.reader.is_finished() {
            let attempt = session.current;
            let reasons = match attempt.host_limitations.is_empty() {
                true => attempt.end.explanation().to_owned(),
                false => attempt.host_limitations.join("\n"),
            };
            return Err(Failure::input(format!(
                "the tests cannot be listed: the instrumentation {} {}\n{reasons}",
                self.runner,
                match &attempt.end {
                    TestEnd::Crashed(_) => "crashed when it started",
                    TestEnd::TimedOut(_) => "did not report in time",
                    _ => "ended before it finished",
                },
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
        Ok(self.run_alone(test, settings, world_seed, |_| {})?.0)
    }

    /// Runs a test that failed once more, in the same world, for the last screen before its end and for its inputs.
    pub fn look_closer(
        &mut self,
        test: &TestName,
        settings: &TestSettings,
        failed: &TestAttempt,
    ) -> Result<Option<KeptScreen>, Failure> {
        let keeps = match failed.end {
            TestEnd::Crashed(_) | TestEnd::ProcessEnded => Keeps::EveryScreen,
            _ => Keeps::LastScreen,
        };
        let change = |start: &mut TestStart| start.keeps = keeps;
        Ok(self.run_alone(test, settings, failed.world_seed, change)?.1)
    }

    /// Runs a test in a world that is joined from two.
    pub(super) fn run_joined(
        &mut self,
        test: &TestName,
        settings: &TestSettings,
        world_seed: WorldSeed,
        decisions: DecisionPlan,
    ) -> Result<(TestAttempt, DecisionReport), Failure> {
        let change = |start: &mut TestStart| start.decisions = decisions;
        let attempt = self.run_alone(test, settings, world_seed, change)?.0;
        // A device that was lost with the test has nothing to say.
        Ok((attempt, self.device.decisions().unwrap_or_default()))
    }

    /// Runs what a test did on the app alone and returns it as a trace. Returns nothing if the test did nothing.
    pub(super) fn record_trace(
        &mut self,
        kept: &KeptScreen,
        world_seed: WorldSeed,
        settings: &DeviceSettings,
    ) -> Result<Option<(Header, Trace)>, Failure> {
        let abstraction = settings.abstraction.unwrap_or_default();
        let package = self.app.identity.package.clone();
        let trace = record(&mut self.device, kept, world_seed, abstraction, &package)?;
        let description = self.device.describe();
        let header = Header {
            retap: Header::KIND.into(),
            version: trace::VERSION,
            app: self.app.identity.clone(),
            device: description.kind.clone(),
            api: description.api,
            display: description.display,
            outside: settings.outside.clone(),
            world_seed,
            abstraction,
        };
        Ok(trace.map(|trace| (header, trace)))
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
            let session = self.run_session(&start, settings)?;
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
        change: impl FnOnce(&mut TestStart),
    ) -> Result<(TestAttempt, Option<KeptScreen>), Failure> {
        let mut start =
            self.start_request(settings, world_seed, &[only(std::slice::from_ref(test))]);
        start.clean_install = true;
        change(&mut start);
        let session = match self.run_session(&start, settings) {
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
            launches: self.is_driven,
            keeps: Keeps::Nothing,
            decisions: DecisionPlan::default(),
            limit_ms: millis(START_LIMIT),
        }
    }

    /// Runs an instrumentation to its end.
    fn run_session(
        &mut self,
        start: &TestStart,
        settings: &TestSettings,
    ) -> Result<Session, Failure> {
        let mut session = Session::new(start.world_seed);
        let mut step = self.device.start_tests(start)?;
        loop {
            let had_failed = session.has_failed();
            let is_over = session.take(step);
            let fails_now = session.has_failed() && !had_failed;
            if start.keeps != Keeps::Nothing && fails_now && !session.is_lost {
                session.kept = self.device.kept_screen().ok();
            }
            if is_over {
                return Ok(session);
            }
            let limit = if session.reader.running().is_some() {
                settings.limit
            } else {
                settings.limit.max(START_LIMIT)
            };
            let left = millis(limit).saturating_sub(session.current.elapsed_ms);
            step = if self.forwards.is_empty() {
                self.device.continue_tests(&TestContinue::up_to(left))?
            } else if let Some(served) = self.serve_clients(left)? {
                served
            } else {
                session.abort(TestEnd::Stopped);
                return Ok(session);
            };
        }
    }

    /// Runs the instrumentation on when a client sends something, or time has passed: while nobody asks anything, the
    /// phone's clock goes as fast as the machine's; while somebody waits for an answer, as fast as it can. Returns
    /// nothing if the user wants to stop.
    fn serve_clients(&mut self, limit_ms: u64) -> Result<Option<TestStep>, Failure> {
        let begin = Instant::now();
        let transfers = loop {
            if self.context.is_interrupted() {
                return Ok(None);
            }
            let transfers = self.forwards.receive();
            if !transfers.is_empty() || begin.elapsed() >= TICK {
                break transfers;
            }
            std::thread::sleep(LOOK_EVERY);
        };
        let pause = if transfers.is_empty() { begin.elapsed() } else { ANSWER_LIMIT };
        let how = TestContinue { limit_ms, pause_ms: millis(pause), transfers };
        let mut step = self.device.continue_tests(&how)?;
        self.forwards.send(std::mem::take(&mut step.transfers));
        Ok(Some(step))
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
