//! `reduction.json` of a suite folder: what a reduction kept, what it removed, and the proof that nothing was lost.
//!
//! The file is declared here once, for `retap reduce` that writes it and for the report that reads it. Names stand
//! where the reduction has numbers, so that the file can be read without the recordings.

mod counts;
mod proof;
mod sizes;

pub use counts::ReductionCounts;
pub use proof::{
    CoveredRequirement, LostRequirement, QuarantineRecord, RemovedStepsKind, RemovedStepsRecord,
    StepRange, SuiteTraceRecord,
};
pub use sizes::{LowerBoundMethod, LowerBoundRecord, StageSizes, SuiteSize};

use super::FormatError;
use super::run::RunError;
use crate::app::AppIdentity;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The content of `reduction.json`.
///
/// Unknown fields are not refused at this level, because serde does not support that beside `flatten`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReductionFile {
    /// Always [`ReductionFile::KIND`].
    pub retap: String,
    /// Always [`ReductionFile::VERSION`].
    pub version: u32,
    pub app: AppIdentity,
    #[serde(flatten)]
    pub summary: ReductionSummary,
    pub traces: Vec<SuiteTraceRecord>,
    /// Everything that the recordings cover. Other parts of the file refer to its items by their index.
    pub covered: Vec<CoveredRequirement>,
    pub removed: Vec<RemovedStepsRecord>,
}

impl ReductionFile {
    pub const FILE: &str = "reduction.json";
    pub const KIND: &str = "reduction";
    pub const VERSION: u32 = 1;

    /// Reads the file of a suite folder.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is of another kind or version, or lacks a field.
    pub fn read(suite: &Path) -> Result<Self, RunError> {
        let path = suite.join(Self::FILE);
        let text = fs::read_to_string(&path).map_err(RunError::io(&path))?;
        Ok(Self::parse(&text, &path.display().to_string())?)
    }

    fn parse(text: &str, file: &str) -> Result<Self, FormatError> {
        // The head is read first: a file of another version is named as such, not by the first field that differs.
        let head: ReductionHead = parse_json(text, file)?;
        if head.retap != Self::KIND || head.version != Self::VERSION {
            let expected = format!("a {} of version {}", Self::KIND, Self::VERSION);
            let found = format!("{} of version {}", head.retap, head.version);
            return Err(FormatError::malformed(file, 1, expected, found));
        }
        parse_json(text, file)
    }
}

fn parse_json<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, FormatError> {
    serde_json::from_str(text).map_err(|error| {
        FormatError::malformed(file, error.line(), "a reduction", error.to_string())
    })
}

/// The two fields that tell which file this is.
#[derive(Debug, Deserialize)]
struct ReductionHead {
    retap: String,
    version: u32,
}

/// The part of a reduction's result that `retap reduce --json` prints too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReductionSummary {
    pub ended: ReduceEnded,
    pub stages: StageSizes,
    /// `null` if there is no bound: the reduction was interrupted, or the solver gave up.
    #[serde(deserialize_with = "Option::deserialize")]
    pub lower_bound: Option<LowerBoundRecord>,
    /// How far the suite's cost is above the lower bound, as a share of the bound. `null` if there is no bound.
    #[serde(deserialize_with = "Option::deserialize")]
    pub gap: Option<f64>,
    #[serde(rename = "tally")]
    pub counts: ReductionCounts,
    pub quarantined: Vec<QuarantineRecord>,
    pub unstable: Vec<LostRequirement>,
    /// The recordings that were not examined before the reduction was interrupted.
    pub unexamined: Vec<String>,
}

/// The reason why a reduction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReduceEnded {
    Complete,
    Interrupted,
}

#[cfg(test)]
mod tests;
