//! The first point where a passing and a failing run of a flaky test part.

use serde::Serialize;

/// A decision of the world that makes a test pass or fail: all decisions before it are the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// The number of decisions that both runs have in common.
    pub in_common: u64,
    /// What was decided: the next thread, or a number.
    pub about: String,
    /// The thread that runs, or the call that draws the number, where the test fails.
    pub fails: String,
    /// The same where the test passes.
    pub passes: String,
}

impl Parting {
    /// Reads the phone's descriptions of the decision in both runs: what it was about, then what was chosen.
    pub fn new(in_common: u64, fails: &[String], passes: &[String]) -> Self {
        let word = |words: &[String], n: usize| words.get(n).cloned();
        let unknown = || "something that is not described".to_owned();
        Self {
            in_common,
            about: word(fails, 0).or_else(|| word(passes, 0)).unwrap_or_else(|| "start".into()),
            fails: word(fails, 1).unwrap_or_else(unknown),
            passes: word(passes, 1).unwrap_or_else(unknown),
        }
    }

    /// Returns sentences for people.
    pub fn sentences(&self) -> [String; 3] {
        let what = match self.about.as_str() {
            "thread" => "which thread runs next".to_owned(),
            "number" => "which random number is drawn".to_owned(),
            other => other.to_owned(),
        };
        [
            format!(
                "a passing and a failing run agree in {} decisions and part at {what}:",
                self.in_common
            ),
            format!("fails if {}", self.fails),
            format!("passes if {}", self.passes),
        ]
    }
}
