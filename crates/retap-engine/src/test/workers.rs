//! Runs a plan on several devices at once. The plan alone decides what runs; devices only decide when.

use super::parting::{TwoWorlds, find_parting};
use super::{CleanInstalls, TestDriver, TestEvidence, TestPlan, TestSettings, TestTarget};
use crate::{Context, DeviceSettings, Failure};
use retap_model::format::run::{TestRecorder, TestRow};
use retap_test::{Parting, TestAttempt, TestEnd, TestName, TestResult};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The results of a plan.
#[derive(Debug, Default)]
pub struct TestRun {
    /// In the order of the plan. Tests that did not run are missing.
    pub results: Vec<TestResult>,
    /// The folder of each failure's evidence.
    pub evidence: BTreeMap<TestName, PathBuf>,
    /// The number of processes that the app was started in.
    pub restarts: u64,
    pub is_interrupted: bool,
}

/// What all workers share.
struct Shared<'a> {
    plan: &'a TestPlan,
    settings: &'a TestSettings,
    context: Context<'a>,
    devices: &'a DeviceSettings,
    run: Option<&'a Path>,
    next: AtomicUsize,
    stops: AtomicBool,
    recorder: Option<Mutex<TestRecorder>>,
    done: Mutex<Done>,
    take: &'a (dyn Fn(&TestResult) + Sync),
}

#[derive(Default)]
struct Done {
    results: BTreeMap<usize, TestResult>,
    evidence: BTreeMap<TestName, PathBuf>,
    restarts: u64,
}

/// What to run and where.
#[derive(Debug, Clone, Copy)]
pub struct TestJob<'a> {
    pub target: &'a TestTarget,
    pub plan: &'a TestPlan,
    pub settings: &'a TestSettings,
    pub devices: &'a DeviceSettings,
    /// The folder for the evidence of failures.
    pub run: Option<&'a Path>,
}

/// Runs all tests of a plan. `take` sees each result as it comes, from any thread.
pub fn run_tests(
    job: TestJob<'_>,
    first: &mut TestDriver<'_>,
    context: Context<'_>,
    take: &(dyn Fn(&TestResult) + Sync),
) -> Result<TestRun, Failure> {
    let TestJob { target, plan, settings, devices, run } = job;
    let shared = Shared {
        plan,
        settings,
        context,
        devices,
        run,
        next: AtomicUsize::new(0),
        stops: AtomicBool::new(false),
        recorder: run
            .map(|run| TestRecorder::create(run, &first.app.units))
            .transpose()?
            .map(Mutex::new),
        done: Mutex::new(Done::default()),
        take,
    };
    match settings.clean {
        CleanInstalls::Once => shared.run_in_one_process(first)?,
        CleanInstalls::Each => {
            let others = usize::from(settings.jobs).min(plan.tests.len()).saturating_sub(1);
            std::thread::scope(|scope| -> Result<(), Failure> {
                let workers: Vec<_> = (0..others)
                    .map(|_| {
                        scope.spawn(|| {
                            let mut driver = TestDriver::start(target, devices, context)?;
                            shared.work(&mut driver)
                        })
                    })
                    .collect();
                let own = shared.work(first);
                if own.is_err() {
                    shared.stops.store(true, Ordering::Relaxed);
                }
                let mut all = vec![own];
                for worker in workers {
                    all.push(
                        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                    );
                }
                all.into_iter().collect()
            })?;
        }
    }
    let is_interrupted = context.is_interrupted();
    let done = shared.done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(TestRun {
        results: done.results.into_values().collect(),
        evidence: done.evidence,
        restarts: done.restarts,
        is_interrupted,
    })
}

impl Shared<'_> {
    /// Takes one test after the other until none is left.
    fn work(&self, driver: &mut TestDriver<'_>) -> Result<(), Failure> {
        while !self.stops.load(Ordering::Relaxed) && !self.context.is_interrupted() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = self.plan.tests.get(number) else { return Ok(()) };
            let result = self.run_test(driver, test)?;
            self.finish(driver, number, result)?;
        }
        Ok(())
    }

    /// Runs a test in all its worlds, or until a try passes.
    fn run_test(
        &self,
        driver: &mut TestDriver<'_>,
        test: &TestName,
    ) -> Result<TestResult, Failure> {
        let mut attempts: Vec<TestAttempt> = Vec::new();
        let is_of_worlds = self.settings.is_of_worlds();
        // The same world would give the same result again, so each try has another one.
        let retries = if is_of_worlds { 0 } else { u64::from(self.settings.retries) };
        let first_retry = self.settings.world_seed.wrapping_add(u64::from(self.settings.worlds));
        let again = (0..retries).map(|n| first_retry.wrapping_add(n));
        for seed in self.settings.seeds().chain(again) {
            if self.context.is_interrupted() && !attempts.is_empty() {
                break;
            }
            let attempt = driver.run_one(test, self.settings, seed)?;
            self.count_restart();
            let is_over = !attempt.end.is_failure() || attempt.end == TestEnd::Stopped;
            attempts.push(attempt);
            if is_over && !is_of_worlds {
                break;
            }
        }
        Ok(TestResult { test: test.clone(), attempts, is_of_worlds, parting: None })
    }

    fn run_in_one_process(&self, driver: &mut TestDriver<'_>) -> Result<(), Failure> {
        let mut ended: Vec<(usize, TestResult)> = Vec::new();
        for seed in self.settings.seeds() {
            let mut take = |test: TestName, attempt: TestAttempt| {
                self.take_in_process(&mut ended, test, attempt);
                let last = ended.last().map(|(_, result)| result);
                let failed = last.is_some_and(TestResult::is_failure);
                !(self.settings.fail_fast && failed || self.context.is_interrupted())
            };
            driver.run_together(&self.plan.tests, self.settings, seed, &mut take)?;
            self.count_restart();
        }
        for (number, result) in ended {
            self.finish(driver, number, result)?;
        }
        Ok(())
    }

    fn take_in_process(
        &self,
        ended: &mut Vec<(usize, TestResult)>,
        test: TestName,
        attempt: TestAttempt,
    ) {
        if let Some((_, result)) = ended.iter_mut().find(|(_, result)| result.test == test) {
            result.attempts.push(attempt);
        } else if let Some(number) = self.plan.tests.iter().position(|one| *one == test) {
            let is_of_worlds = self.settings.is_of_worlds();
            let attempts = vec![attempt];
            ended.push((number, TestResult { test, attempts, is_of_worlds, parting: None }));
        }
    }

    fn finish(
        &self,
        driver: &mut TestDriver<'_>,
        number: usize,
        mut result: TestResult,
    ) -> Result<(), Failure> {
        result.parting = self.explain(driver, &result)?;
        let evidence = self.keep_evidence(driver, &result)?;
        self.record(&result)?;
        (self.take)(&result);
        if result.is_failure() && self.settings.fail_fast {
            self.stops.store(true, Ordering::Relaxed);
        }
        let mut done = self.lock();
        done.evidence.extend(evidence.map(|folder| (result.test.clone(), folder)));
        done.results.insert(number, result);
        Ok(())
    }

    /// Writes the test's line, with what it covered.
    fn record(&self, result: &TestResult) -> Result<(), Failure> {
        let (Some(recorder), Some(deciding)) = (&self.recorder, result.deciding()) else {
            return Ok(());
        };
        let row = TestRow {
            test: result.test.to_string(),
            end: result.word().to_owned(),
            ms: deciding.elapsed_ms,
            coverage: None,
        };
        let mut recorder = recorder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(recorder.add(row, &result.coverage())?)
    }

    fn keep_evidence(
        &self,
        driver: &mut TestDriver<'_>,
        result: &TestResult,
    ) -> Result<Option<PathBuf>, Failure> {
        let is_kept = |end: &TestEnd| end.is_failure() || *end == TestEnd::Stopped;
        let ended = result.deciding().filter(|attempt| is_kept(&attempt.end));
        let (Some(run), Some(attempt)) = (self.run, ended) else { return Ok(None) };
        let mut evidence = TestEvidence { test: &result.test, attempt, kept: None, trace: None };
        if self.settings.looks_closer && attempt.end.can_be_repeated() {
            evidence.kept = driver.look_closer(&result.test, self.settings, attempt)?;
            self.count_restart();
        }
        if let Some(kept) = &evidence.kept {
            evidence.trace = driver.record_trace(kept, attempt.world_seed, self.devices)?;
            self.count_restart();
        }
        evidence.write(run).map(Some)
    }

    /// Finds out why a flaky test passes in one world and fails in another.
    fn explain(
        &self,
        driver: &mut TestDriver<'_>,
        result: &TestResult,
    ) -> Result<Option<Parting>, Failure> {
        let flakiness = result.flakiness();
        let (Some(failing), Some(passing)) = (flakiness.failing_seed, flakiness.passing_seed)
        else {
            return Ok(None);
        };
        if self.settings.clean == CleanInstalls::Once || self.context.is_interrupted() {
            return Ok(None);
        }
        let worlds = TwoWorlds { passing, failing };
        find_parting(driver, &result.test, self.settings, worlds, || self.count_restart())
    }

    fn count_restart(&self) {
        self.lock().restarts += 1;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
