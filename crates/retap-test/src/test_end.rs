//! How a test ended.

use serde::Serialize;

/// How one run of a test ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "end", content = "stack")]
pub enum TestEnd {
    Passed,
    /// An assertion or another exception, with its stack.
    Failed(String),
    /// The test is marked to be skipped.
    Ignored,
    /// The test found that it does not apply here.
    AssumptionFailed(String),
    /// An exception that nobody caught ended the process.
    Crashed(String),
    /// The test did not end in time, or never can; with the stacks of its threads.
    TimedOut(String),
    /// The process ended: the test, or the app, called `exit` or killed it.
    ProcessEnded,
    /// The user stopped it.
    Stopped,
    /// The instrumentation finished without a word about the test.
    NotRun(String),
}

impl TestEnd {
    /// Returns true for an end that is the test's or the app's fault.
    pub fn is_failure(&self) -> bool {
        match self {
            TestEnd::Passed
            | TestEnd::Ignored
            | TestEnd::AssumptionFailed(_)
            | TestEnd::Stopped => false,
            TestEnd::Failed(_)
            | TestEnd::Crashed(_)
            | TestEnd::TimedOut(_)
            | TestEnd::ProcessEnded
            | TestEnd::NotRun(_) => true,
        }
    }

    /// Returns true if the process cannot run further tests.
    pub fn ends_process(&self) -> bool {
        matches!(self, TestEnd::Crashed(_) | TestEnd::TimedOut(_) | TestEnd::ProcessEnded)
    }

    /// Returns true if another run in the same world can show more.
    pub fn can_be_repeated(&self) -> bool {
        self.is_failure() && !matches!(self, TestEnd::NotRun(_))
    }

    /// Returns the word for a line of results.
    pub fn word(&self) -> &'static str {
        match self {
            TestEnd::Passed => "PASS",
            TestEnd::Failed(_) => "FAIL",
            TestEnd::Ignored => "IGNORED",
            TestEnd::AssumptionFailed(_) => "SKIP",
            TestEnd::Crashed(_) => "CRASH",
            TestEnd::TimedOut(_) => "TIMEOUT",
            TestEnd::ProcessEnded => "EXIT",
            TestEnd::Stopped => "STOPPED",
            TestEnd::NotRun(_) => "NOT RUN",
        }
    }

    /// Returns the stack, or whatever else explains the end.
    pub fn explanation(&self) -> &str {
        match self {
            TestEnd::Passed | TestEnd::Ignored => "",
            TestEnd::ProcessEnded => "the process ended before the test did",
            TestEnd::Stopped => "it was stopped",
            TestEnd::Failed(text)
            | TestEnd::AssumptionFailed(text)
            | TestEnd::Crashed(text)
            | TestEnd::TimedOut(text)
            | TestEnd::NotRun(text) => text,
        }
    }
}
