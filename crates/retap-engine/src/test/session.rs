//! One run of an instrumentation: turns the phone's answers into attempts of tests.

use retap_embedded::{KeptScreen, TestReport, TestReportKind, TestStep};
use retap_model::{Coverage, Outcome, WorldSeed};
use retap_test::{InstrumentationStatus, ReportReader, TestAttempt, TestEnd, TestName};

/// One run of an instrumentation.
pub struct Session {
    pub reader: ReportReader,
    pub attempts: Vec<(TestName, TestAttempt)>,
    pub current: TestAttempt,
    pub kept: Option<KeptScreen>,
    /// Whether the device itself does not answer any more.
    pub is_lost: bool,
}

impl Session {
    pub fn new(world_seed: WorldSeed) -> Self {
        Self {
            reader: ReportReader::default(),
            attempts: Vec::new(),
            current: new_attempt(world_seed),
            kept: None,
            is_lost: false,
        }
    }

    pub fn has_failed(&self) -> bool {
        self.current.end.is_failure()
            || self.attempts.iter().any(|(_, attempt)| attempt.end.is_failure())
    }

    /// Takes what happened up to a report; returns true if it was the last.
    pub fn take(&mut self, step: TestStep) -> bool {
        self.current.elapsed_ms += step.elapsed_ms;
        self.current.coverage.union_with(&step.coverage);
        self.current.host_limitations.extend(step.host_limitations);
        self.current.log.extend(step.log);
        self.is_lost = matches!(step.outcome, Outcome::NotResponding { .. });
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

    pub fn abort(&mut self, end: TestEnd) {
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

pub fn new_attempt(world_seed: WorldSeed) -> TestAttempt {
    TestAttempt {
        world_seed,
        end: TestEnd::Passed,
        elapsed_ms: 0,
        coverage: Coverage::new(),
        host_limitations: Vec::new(),
        log: Vec::new(),
    }
}
