//! The linear program of the lower bound. Its variables say how often each transition and each launch is used.

use super::observed_coverage::ObservedCoverage;
use crate::model::bit_set::BitSet;
use crate::model::labels::StepLabel;
use crate::phase2::transition_system::TransitionSystem;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct LinearProgram<'p> {
    system: &'p TransitionSystem<'p>,
    pub problem: Problem,
    /// The number of uses of each transition.
    uses: Vec<Variable>,
    /// The number of uses of each launch.
    launches: BTreeMap<StepLabel, Variable>,
}

/// A variable and its factor.
type Term = (Variable, f64);

const NOT_NEGATIVE: (f64, f64) = (0.0, f64::INFINITY);

impl<'p> LinearProgram<'p> {
    /// Makes a program that minimises the cost and requires at least one launch.
    pub fn new(system: &'p TransitionSystem<'p>) -> Self {
        let traces = system.traces;
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let uses = system
            .transitions
            .iter()
            .map(|transition| {
                problem.add_var(traces.steps[transition.step].cost as f64, NOT_NEGATIVE)
            })
            .collect();
        let launches: BTreeMap<StepLabel, Variable> = system
            .launches
            .iter()
            .map(|(label, launch)| {
                let cost = traces.launches[launch.trace].cost as f64;
                (*label, problem.add_var(cost, NOT_NEGATIVE))
            })
            .collect();
        let all: Vec<Term> = launches.values().map(|launch| (*launch, 1.0)).collect();
        problem.add_constraint(all, ComparisonOp::Ge, 1.0);
        Self { system, problem, uses, launches }
    }

    /// Requires that every group is covered by something that is used.
    pub fn require_coverage(&mut self, observed: &ObservedCoverage) {
        let variables: Vec<Variable> =
            self.uses.iter().chain(self.launches.values()).copied().collect();
        let steps = &self.system.traces.steps;
        let transitions = self.system.transitions.iter();
        let by_transition =
            transitions.map(|transition| &observed.steps[&steps[transition.step].key()]);
        let by_launch = self.launches.keys().map(|label| &observed.launches[label]);
        let mut rows: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (variable, groups) in by_transition.chain(by_launch).enumerate() {
            for group in BitSet::iter(groups) {
                rows.entry(group).or_default().insert(variable);
            }
        }
        // Groups with equal rows ask for the same.
        let rows: BTreeSet<BTreeSet<usize>> = rows.into_values().collect();
        for row in rows {
            let terms: Vec<Term> = row.into_iter().map(|index| (variables[index], 1.0)).collect();
            self.problem.add_constraint(terms, ComparisonOp::Ge, 1.0);
        }
    }

    /// Requires that whatever leaves a location has come there, by a step or by a launch. With `fragments`, also limits
    /// how often a transition is entered otherwise than from its predecessor.
    pub fn require_flow(&mut self, fragments: Option<usize>) {
        let traces = self.system.traces;
        // How often each transition is followed by its successor.
        let followed: Vec<Option<Variable>> = self
            .system
            .transitions
            .iter()
            .map(|transition| {
                transition.has_successor.then(|| self.problem.add_var(0.0, NOT_NEGATIVE))
            })
            .collect();
        let mut balance: Vec<Vec<Term>> = vec![Vec::new(); traces.location_count()];
        let mut entered: Vec<Term> = Vec::new();
        for (index, followed) in followed.into_iter().enumerate() {
            let step = &traces.steps[self.system.transitions[index].step];
            balance[step.from as usize].push((self.uses[index], -1.0));
            balance[step.to as usize].push((self.uses[index], 1.0));
            entered.push((self.uses[index], 1.0));
            if let Some(followed) = followed {
                entered.push((followed, -1.0));
                for used in [index, index + 1] {
                    let terms = [(self.uses[used], 1.0), (followed, -1.0)];
                    self.problem.add_constraint(terms, ComparisonOp::Ge, 0.0);
                }
            }
        }
        for (label, launch) in &self.system.launches {
            let location = traces.launches[launch.trace].to;
            balance[location as usize].push((self.launches[label], 1.0));
        }
        for terms in balance.into_iter().filter(|terms| !terms.is_empty()) {
            self.problem.add_constraint(merge_terms(terms), ComparisonOp::Ge, 0.0);
        }
        if let Some(fragments) = fragments {
            let allowed = |launch: &Variable| (*launch, -(fragments as f64));
            entered.extend(self.launches.values().map(allowed));
            self.problem.add_constraint(entered, ComparisonOp::Le, 0.0);
        }
    }
}

/// Adds up the factors of each variable. A step that ends where it began appears twice, and the solver takes a variable
/// once.
fn merge_terms(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_by_key(|(variable, _)| variable.idx());
    let mut merged: Vec<Term> = Vec::with_capacity(terms.len());
    for (variable, factor) in terms {
        match merged.last_mut() {
            Some((last, sum)) if last.idx() == variable.idx() => *sum += factor,
            _ => merged.push((variable, factor)),
        }
    }
    merged
}
