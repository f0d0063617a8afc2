//! How far the answer is from the best possible. A lower bound on the cost of any suite that covers the
//! same with at most k fragments a trace, by the linear relaxation of a set cover in which steps are not
//! free to stand alone: whatever enters a place must have come there.

use crate::bits::Bits;
use crate::ground::Ground;
use crate::lts::Lts;
use crate::trial::Proven;
use crate::trie::Label;
use microlp::{
    ComparisonOp, OptimizationDirection, Problem, Solution, SolutionStatus, SolveOutcome, Variable,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Steps beyond which the flow is left out: the solver's time grows with the square of its rows.
const FLOW_STEPS: usize = 1500;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LowerBound {
    /// In the cost model's unit, traces that were to be kept included.
    pub cost: u64,
    pub method: Method,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Cover, flow through places and the number of fragments.
    Flow,
    /// Cover and flow for any number of fragments: equal steps are one.
    FlowOfAny,
    /// Cover alone, for suites too large for the flow.
    Cover,
}

/// `answer` is only asked what its steps covered: a step may cover more there than where it came from.
pub(crate) fn lower_bound(
    ground: &Ground<'_>,
    lts: &Lts<'_>,
    answer: &[Proven],
    fragments: usize,
    is_stopped: impl Fn() -> bool,
) -> Option<LowerBound> {
    if answer.is_empty() {
        return Some(LowerBound { cost: 0, method: Method::Cover });
    }
    let observed = Observed::new(ground, lts, answer);
    let distinct = lts.distinct();
    let (lts, method) = match (lts.rails.len(), distinct.rails.len()) {
        (..=FLOW_STEPS, _) => (lts, Method::Flow),
        (_, ..=FLOW_STEPS) => (&distinct, Method::FlowOfAny),
        _ => (&distinct, Method::Cover),
    };
    let mut program = Program::new(ground, lts);
    program.cover(&observed);
    if method != Method::Cover {
        program.flow((method == Method::Flow).then_some(fragments));
    }
    let solution = solve(program.problem, is_stopped)?;
    // Costs are whole numbers, so the best suite's is at least the next one; but not for a rounding error.
    let cost = (solution.objective() - 1e-6).ceil().max(0.0) as u64;
    Some(LowerBound { cost, method })
}

/// The optimum: anything less proven would be no bound. Now and then the solver is asked to pause, so that
/// it can be stopped; what it answers in the end does not depend on that.
fn solve(mut problem: Problem, is_stopped: impl Fn() -> bool) -> Option<Solution> {
    problem.set_time_limit(Duration::from_millis(200));
    let mut outcome = problem.solve().ok()?;
    loop {
        match outcome {
            SolveOutcome::Solution(solution) if solution.status() == SolutionStatus::Optimal => {
                return Some(solution);
            }
            _ if is_stopped() => return None,
            unfinished => outcome = unfinished.resume().ok()?,
        }
    }
}

/// All that a launch or step was ever seen to cover, by what it is and not by where it stands.
struct Observed {
    launches: BTreeMap<Label, Bits>,
    steps: BTreeMap<(u32, Label), Bits>,
}

impl Observed {
    fn new(ground: &Ground<'_>, lts: &Lts<'_>, answer: &[Proven]) -> Self {
        let mut observed = Self { launches: BTreeMap::new(), steps: BTreeMap::new() };
        for (label, start) in &lts.launches {
            observed.launch(ground, *label, &start.covers);
        }
        for rail in &lts.rails {
            observed.step(ground, rail.edge, &rail.covers);
        }
        for Proven { path, covers, .. } in answer {
            observed.launch(ground, ground.launches[path.launch].label, &covers[0]);
            for (edge, covers) in path.edges.iter().zip(&covers[1..]) {
                observed.step(ground, *edge, covers);
            }
        }
        observed
    }

    fn launch(&mut self, ground: &Ground<'_>, label: Label, covers: &Bits) {
        self.launches.entry(label).or_insert_with(|| ground.none()).union_with(covers);
    }

    fn step(&mut self, ground: &Ground<'_>, edge: usize, covers: &Bits) {
        let key = ground.edges[edge].key();
        self.steps.entry(key).or_insert_with(|| ground.none()).union_with(covers);
    }
}

struct Program<'p> {
    ground: &'p Ground<'p>,
    lts: &'p Lts<'p>,
    problem: Problem,
    /// How often each rail is used, and each launch.
    uses: Vec<Variable>,
    launches: BTreeMap<Label, Variable>,
}

const ANY: (f64, f64) = (0.0, f64::INFINITY);

impl<'p> Program<'p> {
    fn new(ground: &'p Ground<'p>, lts: &'p Lts<'p>) -> Self {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let cost = |edge: usize| ground.edges[edge].cost as f64;
        let uses = lts.rails.iter().map(|rail| problem.add_var(cost(rail.edge), ANY)).collect();
        let launches = lts
            .launches
            .iter()
            .map(|(label, start)| {
                let cost = ground.launches[start.trace].cost as f64;
                (*label, problem.add_var(cost, ANY))
            })
            .collect();
        let mut program = Self { ground, lts, problem, uses, launches };
        let all: Vec<_> = program.launches.values().map(|launch| (*launch, 1.0)).collect();
        program.problem.add_constraint(all, ComparisonOp::Ge, 1.0);
        program
    }

    /// Every bundle is covered by something that is used.
    fn cover(&mut self, observed: &Observed) {
        let mut rows: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let variables: Vec<Variable> =
            self.uses.iter().chain(self.launches.values()).copied().collect();
        let rails = self
            .lts
            .rails
            .iter()
            .map(|rail| observed.steps.get(&self.ground.edges[rail.edge].key()));
        let launches = self.launches.keys().map(|label| observed.launches.get(label));
        for (at, covers) in rails.chain(launches).enumerate() {
            for bundle in covers.into_iter().flat_map(Bits::iter) {
                rows.entry(bundle).or_default().insert(at);
            }
        }
        // Bundles with the same rows ask for the same.
        let rows: BTreeSet<BTreeSet<usize>> = rows.into_values().collect();
        for row in rows {
            let terms: Vec<_> = row.into_iter().map(|at| (variables[at], 1.0)).collect();
            self.problem.add_constraint(terms, ComparisonOp::Ge, 1.0);
        }
    }

    /// Who leaves a place has come there: by a step, or by a launch. Fragments are counted where a rail
    /// is entered otherwise than from the one before it.
    fn flow(&mut self, fragments: Option<usize>) {
        let rails = self.lts.rails.len();
        // How often a rail is followed by the next one.
        let follows: Vec<Option<Variable>> = (0..rails)
            .map(|at| self.lts.rails[at].goes_on.then(|| self.problem.add_var(0.0, ANY)))
            .collect();
        let mut balance: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); self.ground.places];
        let mut entered: Vec<(Variable, f64)> = Vec::new();
        for (at, follow) in follows.into_iter().enumerate() {
            let edge = &self.ground.edges[self.lts.rails[at].edge];
            balance[edge.from as usize].push((self.uses[at], -1.0));
            balance[edge.to as usize].push((self.uses[at], 1.0));
            entered.push((self.uses[at], 1.0));
            if let Some(follow) = follow {
                entered.push((follow, -1.0));
                for one in [at, at + 1] {
                    let terms = [(self.uses[one], 1.0), (follow, -1.0)];
                    self.problem.add_constraint(terms, ComparisonOp::Ge, 0.0);
                }
            }
        }
        for (label, start) in &self.lts.launches {
            let place = self.ground.launches[start.trace].to;
            balance[place as usize].push((self.launches[label], 1.0));
        }
        for terms in balance.into_iter().filter(|terms| !terms.is_empty()) {
            self.problem.add_constraint(merge(terms), ComparisonOp::Ge, 0.0);
        }
        if let Some(fragments) = fragments {
            let allowed = |launch: &Variable| (*launch, -(fragments as f64));
            entered.extend(self.launches.values().map(allowed));
            self.problem.add_constraint(entered, ComparisonOp::Le, 0.0);
        }
    }
}

/// A step that ends where it began appears twice; the solver takes a variable once.
fn merge(mut terms: Vec<(Variable, f64)>) -> Vec<(Variable, f64)> {
    terms.sort_by_key(|(variable, _)| variable.idx());
    let mut merged: Vec<(Variable, f64)> = Vec::with_capacity(terms.len());
    for (variable, factor) in terms {
        match merged.last_mut() {
            Some((last, sum)) if last.idx() == variable.idx() => *sum += factor,
            _ => merged.push((variable, factor)),
        }
    }
    merged
}
