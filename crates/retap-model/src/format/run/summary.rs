//! `result.json` and the output of `--json`: the same fields for every verb that runs an app.

use crate::cost::{Cost, RunPhase};
use crate::coverage::{CoverageCount, UnitKind};
use crate::crash::{Confidence, CrashId};
use crate::finding::{FindingId, FindingKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The content of `result.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub verb: String,
    pub app: String,
    pub seed: u64,
    pub world_seed: u64,
    pub ended: EndReason,
    /// Events that belong to the result. `cost.events` also counts repeated ones.
    pub events: u64,
    pub restarts: u64,
    /// Returns that reached their state. `returns_failed` counts those that did not.
    pub returns: u64,
    #[serde(default)]
    pub returns_failed: u64,
    /// The number of events that were part of a path back.
    #[serde(default)]
    pub return_events: u64,
    pub states: u64,
    pub activities: u64,
    /// All activities that the app declares, visited or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared_activities: Vec<String>,
    pub coverage: BTreeMap<UnitKind, CoverageCount>,
    /// The libraries inside the app, with the number of their classes, which do not count.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub libraries: BTreeMap<String, u64>,
    pub crashes: Vec<CrashSummary>,
    /// Findings, each shown a second time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingSummary>,
    /// The number of times that each host limitation was met.
    pub host_limitations: BTreeMap<String, u64>,
    /// The events that lead to each host limitation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limitations: Vec<LimitationSummary>,
    pub cost: Cost,
    /// What each phase had of that cost.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cost_by_phase: BTreeMap<RunPhase, Cost>,
    pub seconds: f64,
    pub events_per_second: f64,
    /// The hash of all observations in order: equal digests mean equal runs.
    pub digest: String,
}

impl Summary {
    /// Explains the likely cause if nothing was covered at all.
    pub fn no_coverage(&self) -> Option<String> {
        let has_units = self.coverage.values().any(|count| count.total > 0);
        if self.coverage.values().any(|count| count.covered > 0) {
            return None;
        }
        Some(match (has_units, self.libraries.is_empty()) {
            (false, true) => "this device does not see which code runs".into(),
            (false, false) => {
                "all of the app's code was taken for libraries or left out; --include \
                           PACKAGE says what counts"
                    .into()
            }
            (true, _) => {
                "no line of the code that counts was executed: either the app never came to run \
                  (see its crashes and host limitations), or its code lies in packages that do not \
                  count; --include PACKAGE says what does"
                    .into()
            }
        })
    }
}

/// The reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The run has done everything it was asked for.
    Complete,
    Interrupted,
    DeviceFailed,
    OutputFailed,
    /// `--strict` ended it at a host limitation.
    HostLimitation,
}

/// A host limitation in `result.json`, with the events that lead there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitationSummary {
    /// The sentence that names what is missing.
    pub what: String,
    /// The number of times that the run met it.
    pub seen: u64,
    /// The length of the trace.
    pub events: u64,
    /// The path of the first trace that met it, relative to the run.
    pub trace: String,
}

/// Summaries of earlier versions do not say whose code it is.
fn is_true() -> bool {
    true
}

/// A crash in `result.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrashSummary {
    pub id: CrashId,
    pub exception: String,
    pub message: String,
    /// The app's own frame nearest to the throw.
    pub place: String,
    /// False if the stack has no frame of the app or its libraries.
    #[serde(default = "is_true")]
    pub own_code: bool,
    #[serde(default)]
    pub confidence: Confidence,
    /// Reasons for a low confidence, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// The path of the shortest known trace, relative to the run.
    pub trace: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimized: Option<String>,
    /// The length of the best known trace.
    pub events: u64,
    /// The number of times that the run met it.
    pub seen: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// The minimised trace in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
}

/// A finding in `result.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FindingSummary {
    pub id: FindingId,
    pub oracle: FindingKind,
    pub activity: String,
    pub message: String,
    /// The path of the shortest known trace, relative to the run.
    pub trace: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimized: Option<String>,
    /// The length of the best known trace.
    pub events: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// The minimised trace in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
}
