//! Which saved state to go back to: TimeMachine's third policy.
//!
//! f(s) = f0 · (1+r)^w(s) · (1−p)^(v(s)−w(s)): a state that was visited often and gave little is worn out.
//! Everything is computed in logarithms: after a thousand visits the numbers themselves are zero.

use crate::dice::Dice;
use crate::graph::{Graph, Node};
use crate::policy::{self, PolicyError};
use retap_model::StateId;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fittest {
    pub choice: Choice,
    /// k: the length of the paths that make up a neighbourhood.
    pub path_length: usize,
    /// r: what an interesting state that was found adds.
    pub reward: f64,
    /// p: what a visit that found nothing takes.
    pub penalty: f64,
    /// How many times fitter an interesting state begins.
    pub head_start: f64,
    /// c: what every event of the way back takes. Not in the paper, where all returns cost the same.
    pub cost: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The paper's: the highest mean fitness over all paths of length k from it.
    Neighbourhood,
    /// The fittest state by itself.
    Own,
    /// The one visited least.
    Rarest,
    /// Any of them.
    Any,
}

impl Default for Fittest {
    fn default() -> Self {
        Self {
            choice: Choice::Neighbourhood,
            path_length: 3,
            reward: 0.1,
            penalty: 0.1,
            head_start: 6.0,
            cost: 0.0,
        }
    }
}

impl Fittest {
    /// The state of the corpus to go back to. The first of equals.
    /// Of the states that fewer than `room` events lead to.
    pub fn choose(&self, graph: &Graph, room: usize, dice: &mut Dice) -> Option<StateId> {
        let corpus = graph.corpus().map(|(state, _)| state);
        let near = |state: &StateId| graph.depth(*state).is_some_and(|depth| depth < room);
        let corpus: Vec<StateId> = corpus.filter(near).collect();
        if self.choice == Choice::Any {
            return dice.pick(&corpus).copied();
        }
        let neighbourhoods = match self.choice {
            Choice::Neighbourhood => self.neighbourhoods(graph, &corpus),
            _ => BTreeMap::new(),
        };
        let ways = if self.cost > 0.0 { graph.way_lengths() } else { BTreeMap::new() };
        let score = |state: StateId| {
            let node = graph.node(state)?;
            let way = ways.get(&state).copied().unwrap_or(0) as f64;
            let worth = match self.choice {
                Choice::Neighbourhood => neighbourhoods.get(&state)?.mean(),
                Choice::Rarest => -(node.visits as f64),
                Choice::Own | Choice::Any => self.fitness(node),
            };
            Some(worth + way * (1.0 - self.cost).ln())
        };
        let scored = corpus.into_iter().filter_map(|state| Some((score(state)?, state)));
        scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, s)| s)
    }

    /// ln f(s).
    pub fn fitness(&self, node: &Node) -> f64 {
        let head_start = if node.interesting { self.head_start.ln() } else { 0.0 };
        let found = node.found as f64;
        // An event that stays where it is visits the state once more: a dead end wears out as fast as it is left.
        let visits = node.visits + node.stays;
        let fruitless = visits.saturating_sub(node.found) as f64;
        head_start + found * (1.0 + self.reward).ln() + fruitless * (1.0 - self.penalty).ln()
    }

    /// Of each state of the corpus, all paths of length k at once: those of length k−1 from where its events lead,
    /// each one state longer. A path that cannot go on ends where it is.
    fn neighbourhoods(&self, graph: &Graph, corpus: &[StateId]) -> BTreeMap<StateId, Sum> {
        let mut shorter: BTreeMap<StateId, Sum> = BTreeMap::new();
        for length in 0..=self.path_length {
            // Only states that paths of the corpus can come to with this many steps left matter.
            let wanted = within(graph, corpus, self.path_length - length);
            let mut longer = BTreeMap::new();
            for state in wanted {
                let Some(node) = graph.node(state) else { continue };
                let own = self.fitness(node);
                let next = node.next().filter(|next| *next != state);
                let next = next.filter_map(|next| shorter.get(&next));
                let paths = next.copied().reduce(Sum::add).filter(|_| length > 0);
                longer.insert(state, paths.map_or(Sum::one(own), |paths| paths.prepend(own)));
            }
            shorter = longer;
        }
        shorter
    }
}

/// The corpus and all states at most this many steps away from it.
fn within(graph: &Graph, corpus: &[StateId], steps: usize) -> Vec<StateId> {
    let mut reached: std::collections::BTreeSet<StateId> = corpus.iter().copied().collect();
    let mut edge: Vec<StateId> = corpus.to_vec();
    for _ in 0..steps {
        let next: Vec<StateId> = edge
            .iter()
            .filter_map(|state| graph.node(*state))
            .flat_map(Node::next)
            .filter(|state| reached.insert(*state))
            .collect();
        edge = next;
    }
    reached.into_iter().collect()
}

/// Over a set of paths, in logarithms: how many there are, how many states they have, and their fitness.
#[derive(Debug, Clone, Copy)]
struct Sum {
    paths: f64,
    states: f64,
    fitness: f64,
}

impl Sum {
    fn one(fitness: f64) -> Self {
        Self { paths: 0.0, states: 0.0, fitness }
    }

    fn add(self, other: Self) -> Self {
        Self {
            paths: log_add(self.paths, other.paths),
            states: log_add(self.states, other.states),
            fitness: log_add(self.fitness, other.fitness),
        }
    }

    /// One state more at the beginning of every path.
    fn prepend(self, fitness: f64) -> Self {
        Self {
            paths: self.paths,
            states: log_add(self.states, self.paths),
            fitness: log_add(self.fitness, self.paths + fitness),
        }
    }

    fn mean(self) -> f64 {
        self.fitness - self.states
    }
}

/// ln(e^a + e^b).
fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if high == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

impl Choice {
    pub const ALL: [Choice; 4] = [Choice::Neighbourhood, Choice::Own, Choice::Rarest, Choice::Any];
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Choice::Neighbourhood => "neighbourhood",
            Choice::Own => "own",
            Choice::Rarest => "rarest",
            Choice::Any => "any",
        })
    }
}

impl FromStr for Fittest {
    type Err = PolicyError;

    /// `neighbourhood,k=3,r=0.1,p=0.1,f0=6,c=0`.
    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let (name, settings) = policy::split(text);
        let mut fittest = Self { choice: policy::by_name(name, &Choice::ALL)?, ..Self::default() };
        for part in settings {
            let known = policy::setting(part, "k", &mut fittest.path_length)?
                || policy::setting(part, "r", &mut fittest.reward)?
                || policy::setting(part, "p", &mut fittest.penalty)?
                || policy::setting(part, "f0", &mut fittest.head_start)?
                || policy::setting(part, "c", &mut fittest.cost)?;
            let sensible = fittest.path_length <= 10
                && (0.0..1.0).contains(&fittest.penalty)
                && (0.0..1.0).contains(&fittest.cost)
                && (0.0..10.0).contains(&fittest.reward)
                && fittest.head_start > 0.0;
            if !known || !sensible {
                return Err(policy::unknown("k=3, r=0.1, p=0.1, f0=6 or c=0", part));
            }
        }
        Ok(fittest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interesting::{Interesting, Met};
    use retap_model::trace::StepResult;
    use retap_model::{Event, Step, Trace};

    /// A graph from traces of states, all events alike. Every new state is interesting.
    fn graph(traces: &[&[u64]]) -> Graph {
        let mut graph = Graph::new(Interesting::NewState);
        for states in traces {
            let result =
                |state: u64| StepResult { state: Some(StateId(state)), ..StepResult::default() };
            let mut trace = Trace { world_seed: 0, start: result(states[0]), steps: Vec::new() };
            for (at, state) in states.iter().enumerate() {
                let result = result(*state);
                let (first, sees_code, new_activity) = (true, true, false);
                let met = Met {
                    result: &result,
                    first,
                    new_units: 1,
                    sees_code,
                    new_activity,
                    screen: None,
                };
                if at == 0 {
                    graph.start(&trace, met);
                } else {
                    trace
                        .steps
                        .push(Step { event: Event::Wait(*state as u32), result: result.clone() });
                    graph.step(&trace, met);
                }
            }
        }
        graph
    }

    fn chosen(policy: &str, graph: &Graph) -> Option<u64> {
        let fittest: Fittest = policy.parse().unwrap();
        fittest.choose(graph, usize::MAX, &mut Dice::new(1, 1)).map(|state| state.0)
    }

    #[test]
    fn fitness_is_the_papers_formula() {
        let fittest = Fittest::default();
        let mut node = Node::default();
        (node.visits, node.found, node.interesting) = (5, 2, true);
        let expected = 6.0 * 1.1f64.powi(2) * 0.9f64.powi(3);
        assert!((fittest.fitness(&node).exp() - expected).abs() < 1e-9);
        node.interesting = false;
        assert!((fittest.fitness(&node).exp() - expected / 6.0).abs() < 1e-9);
    }

    #[test]
    fn a_state_that_leads_into_worn_out_ones_is_less_fit_than_its_equal_that_does_not() {
        // 1 and 2 were both visited once; behind 1 lies 8 ⇄ 9, visited again and again.
        let worn: Vec<u64> = [0, 1, 8].into_iter().chain([9, 8].repeat(40)).collect();
        let graph = graph(&[&worn, &[0, 2, 3]]);
        let fittest = Fittest::default();
        let own = |state: u64| fittest.fitness(graph.node(StateId(state)).unwrap());
        assert_eq!(own(1), own(2));
        let around = fittest.neighbourhoods(&graph, &[StateId(1), StateId(2)]);
        assert!(around[&StateId(1)].mean() < around[&StateId(2)].mean());
    }

    #[test]
    fn the_mean_is_over_all_paths_of_length_k() {
        // 0 → 1 → 2 and 0 → 3: with k = 1 the paths from 0 are 0-1 and 0-3.
        let graph = graph(&[&[0, 1, 2], &[0, 3]]);
        let fittest: Fittest = "neighbourhood,k=1".parse().unwrap();
        let f = |state: u64| fittest.fitness(graph.node(StateId(state)).unwrap()).exp();
        let mean = fittest.neighbourhoods(&graph, &[StateId(0)])[&StateId(0)].mean().exp();
        let expected = (f(0) + f(1) + f(0) + f(3)) / 4.0;
        assert!((mean - expected).abs() < 1e-9, "{mean} is not {expected}");
    }

    #[test]
    fn of_two_equals_the_nearer_is_chosen_where_ways_cost() {
        // 9 and 8 were both met once and gave one state each; 9 is nearer. The launch is worn out.
        let mut traces: Vec<&[u64]> = vec![&[0]; 40];
        traces.push(&[0, 9, 8, 3]);
        let graph = graph(&traces);
        assert_eq!(chosen("own,c=0.5", &graph), Some(9));
        assert_eq!(chosen("own", &graph), Some(8), "the first of equals");
    }

    #[test]
    fn after_a_hundred_thousand_visits_there_still_is_a_fittest() {
        let worn: Vec<u64> = [0, 1].repeat(100_000);
        let graph = graph(&[&worn, &[0, 2]]);
        assert_eq!(chosen("neighbourhood", &graph), Some(2));
    }

    #[test]
    fn settings_are_read_and_nonsense_is_refused() {
        let fittest: Fittest = "own,k=2,r=0.5,p=0.2,f0=3".parse().unwrap();
        assert_eq!(
            (fittest.choice, fittest.path_length, fittest.head_start),
            (Choice::Own, 2, 3.0)
        );
        for wrong in ["best", "own,z=1", "own,k=x", "own,p=1", "own,c=1", "own,k=99", ""] {
            assert!(wrong.parse::<Fittest>().is_err(), "{wrong}");
        }
    }
}
