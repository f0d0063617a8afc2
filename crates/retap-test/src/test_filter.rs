//! Which tests to run, by parts of their names.

use crate::TestName;
use regex::Regex;
use std::collections::BTreeSet;

/// Selects tests whose name contains one of the texts; `*` stands for any characters. Without texts it selects all.
#[derive(Debug, Clone, Default)]
pub struct TestFilter {
    patterns: Vec<Regex>,
    /// Whole names, one of which the test must have.
    names: Option<BTreeSet<String>>,
}

impl TestFilter {
    /// Reads the texts. None can be wrong: everything but `*` is taken literally.
    pub fn new(texts: &[String]) -> Self {
        let pattern = |text: &String| {
            let parts: Vec<String> = text.split('*').map(regex::escape).collect();
            Regex::new(&parts.join(".*")).ok()
        };
        Self { patterns: texts.iter().filter_map(pattern).collect(), names: None }
    }

    /// Selects only tests that the text names, one a line; empty lines and those that begin with `#` are left out.
    pub fn only(mut self, text: &str) -> Self {
        let lines = text.lines().map(str::trim);
        let names = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        self.names = Some(names.map(ToOwned::to_owned).collect());
        self
    }

    /// Returns the names that were asked for and that none of these tests has.
    pub fn missing(&self, tests: &[TestName]) -> Vec<String> {
        let known: BTreeSet<String> = tests.iter().map(ToString::to_string).collect();
        let asked = self.names.iter().flatten();
        asked.filter(|name| !known.contains(*name)).cloned().collect()
    }

    pub fn selects(&self, test: &TestName) -> bool {
        let name = test.to_string();
        let is_named = self.names.as_ref().is_none_or(|names| names.contains(&name));
        is_named
            && (self.patterns.is_empty()
                || self.patterns.iter().any(|pattern| pattern.is_match(&name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], expected: bool) {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let test = TestName::new("a.ListTest", "adds[1]");
        assert_eq!(TestFilter::new(&texts).selects(&test), expected, "{texts:?}");
    }

    #[test]
    fn a_test_is_selected_by_a_part_of_its_name() {
        check(&[], true);
        check(&["ListTest"], true);
        check(&["ListTest#adds"], true);
        check(&["List*adds[1]"], true);
        check(&["Other", "adds"], true);
        check(&["Other"], false);
        check(&["adds.1"], false);
        check(&["List(Test"], false);
    }

    #[test]
    fn a_list_selects_whole_names_and_tells_what_is_missing() {
        let tests = [TestName::new("a.B", "c"), TestName::new("a.B", "cd")];
        let filter = TestFilter::new(&[]).only("# these\n\n a.B#c\na.B#gone\n");
        assert_eq!(tests.each_ref().map(|test| filter.selects(test)), [true, false]);
        assert_eq!(filter.missing(&tests), ["a.B#gone"]);
        assert!(!TestFilter::new(&["d".into()]).only("a.B#c").selects(&tests[0]));
    }
}
