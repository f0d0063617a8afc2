//! Reads the reports of an instrumentation in the form that all runners of Android share: a status when a test begins
//! and one when it ends, with the test's name and stack.

use crate::{TestEnd, TestName};
use std::collections::BTreeMap;

const STARTED: i32 = 1;
const PASSED: i32 = 0;
const ERROR: i32 = -1;
const FAILURE: i32 = -2;
const IGNORED: i32 = -3;
const ASSUMPTION_FAILURE: i32 = -4;

/// A status of an instrumentation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstrumentationStatus {
    pub code: i32,
    pub values: BTreeMap<String, String>,
}

/// The tests of one run of an instrumentation, in the order in which they ended.
#[derive(Debug, Clone, Default)]
pub struct ReportReader {
    running: Option<TestName>,
    ended: Vec<(TestName, TestEnd)>,
    result: Option<BTreeMap<String, String>>,
}

impl ReportReader {
    /// Takes a status. Returns the test that it ends, if it ends one.
    pub fn status(&mut self, status: &InstrumentationStatus) -> Option<&(TestName, TestEnd)> {
        let value = |key: &str| status.values.get(key).cloned().unwrap_or_default();
        let (class, method) = (value("class"), value("test"));
        if class.is_empty() {
            return None;
        }
        let name = TestName { class, method };
        let stack = || value("stack");
        let end = match status.code {
            STARTED => {
                self.running = Some(name);
                return None;
            }
            PASSED => TestEnd::Passed,
            ERROR | FAILURE => TestEnd::Failed(stack()),
            IGNORED => TestEnd::Ignored,
            ASSUMPTION_FAILURE => TestEnd::AssumptionFailed(stack()),
            _ => return None,
        };
        self.running = None;
        self.ended.push((name, end));
        self.ended.last()
    }

    /// Takes the result of the whole run.
    pub fn finish(&mut self, values: BTreeMap<String, String>) {
        self.result = Some(values);
    }

    /// Ends the test that runs now, because its process has ended or is stopped.
    pub fn abort(&mut self, end: TestEnd) {
        if let Some(name) = self.running.take() {
            self.ended.push((name, end));
        }
    }

    /// Returns the test that has begun and not ended.
    pub fn running(&self) -> Option<&TestName> {
        self.running.as_ref()
    }

    /// Returns the tests that ended so far.
    pub fn ended(&self) -> &[(TestName, TestEnd)] {
        &self.ended
    }

    pub fn is_finished(&self) -> bool {
        self.result.is_some()
    }

    /// Returns what the runner printed at the end, or the reason why the run failed as a whole.
    pub fn last_words(&self) -> String {
        let Some(result) = &self.result else { return String::new() };
        let keys = ["longMsg", "shortMsg", "stream", "Error"];
        keys.iter()
            .find_map(|key| result.get(*key))
            .map(|text| text.trim().into())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(code: i32, test: &str, stack: &str) -> InstrumentationStatus {
        let values = [("class", "a.B"), ("test", test), ("stack", stack)];
        let values = values.iter().map(|(key, value)| (key.to_string(), value.to_string()));
        InstrumentationStatus { code, values: values.collect() }
    }

    #[test]
    fn each_test_ends_as_its_code_says() {
        let mut reader = ReportReader::default();
        for (code, end) in [
            (0, TestEnd::Passed),
            (-1, TestEnd::Failed("s".into())),
            (-2, TestEnd::Failed("s".into())),
            (-3, TestEnd::Ignored),
            (-4, TestEnd::AssumptionFailed("s".into())),
        ] {
            assert_eq!(reader.status(&status(1, "c", "")), None);
            assert_eq!(reader.running(), Some(&TestName::new("a.B", "c")));
            let ended = reader.status(&status(code, "c", "s")).unwrap();
            assert_eq!(ended.1, end);
            assert_eq!(reader.running(), None);
        }
        assert_eq!(reader.ended().len(), 5);
    }

    #[test]
    fn a_process_that_ends_takes_the_running_test_with_it() {
        let mut reader = ReportReader::default();
        reader.status(&status(1, "c", ""));
        reader.abort(TestEnd::ProcessEnded);
        assert_eq!(reader.ended(), [(TestName::new("a.B", "c"), TestEnd::ProcessEnded)]);
        reader.abort(TestEnd::ProcessEnded);
        assert_eq!(reader.ended().len(), 1);
    }

    #[test]
    fn a_status_without_a_test_is_not_one() {
        let mut reader = ReportReader::default();
        assert_eq!(reader.status(&InstrumentationStatus::default()), None);
        assert!(reader.ended().is_empty());
    }
}
