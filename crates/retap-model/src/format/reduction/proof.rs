//! The proof that a reduced suite lost nothing: the step that covers each requirement, and all steps that were removed.

use crate::coverage::Coverage;
use crate::rate::Rate;
use serde::{Deserialize, Serialize};

/// A trace of the reduced suite and the recordings that it is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteTraceRecord {
    /// The name of the trace's file, without its extension.
    pub trace: String,
    /// The user asked to keep this trace unchanged.
    pub kept: bool,
    /// The recorded fragments in order, each as `TRACE steps N-M`.
    pub fragments: Vec<String>,
}

/// A requirement that the recordings cover, and the first step of the reduced suite that covers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoveredRequirement {
    #[serde(rename = "need")]
    pub requirement: String,
    /// The name of the suite's trace.
    #[serde(rename = "by")]
    pub trace: String,
    /// The step in that trace; zero is the launch.
    pub step: u64,
}

/// Steps of a recording that the suite does not contain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemovedStepsRecord {
    pub trace: String,
    pub steps: StepRange,
    pub kind: RemovedStepsKind,
    /// The requirements that these steps covered, as indices into [`super::ReductionFile::covered`].
    pub covered: Coverage,
}

/// The first and the last of several steps, both included. It is written as a JSON array of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64)", into = "(u64, u64)")]
pub struct StepRange {
    pub first: u64,
    pub last: u64,
}

impl From<(u64, u64)> for StepRange {
    fn from((first, last): (u64, u64)) -> Self {
        Self { first, last }
    }
}

impl From<StepRange> for (u64, u64) {
    fn from(range: StepRange) -> Self {
        (range.first, range.last)
    }
}

/// The kind of piece that was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovedStepsKind {
    /// A whole trace.
    Trace,
    /// Steps that end in the state in which they begin.
    Loop,
    /// Other steps: the end of a trace, or steps that another trace's fragment replaces.
    Part,
}

/// The end of a recording that did not replay in every run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuarantineRecord {
    pub trace: String,
    /// The first step that some run did not follow; zero is the launch.
    pub step: u64,
    /// The length of the recording.
    pub steps: u64,
    /// The share of runs that followed the recording.
    pub rate: Rate,
}

/// A requirement that a recording covered and that no replay covered again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LostRequirement {
    #[serde(rename = "need")]
    pub requirement: String,
    pub trace: String,
    pub step: u64,
}
