//! `original.json`: everything the recordings covered. It is computed from the recordings themselves and not by the
//! reducer, so that `--verify` checks the reducer independently.

use super::LoadedTrace;
use retap_model::observation::RecordedOutcome;
use retap_model::{Coverage, CrashId, StateId, UnitKind, Units};
use retap_reduce::{Requirement, RequirementScope, UnstableRequirement};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub const FILE: &str = "original.json";

/// The content of `original.json`.
///
/// Unknown fields are not refused at this level, because serde does not support that beside `flatten`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OriginalFile {
    /// Suites written before this field existed have none.
    #[serde(default)]
    pub source: Option<OriginalSource>,
    #[serde(flatten)]
    pub coverage: OriginalCoverage,
}

/// The recordings, and what of them counts. The coverage can be computed from them again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OriginalSource {
    /// Runs, suites and traces.
    pub inputs: Vec<String>,
    /// `None` if no unit of code counts.
    pub units: Option<UnitKind>,
    pub states: bool,
    pub crashes: bool,
}

impl OriginalSource {
    pub fn scope(&self, units: &Units) -> RequirementScope {
        let units = self.units.map_or_else(Coverage::new, |kind| units.of_kind(kind));
        RequirementScope { units, states: self.states, crashes: self.crashes }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OriginalCoverage {
    /// Rows of `units.jsonl`.
    pub units: Coverage,
    pub states: BTreeSet<StateId>,
    pub crashes: BTreeSet<CrashId>,
    pub not_responding: bool,
}

impl OriginalCoverage {
    pub fn of<'a>(
        loaded: impl IntoIterator<Item = &'a LoadedTrace>,
        scope: &RequirementScope,
    ) -> Self {
        let mut original = Self::default();
        for one in loaded {
            for set in one.covered.iter().flatten() {
                original.units.union_with(&set.intersection(&scope.units));
            }
            for step in 0..=one.trace.steps.len() {
                let result = one.trace.result_after(step);
                original.states.extend(result.state.filter(|_| scope.states));
                original.crashes.extend(result.outcome.crash().filter(|_| scope.crashes));
                original.not_responding |=
                    scope.crashes && result.outcome == RecordedOutcome::NotResponding;
            }
        }
        original
    }

    /// Returns true if the other covers everything that this does.
    pub fn is_within(&self, other: &Self) -> bool {
        self.units.is_subset(&other.units)
            && self.states.is_subset(&other.states)
            && self.crashes.is_subset(&other.crashes)
            && self.not_responding <= other.not_responding
    }

    /// Removes what no replay showed again.
    pub fn without(mut self, unstable: &[UnstableRequirement]) -> Self {
        for UnstableRequirement { requirement, .. } in unstable {
            match requirement {
                Requirement::Unit(unit) => {
                    let one: Coverage = [*unit].into_iter().collect();
                    self.units = self.units.difference(&one);
                }
                Requirement::State(state) => {
                    self.states.remove(state);
                }
                Requirement::Crash(crash) => {
                    self.crashes.remove(crash);
                }
                Requirement::NotResponding => self.not_responding = false,
            }
        }
        self
    }
}
