//! Which tests to run, by parts of their names.

use crate::TestName;
use regex::Regex;

/// Selects tests whose name contains one of the texts; `*` stands for any characters. Without texts it selects all.
#[derive(Debug, Clone, Default)]
pub struct TestFilter {
    patterns: Vec<Regex>,
}

impl TestFilter {
    /// Reads the texts. None can be wrong: everything but `*` is taken literally.
    pub fn new(texts: &[String]) -> Self {
        let pattern = |text: &String| {
            let parts: Vec<String> = text.split('*').map(regex::escape).collect();
            Regex::new(&parts.join(".*")).ok()
        };
        Self { patterns: texts.iter().filter_map(pattern).collect() }
    }

    pub fn selects(&self, test: &TestName) -> bool {
        let name = test.to_string();
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.is_match(&name))
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
}
