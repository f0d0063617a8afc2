//! The summary of `retap update`: that of an exploration, and what became of the changed methods.

use super::Summary;
use crate::app::AppIdentity;
use crate::coverage::CoverageCount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `result.json` of `retap update`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpdateSummary {
    #[serde(flatten)]
    pub run: Summary,
    pub update: UpdateResult,
    /// The app's own tests, if they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<UpdateTests>,
}

impl UpdateSummary {
    pub const VERB: &str = "update";
}

/// The app's own tests on both versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateTests {
    /// In the order in which they ran on the new version.
    pub tests: Vec<TestChange>,
}

impl UpdateTests {
    /// Returns the number of tests that the change can affect.
    pub fn affected(&self) -> usize {
        self.tests.iter().filter(|test| test.affected).count()
    }

    /// Returns the tests that fail on the new version and do not on the old one.
    pub fn broken(&self) -> impl Iterator<Item = &TestChange> {
        self.tests.iter().filter(|test| test.broken)
    }
}

/// How a test ended on both versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestChange {
    /// `CLASS#METHOD`.
    pub test: String,
    /// True if it covers changed code of the old version, or did not run there. Such tests run first.
    pub affected: bool,
    /// The word for its end on the old version; none if it did not run there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    pub new: String,
    /// True if it fails on the new version and not on the old one.
    pub broken: bool,
}

/// What an update changed, and what of it was seen to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpdateResult {
    pub old: AppIdentity,
    pub new: AppIdentity,
    pub target_methods: CoverageCount,
    pub target_instructions: CoverageCount,
    /// Changed methods that coverage does not count: without code, or of a library.
    pub not_counted: u64,
    /// Targets that the first launch alone covered.
    pub at_launch: u64,
    /// By the number of the phase.
    pub phases: BTreeMap<u8, PhaseSummary>,
    pub targets: Vec<TargetSummary>,
    /// How many sequences and screens of both versions were compared.
    pub compared: ComparisonSummary,
    pub differences: Vec<DifferenceSummary>,
    /// How many sequences were tried with the new version installed over the old one and its data.
    #[serde(default)]
    pub upgrade: ComparisonSummary,
    pub model: ModelSummary,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseSummary {
    pub inputs: u64,
    /// Targets that ran for the first time.
    pub targets: u64,
    /// Instructions of targets that ran for the first time.
    pub instructions: u64,
    /// Why the phase ended; none if the run ended first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

/// One changed method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetSummary {
    /// `Lcom/example/Main;->run()V`
    pub method: String,
    /// `modified`, `new`, `asked` or `impact`.
    pub origin: String,
    pub instructions: CoverageCount,
    /// The phase in which it first ran; none for the launch, and if it did not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<u8>,
    /// The input that first ran it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The trace in the suite that runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Why it did not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonSummary {
    pub sequences: u64,
    pub screens: u64,
    /// Why nothing, or not everything, was compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// One way in which the versions differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceSummary {
    /// `screen`, `new-crash`, `fixed-crash`, `other-window`, `only-in-new`, `only-in-old`, `upgrade-crash`, `lost-data`.
    pub kind: String,
    /// True if nothing explains it, so that somebody must look.
    pub unexplained: bool,
    /// What differs, in a sentence.
    pub what: String,
    /// What explains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Changed methods that ran before, the last first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_code: Vec<String>,
    /// The trace that shows it, relative to the run.
    pub trace: String,
    pub steps: Vec<String>,
    /// Pictures of both versions, relative to the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_picture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_picture: Option<String>,
}

/// The sizes of the model's graphs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSummary {
    pub windows: u64,
    /// Windows that the static model lacks.
    pub windows_added: u64,
    pub window_transitions: u64,
    pub window_transitions_added: u64,
    pub states: u64,
    pub abstract_transitions: u64,
    pub screens: u64,
    pub refinements: u64,
    /// The level of each window whose abstraction is finer than L1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub levels: BTreeMap<String, String>,
}
