//! Needs: what must stay covered. A code unit, a state, a crash, or the app hanging.

use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{Coverage, CrashId, StateId, Trace, UnitId};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    Unit(UnitId),
    State(StateId),
    Crash(CrashId),
    NotResponding,
}

/// What counts as coverage of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// The code units that count: those of one kind, or none.
    pub units: Coverage,
    pub states: bool,
    /// Crashes and hangs.
    pub crashes: bool,
}

/// Numbers needs, so that sets of them are sets of numbers: a unit keeps its id, everything else comes
/// after all units.
#[derive(Debug)]
pub(crate) struct Needs {
    scope: Scope,
    others: BTreeMap<Need, u32>,
    names: Vec<Need>,
}

/// No app has two thousand million units.
const OTHERS: u32 = 1 << 31;

impl Needs {
    pub fn new(scope: Scope) -> Self {
        Self { scope, others: BTreeMap::new(), names: Vec::new() }
    }

    /// What a launch or step that led there and ran these units covers.
    pub fn of(&mut self, result: &StepResult, units: &Coverage) -> Coverage {
        let mut needs = units.intersection(&self.scope.units);
        for need in self.beyond_code(result) {
            needs.insert(self.number(need));
        }
        needs
    }

    /// What the launch and each step of a trace cover.
    pub fn along(&mut self, trace: &Trace, covered: &[Arc<Coverage>]) -> Vec<Coverage> {
        covered
            .iter()
            .enumerate()
            .map(|(step, units)| self.of(trace.result_after(step), units))
            .collect()
    }

    /// Whether there is a state, crash or hang here that is not among these.
    pub fn is_foreign(&self, result: &StepResult, known: &Coverage) -> bool {
        let is_known = |need| self.others.get(&need).is_some_and(|number| known.contains(*number));
        self.beyond_code(result).any(|need| !is_known(need))
    }

    /// The state and the crash or hang, as far as they count.
    fn beyond_code(&self, result: &StepResult) -> impl Iterator<Item = Need> + use<> {
        let state = result.state.filter(|_| self.scope.states).map(Need::State);
        let bad = match &result.outcome {
            RecordedOutcome::Crashed { id, .. } => Some(Need::Crash(*id)),
            RecordedOutcome::NotResponding => Some(Need::NotResponding),
            _ => None,
        };
        state.into_iter().chain(bad.filter(|_| self.scope.crashes))
    }

    pub fn name(&self, number: u32) -> Need {
        match number.checked_sub(OTHERS) {
            Some(other) => self.names[other as usize],
            None => Need::Unit(number),
        }
    }

    fn number(&mut self, need: Need) -> u32 {
        let next = OTHERS + self.names.len() as u32;
        let number = *self.others.entry(need).or_insert(next);
        if number == next {
            self.names.push(need);
        }
        number
    }
}
