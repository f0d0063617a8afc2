//! The problem to minimise, the options of the search, and their validation.

use crate::algorithms::Algorithm;
use crate::hierarchy::StateTree;
use crate::scheduling::Scheduler;
use crate::search::SearchBudget;
use crate::statistics::Check;
use thiserror::Error;

/// The sequence to minimise.
#[derive(Debug, Clone, Copy)]
pub struct MinimizeProblem<'a> {
    pub length: usize,
    /// The state *before* each event, if known: the hierarchy is built from them.
    pub states: Option<&'a [u64]>,
}

/// The options of a search.
#[derive(Debug, Clone)]
pub struct MinimizeOptions {
    pub algorithm: Algorithm,
    pub check: Check,
    pub scheduler: Scheduler,
    pub budget: SearchBudget,
    /// LHDD's pre-selection; without it the algorithm is the paper's LHDD-NoPre.
    pub preselect: bool,
    /// ND3MIN's first number of parts, n.
    pub parts: usize,
    /// The probability that an event is needed, before anything has run: p0 of ProbDD and CDD.
    pub initial_probability: f64,
    /// ProbDD's initial probability for each event, where the caller knows more; otherwise empty.
    pub event_probabilities: Vec<f64>,
}

impl Default for MinimizeOptions {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            check: Check::ONCE,
            scheduler: Scheduler::default(),
            budget: SearchBudget::default(),
            preselect: true,
            parts: 5,
            initial_probability: 0.1,
            event_probabilities: Vec::new(),
        }
    }
}

/// The reason why a problem cannot be minimised with the given options.
#[derive(Debug, Error, PartialEq)]
pub enum MinimizeError {
    #[error(
        "{0} works on the hierarchy of states, and the states of this sequence are not known; use dd, nd or auto"
    )]
    NeedsStates(Algorithm),
    #[error("there are {states} states for {events} events; one before each event is needed")]
    StatesMismatch { states: usize, events: usize },
    #[error("a check of {required} successes in {runs} runs, {width} at a time, cannot be made")]
    ImpossibleCheck { required: u32, runs: u32, width: u32 },
    #[error("ND3MIN needs at least 2 parts, not {0}")]
    TooFewParts(usize),
    #[error("the probability that an event is needed must lie between 0 and 1, not {0}")]
    ImpossibleProbability(f64),
    #[error(
        "there are {probabilities} probabilities for {events} events; give one for each or none"
    )]
    ProbabilitiesMismatch { probabilities: usize, events: usize },
}

impl MinimizeProblem<'_> {
    /// Checks the problem and the options, and builds the tree of the states.
    pub(crate) fn build_tree(&self, options: &MinimizeOptions) -> Result<StateTree, MinimizeError> {
        options.validate(self.length)?;
        match self.states {
            Some(states) if states.len() != self.length => {
                Err(MinimizeError::StatesMismatch { states: states.len(), events: self.length })
            }
            Some(states) => Ok(StateTree::from_states(states)),
            None if options.algorithm.needs_states() => {
                Err(MinimizeError::NeedsStates(options.algorithm))
            }
            None => Ok(StateTree::flat(self.length)),
        }
    }
}

impl MinimizeOptions {
    fn validate(&self, events: usize) -> Result<(), MinimizeError> {
        let Check { runs, required, width } = self.check;
        if !self.check.is_valid() {
            return Err(MinimizeError::ImpossibleCheck { required, runs, width });
        }
        if self.parts < 2 {
            return Err(MinimizeError::TooFewParts(self.parts));
        }
        let is_impossible = |probability: &&f64| !(**probability > 0.0 && **probability < 1.0);
        let mut probabilities =
            std::iter::once(&self.initial_probability).chain(&self.event_probabilities);
        if let Some(probability) = probabilities.find(is_impossible) {
            return Err(MinimizeError::ImpossibleProbability(*probability));
        }
        let probabilities = self.event_probabilities.len();
        if probabilities != 0 && probabilities != events {
            return Err(MinimizeError::ProbabilitiesMismatch { probabilities, events });
        }
        Ok(())
    }
}
