//! The cost of a run by phase, so that a slow run shows what it was busy with.

use super::Cost;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The phases of an exploration, each with a cost of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunPhase {
    Explore,
    /// Active oracles act in the states that were met.
    Probe,
    /// Crashes and findings are shown a second time.
    Verify,
    Minimize,
    /// Success rates are measured in fresh worlds.
    Measure,
    Screenshot,
}

impl fmt::Display for RunPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RunPhase::Explore => "explore",
            RunPhase::Probe => "probe",
            RunPhase::Verify => "verify",
            RunPhase::Minimize => "minimize",
            RunPhase::Measure => "measure",
            RunPhase::Screenshot => "screenshot",
        })
    }
}

/// Divides a growing cost among phases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CostLedger {
    by_phase: BTreeMap<RunPhase, Cost>,
    /// The total that is divided already.
    divided: Cost,
}

impl CostLedger {
    /// Charges a phase with everything that the total has grown by since the last call.
    pub fn charge(&mut self, phase: RunPhase, total: Cost) {
        let grown = total - self.divided;
        self.divided = total;
        self.add(phase, grown);
    }

    /// Adds a cost from elsewhere, which is no part of the total.
    pub fn add(&mut self, phase: RunPhase, cost: Cost) {
        if cost != Cost::default() {
            *self.by_phase.entry(phase).or_default() += cost;
        }
    }

    /// Adds all phases of another ledger.
    pub fn add_all(&mut self, other: &Self) {
        other.by_phase.iter().for_each(|(phase, cost)| self.add(*phase, *cost));
    }

    pub fn by_phase(&self) -> &BTreeMap<RunPhase, Cost> {
        &self.by_phase
    }

    /// Returns the cost of all phases together.
    pub fn total(&self) -> Cost {
        let mut total = Cost::default();
        self.by_phase.values().for_each(|cost| total += *cost);
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_a_total_grows_by_is_charged_to_one_phase() {
        let events = |events| Cost { events, ..Cost::default() };
        let mut ledger = CostLedger::default();
        ledger.charge(RunPhase::Explore, events(10));
        ledger.charge(RunPhase::Probe, events(13));
        ledger.charge(RunPhase::Explore, events(20));
        ledger.charge(RunPhase::Measure, events(20));
        ledger.add(RunPhase::Minimize, events(5));
        let expected = [
            (RunPhase::Explore, events(17)),
            (RunPhase::Probe, events(3)),
            (RunPhase::Minimize, events(5)),
        ];
        assert_eq!(*ledger.by_phase(), expected.into());
        assert_eq!(ledger.total(), events(25));
    }
}
