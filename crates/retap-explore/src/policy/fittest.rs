//! TimeMachine's third policy: which saved state to go back to.
//!
//! f(s) = f0 · (1+r)^w(s) · (1−p)^(v(s)−w(s)): a state that was visited often and led to little has a low fitness.
//! All fitness is computed in logarithms, because after a thousand visits the numbers themselves are zero.

mod neighbourhood;
#[cfg(test)]
mod tests;

use super::settings::{PolicyError, parse_name, parse_setting, split_settings};
use crate::decision_rng::DecisionRng;
use crate::graph::{StateGraph, StateNode};
use retap_model::StateId;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittestPolicy {
    pub choice: FittestChoice,
    /// k: the length of the paths that make up a neighbourhood.
    pub path_length: usize,
    /// r: the share by which each interesting state found from a state raises its fitness.
    pub reward: f64,
    /// p: the share by which each visit that found nothing lowers it.
    pub penalty: f64,
    /// f0: the factor by which an interesting state is fitter at first.
    pub head_start: f64,
    /// c: the share by which each event of the return lowers it. Not in the paper, where all returns cost the same.
    pub cost: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FittestChoice {
    /// The paper's: the highest mean fitness over all paths of length k from the state.
    Neighbourhood,
    /// The highest fitness of the state by itself.
    Own,
    /// The fewest visits.
    Rarest,
    /// Any state, at random.
    Any,
}

impl Default for FittestPolicy {
    fn default() -> Self {
        Self {
            choice: FittestChoice::Neighbourhood,
            path_length: 3,
            reward: 0.1,
            penalty: 0.1,
            head_start: 6.0,
            cost: 0.0,
        }
    }
}

impl FittestPolicy {
    /// Returns the state of the corpus to go back to, among those with a path shorter than `path_limit` events.
    /// Of equally fit states it returns the first.
    pub fn choose(
        &self,
        graph: &StateGraph,
        path_limit: usize,
        rng: &mut DecisionRng,
    ) -> Option<StateId> {
        let is_near =
            |state: &StateId| graph.path_length(*state).is_some_and(|length| length < path_limit);
        let corpus: Vec<StateId> = graph.corpus().map(|(state, _)| state).filter(is_near).collect();
        if self.choice == FittestChoice::Any {
            return rng.pick(&corpus).copied();
        }
        let neighbourhoods = match self.choice {
            FittestChoice::Neighbourhood => self.sum_neighbourhoods(graph, &corpus),
            _ => BTreeMap::new(),
        };
        let return_lengths = if self.cost > 0.0 { graph.return_lengths() } else { BTreeMap::new() };
        let score = |state: StateId| {
            let node = graph.node(state)?;
            let return_length = return_lengths.get(&state).copied().unwrap_or(0) as f64;
            let fitness = match self.choice {
                FittestChoice::Neighbourhood => neighbourhoods.get(&state)?.mean(),
                FittestChoice::Rarest => -(node.visits as f64),
                FittestChoice::Own | FittestChoice::Any => self.fitness(node),
            };
            Some(fitness + return_length * (1.0 - self.cost).ln())
        };
        let scored = corpus.into_iter().filter_map(|state| Some((score(state)?, state)));
        scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, s)| s)
    }

    /// Returns ln f(s).
    pub fn fitness(&self, node: &StateNode) -> f64 {
        let head_start = if node.is_interesting { self.head_start.ln() } else { 0.0 };
        let discoveries = node.discoveries as f64;
        // An event that stays in a state counts as a visit, so that a dead end loses fitness as fast as a state
        // that events leave.
        let visits = node.visits + node.stays;
        let fruitless = visits.saturating_sub(node.discoveries) as f64;
        head_start + discoveries * (1.0 + self.reward).ln() + fruitless * (1.0 - self.penalty).ln()
    }
}

impl FittestChoice {
    pub const ALL: [FittestChoice; 4] = [
        FittestChoice::Neighbourhood,
        FittestChoice::Own,
        FittestChoice::Rarest,
        FittestChoice::Any,
    ];
}

impl fmt::Display for FittestChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FittestChoice::Neighbourhood => "neighbourhood",
            FittestChoice::Own => "own",
            FittestChoice::Rarest => "rarest",
            FittestChoice::Any => "any",
        })
    }
}

impl FromStr for FittestPolicy {
    type Err = PolicyError;

    /// Parses `neighbourhood,k=3,r=0.1,p=0.1,f0=6,c=0`.
    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let (name, settings) = split_settings(text);
        let mut policy = Self { choice: parse_name(name, &FittestChoice::ALL)?, ..Self::default() };
        for setting in settings {
            let is_known = parse_setting(setting, "k", &mut policy.path_length)?
                || parse_setting(setting, "r", &mut policy.reward)?
                || parse_setting(setting, "p", &mut policy.penalty)?
                || parse_setting(setting, "f0", &mut policy.head_start)?
                || parse_setting(setting, "c", &mut policy.cost)?;
            let is_in_range = policy.path_length <= 10
                && (0.0..1.0).contains(&policy.penalty)
                && (0.0..1.0).contains(&policy.cost)
                && (0.0..10.0).contains(&policy.reward)
                && policy.head_start > 0.0;
            if !is_known || !is_in_range {
                return Err(PolicyError::new("k=3, r=0.1, p=0.1, f0=6 or c=0", setting));
            }
        }
        Ok(policy)
    }
}
