//! The way in: the baseline first, then the chosen algorithm, then the answer's verification.

use crate::algorithm::Algorithm;
use crate::check::Check;
use crate::cost::Budget;
use crate::examiner::Examiner;
use crate::forecast::Forecast;
use crate::hdd::Balance;
use crate::oracle::{Goal, Oracle, Stop};
use crate::outcome::{Ending, Outcome};
use crate::scheduler::Scheduler;
use crate::tree::Tree;
use crate::{auto, cdd, dd, hdd, lhdd, nd, probdd, singles};
use thiserror::Error;

/// Minimises the sequence of `problem` as `options` say.
///
/// The result is a function of the problem, the options and the oracle's answers.
pub fn minimize(
    problem: &Problem<'_>,
    oracle: &mut dyn Oracle,
    options: &Options,
) -> Result<Outcome, Error> {
    let tree = problem.validate(options)?;
    let mut examiner = Examiner::new(oracle, options, problem.length);
    let ending = match run(&mut examiner, &tree, problem.states, options) {
        Ok(ending) => ending,
        Err(stop) => Ending::Stopped(stop),
    };
    Ok(examiner.outcome(ending))
}

/// What is to be minimised.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    pub length: usize,
    /// The state *before* each event, if known: the hierarchy is built from them.
    pub states: Option<&'a [u64]>,
}

#[derive(Debug, Clone)]
pub struct Options {
    pub algorithm: Algorithm,
    pub check: Check,
    pub scheduler: Scheduler,
    pub budget: Budget,
    /// LHDD's pre-selection; without it the algorithm is the paper's LHDD-NoPre.
    pub preselect: bool,
    /// ND3MIN's first number of parts, n.
    pub parts: usize,
    /// What ProbDD and CDD first believe of every event: how likely it is needed, p0.
    pub density: f64,
    /// What ProbDD first believes of each event instead, where something is known of them; else empty.
    pub beliefs: Vec<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            check: Check::ONCE,
            scheduler: Scheduler::default(),
            budget: Budget::default(),
            preselect: true,
            parts: 5,
            density: 0.1,
            beliefs: Vec::new(),
        }
    }
}

#[derive(Debug, Error, PartialEq)]
pub enum Error {
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
    #[error("a density must lie between 0 and 1, not {0}")]
    ImpossibleDensity(f64),
    #[error("there are {beliefs} beliefs for {events} events; one of each or none is needed")]
    BeliefsMismatch { beliefs: usize, events: usize },
}

impl Problem<'_> {
    fn validate(&self, options: &Options) -> Result<Tree, Error> {
        let Options { algorithm, check, parts, density, ref beliefs, .. } = *options;
        if !check.is_valid() {
            let Check { runs, required, width } = check;
            return Err(Error::ImpossibleCheck { required, runs, width });
        }
        if parts < 2 {
            return Err(Error::TooFewParts(parts));
        }
        let impossible = |density: &&f64| !(**density > 0.0 && **density < 1.0);
        if let Some(density) = std::iter::once(&density).chain(beliefs).find(impossible) {
            return Err(Error::ImpossibleDensity(*density));
        }
        if !beliefs.is_empty() && beliefs.len() != self.length {
            let (beliefs, events) = (beliefs.len(), self.length);
            return Err(Error::BeliefsMismatch { beliefs, events });
        }
        match self.states {
            Some(states) if states.len() != self.length => {
                Err(Error::StatesMismatch { states: states.len(), events: self.length })
            }
            Some(states) => Ok(Tree::from_states(states)),
            None if algorithm.needs_states() => Err(Error::NeedsStates(algorithm)),
            None => Ok(Tree::flat(self.length)),
        }
    }
}

fn run(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    states: Option<&[u64]>,
    options: &Options,
) -> Result<Ending, Stop> {
    if !examiner.baseline()? {
        return Ok(Ending::NotReproduced);
    }
    let asked = options.check;
    for check in checks(examiner, options) {
        examiner.set_check(check);
        examiner.retreat_to_passing()?;
        reduce(examiner, tree, states, options)?;
        examiner.set_check(asked);
        if examiner.verify()? {
            return Ok(Ending::Finished);
        }
    }
    examiner.retreat_to_standing()?;
    Ok(Ending::Finished)
}

/// How often work goes on from an earlier answer with the stricter check before the best that stands is
/// taken as it is.
const STRICT_TRIES: usize = 3;

/// The checks to work with, the next where the answer found with the one before did not stand: many
/// candidates were judged and the luckiest won. Where one run is asked for, it is the only one.
fn checks(examiner: &Examiner<'_>, options: &Options) -> Vec<Check> {
    let asked = options.check;
    if asked.runs == 1 {
        return vec![asked];
    }
    // By default an original that never failed is taken at its word at first: one run per candidate.
    let at_its_word = options.algorithm == Algorithm::Auto && examiner.was_steady();
    let once = at_its_word.then_some(Check { runs: 1, required: 1, ..asked });
    let strictly = std::iter::repeat_n(asked.confirmation(), STRICT_TRIES);
    once.into_iter().chain([asked]).chain(strictly).collect()
}

fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    states: Option<&[u64]>,
    options: &Options,
) -> Result<(), Stop> {
    examiner.stage(options.algorithm);
    match options.algorithm {
        Algorithm::Auto => auto::reduce(examiner, tree, Forecast::new(states), options)?,
        Algorithm::Dd => dd::reduce(examiner)?,
        Algorithm::Hdd => hdd::reduce(examiner, tree, Balance::Nodes)?,
        Algorithm::Bhdd => hdd::reduce(examiner, tree, Balance::Events)?,
        Algorithm::Lhdd => lhdd::reduce(examiner, tree, options.preselect)?,
        Algorithm::Nd => nd::reduce(examiner, options.parts)?,
        Algorithm::Probdd => probdd::reduce(examiner, options)?,
        Algorithm::Cdd => cdd::reduce(examiner, options.density)?,
    }
    // The hierarchical algorithms, as published, do not try the empty sequence; from an answer of
    // one event it is one run away.
    if options.algorithm.needs_states() && examiner.best().len() == 1 {
        singles::try_empty(examiner)?;
    }
    Ok(())
}

impl Examiner<'_> {
    /// Runs the original as often as the check says; false when it is not worth minimising.
    fn baseline(&mut self) -> Result<bool, Stop> {
        let original = self.best().clone();
        let check = self.check();
        let tally = self.repeat(&original, check.runs)?;
        self.set_baseline(tally);
        if tally.successes < check.baseline_required() {
            return Ok(false);
        }
        self.accept(&original, Goal::Interesting);
        Ok(true)
    }
}
