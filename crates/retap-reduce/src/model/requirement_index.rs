//! Numbers for requirements, so that a set of requirements is a set of numbers.

use super::requirement::{Requirement, RequirementScope};
use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{Coverage, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Numbers requirements: a unit keeps its id, every other requirement comes after all units.
#[derive(Debug)]
pub(crate) struct RequirementIndex {
    scope: RequirementScope,
    numbers: BTreeMap<Requirement, u32>,
    /// The numbered requirements; the first has the number [`FIRST_BEYOND_UNITS`].
    requirements: Vec<Requirement>,
}

/// No app has two thousand million units.
const FIRST_BEYOND_UNITS: u32 = 1 << 31;

impl RequirementIndex {
    pub fn new(scope: RequirementScope) -> Self {
        Self { scope, numbers: BTreeMap::new(), requirements: Vec::new() }
    }

    /// Returns the requirements that a launch or step covers by its result and the units that ran.
    pub fn covered_by_step(&mut self, result: &StepResult, units: &Coverage) -> Coverage {
        let mut covered = units.intersection(&self.scope.units);
        for requirement in self.beyond_units(result) {
            covered.insert(self.number_of(requirement));
        }
        covered
    }

    /// Returns the requirements that the launch and each step of a trace cover.
    pub fn covered_by_steps(
        &mut self,
        trace: &Trace,
        units_by_step: &[Arc<Coverage>],
    ) -> Vec<Coverage> {
        units_by_step
            .iter()
            .enumerate()
            .map(|(step, units)| self.covered_by_step(trace.result_after(step), units))
            .collect()
    }

    /// Returns all requirements that a trace covers.
    pub fn covered_by_trace(&mut self, trace: &Trace, units_by_step: &[Arc<Coverage>]) -> Coverage {
        self.covered_by_steps(trace, units_by_step).iter().collect()
    }

    /// Returns true if the result shows a state, crash or hang that is not in `known`.
    pub fn has_unknown(&self, result: &StepResult, known: &Coverage) -> bool {
        let is_known = |requirement| {
            self.numbers.get(&requirement).is_some_and(|number| known.contains(*number))
        };
        self.beyond_units(result).any(|requirement| !is_known(requirement))
    }

    /// Returns the state and the crash or hang of a result, as far as the scope counts them.
    fn beyond_units(&self, result: &StepResult) -> impl Iterator<Item = Requirement> + use<> {
        let state = result.state.filter(|_| self.scope.states).map(Requirement::State);
        let crash = match &result.outcome {
            RecordedOutcome::Crashed { id, .. } => Some(Requirement::Crash(*id)),
            RecordedOutcome::NotResponding => Some(Requirement::NotResponding),
            _ => None,
        };
        state.into_iter().chain(crash.filter(|_| self.scope.crashes))
    }

    /// Returns the requirement that has this number.
    pub fn requirement(&self, number: u32) -> Requirement {
        match number.checked_sub(FIRST_BEYOND_UNITS) {
            Some(index) => self.requirements[index as usize],
            None => Requirement::Unit(number),
        }
    }

    fn number_of(&mut self, requirement: Requirement) -> u32 {
        let next = FIRST_BEYOND_UNITS + self.requirements.len() as u32;
        let number = *self.numbers.entry(requirement).or_insert(next);
        if number == next {
            self.requirements.push(requirement);
        }
        number
    }
}
