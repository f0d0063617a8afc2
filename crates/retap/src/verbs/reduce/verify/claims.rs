//! Checks what `reduction.json` says against the replays of the suite: which step covers what, and how long the suite
//! is. A reader of the page must be able to rely on it.

use retap_device::Execution;
use retap_engine::suite_folder::SuiteTrace;
use retap_model::format::reduction::{CoveredRequirement, ReductionFile};
use retap_model::format::trace::Header;
use retap_model::{App, Observation, Outcome, UnitId};
use std::collections::BTreeMap;

/// The suite's traces, and an execution of each.
pub struct SuiteReplays<'a> {
    pub members: &'a [SuiteTrace],
    pub executions: &'a [Execution],
    pub header: &'a Header,
    pub app: &'a App,
}

impl SuiteReplays<'_> {
    /// Returns a sentence for each statement that is not true. `recorded` is the number of recorded steps, if known.
    pub fn find_false_claims(&self, claimed: &ReductionFile, recorded: Option<u64>) -> Vec<String> {
        let mut false_claims = Vec::new();
        let steps: u64 = self.members.iter().map(|member| member.trace.steps.len() as u64).sum();
        let reduced = claimed.summary.stages.reduced();
        if (reduced.steps, reduced.restarts) != (steps, self.members.len() as u64) {
            false_claims.push(format!(
                "the suite has {steps} steps and {} restarts, not {} and {}",
                self.members.len(),
                reduced.steps,
                reduced.restarts
            ));
        }
        let claimed_steps = claimed.summary.stages.recorded.steps;
        if let Some(recorded) = recorded.filter(|recorded| *recorded != claimed_steps) {
            false_claims.push(format!("{recorded} steps were recorded, not {claimed_steps}"));
        }
        if claimed.summary.lower_bound.is_some_and(|bound| bound.cost > reduced.cost) {
            false_claims.push("the lower bound is above the cost of the suite".into());
        }
        let units: BTreeMap<String, UnitId> = self
            .app
            .units
            .iter()
            .map(|(id, unit)| (format!("{} {}", unit.kind, unit.name), id))
            .collect();
        for covered in claimed.covered.iter().filter(|covered| !self.is_true(covered, &units)) {
            let CoveredRequirement { requirement, trace, step } = covered;
            false_claims.push(format!("step {step} of {trace} does not cover {requirement}"));
        }
        false_claims
    }

    fn is_true(&self, covered: &CoveredRequirement, units: &BTreeMap<String, UnitId>) -> bool {
        let mut replays = self.members.iter().zip(self.executions);
        let execution = replays.find(|(member, _)| member.name == covered.trace);
        let observation =
            execution.and_then(|(_, execution)| execution.observations.get(covered.step as usize));
        observation.is_some_and(|seen| match units.get(&covered.requirement) {
            Some(unit) => seen.coverage.contains(*unit),
            None => self.shows(seen, &covered.requirement),
        })
    }

    /// Returns true if an observation shows the state, the crash or the app that stops responding.
    fn shows(&self, observation: &Observation, requirement: &str) -> bool {
        let state = self.header.abstraction.state(&observation.screen);
        let is_outcome = match &observation.outcome {
            Outcome::Crashed(crash) => {
                let id = crash.identity(&self.app.identity.package);
                requirement == format!("crash {id}")
            }
            Outcome::NotResponding { .. } => requirement == "the app stops responding",
            _ => false,
        };
        is_outcome || requirement == format!("state {state}")
    }
}
