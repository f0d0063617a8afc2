//! The results of a minimisation: `result.json` of `retap minimize`, and `minimized.json` beside a crash or finding.
//!
//! Both files are declared here once, for the verbs that write them and for the report that reads them. A field that
//! is missing is an error, so that a writer and a reader cannot drift apart unnoticed.

use crate::cost::Cost;
use crate::rate::Rate;
use serde::{Deserialize, Serialize};

/// The summary that `retap minimize` prints with `--json` and keeps in `result.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimizeSummary {
    /// Always [`MinimizeSummary::VERB`].
    pub verb: String,
    /// The app's package.
    pub app: String,
    pub oracle: String,
    pub algorithm: String,
    pub ended: MinimizeEnded,
    pub events_before: u64,
    pub events_after: u64,
    /// The number of events that were replaced by simpler ones.
    pub simplified: u64,
    /// The activity that the minimised trace launches directly. The field is absent if it launches the app as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launched_at: Option<String>,
    pub oracle_calls: u64,
    pub rounds: u64,
    pub events_executed: u64,
    pub events_saved: u64,
    pub success: SuccessRateRecord,
    /// The probability that the minimised trace satisfies its oracle often enough.
    pub p1: f64,
    /// A lower bound on the probability that no single event can be left out; null where not every single event was
    /// tested.
    #[serde(deserialize_with = "Option::deserialize")]
    pub p2: Option<f64>,
    /// The events of the minimised trace, each as a sentence.
    pub steps: Vec<String>,
    /// The path of the minimised trace.
    pub minimized: String,
    /// Every improvement of the best trace, in the order in which they were found.
    pub trail: Vec<TrailPoint>,
    pub cost: Cost,
    pub seconds: f64,
}

impl MinimizeSummary {
    pub const VERB: &str = "minimize";
}

/// The reason why a minimisation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MinimizeEnded {
    Complete,
    Interrupted,
    BudgetSpent,
}

/// A success rate with its value and its 95% interval, so that readers of the JSON need not compute them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuccessRateRecord {
    pub successes: u64,
    pub runs: u64,
    pub value: f64,
    /// The lower and the upper end.
    pub interval: (f64, f64),
}

impl SuccessRateRecord {
    /// Returns the counts alone.
    pub fn rate(&self) -> Rate {
        Rate { successes: self.successes, runs: self.runs }
    }
}

impl From<Rate> for SuccessRateRecord {
    fn from(rate: Rate) -> Self {
        Self {
            successes: rate.successes,
            runs: rate.runs,
            value: rate.value(),
            interval: rate.interval(),
        }
    }
}

/// An improvement: the size of the new best trace, the oracle calls until then, and the algorithm that found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrailPoint {
    pub oracle_calls: u64,
    pub events: u64,
    pub algorithm: String,
}

/// `minimized.json` in the folder of a crash or finding: the result of minimising its trace during exploration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimizedRecord {
    /// The length of the minimised trace.
    pub events: u64,
    pub success: Rate,
    pub oracle_calls: u64,
    /// The events of the minimised trace, each as a sentence.
    pub steps: Vec<String>,
}

impl MinimizedRecord {
    pub const FILE: &str = "minimized.json";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> MinimizeSummary {
        MinimizeSummary {
            verb: MinimizeSummary::VERB.into(),
            app: "com.app".into(),
            oracle: "crash".into(),
            algorithm: "auto".into(),
            ended: MinimizeEnded::BudgetSpent,
            events_before: 9,
            events_after: 2,
            simplified: 1,
            launched_at: None,
            oracle_calls: 5,
            rounds: 3,
            events_executed: 20,
            events_saved: 4,
            success: Rate { successes: 0, runs: 0 }.into(),
            p1: 0.5,
            p2: Some(0.25),
            steps: vec!["tap".into()],
            minimized: "minimized.jsonl".into(),
            trail: vec![TrailPoint { oracle_calls: 1, events: 9, algorithm: "dd".into() }],
            cost: Cost::default(),
            seconds: 1.5,
        }
    }

    #[test]
    fn a_summary_is_read_as_it_was_written() {
        let launched = MinimizeSummary { launched_at: Some("com.app.Main".into()), ..summary() };
        let untested = MinimizeSummary { p2: None, ..summary() };
        for summary in [summary(), launched, untested] {
            let text = serde_json::to_string(&summary).unwrap();
            assert_eq!(serde_json::from_str::<MinimizeSummary>(&text).unwrap(), summary);
        }
    }

    #[test]
    fn fields_keep_their_names_and_their_order() {
        let text = serde_json::to_string(&summary()).unwrap();
        let start = r#"{"verb":"minimize","app":"com.app","oracle":"crash","algorithm":"auto","ended":"budget_spent","#;
        assert!(text.starts_with(start), "{text}");
        let success = r#""success":{"successes":0,"runs":0,"value":0.0,"interval":[0.0,1.0]}"#;
        assert!(text.contains(success), "{text}");
    }

    #[test]
    fn a_missing_field_and_an_unknown_field_are_errors() {
        let value = serde_json::to_value(summary()).unwrap();
        for name in value.as_object().unwrap().keys() {
            let mut lacking = value.clone();
            lacking.as_object_mut().unwrap().remove(name);
            let error = serde_json::from_value::<MinimizeSummary>(lacking).unwrap_err();
            assert!(error.to_string().contains(&format!("missing field `{name}`")), "{error}");
        }
        let mut more = value;
        more["colour"] = 1.into();
        assert!(serde_json::from_value::<MinimizeSummary>(more).is_err());
    }
}
