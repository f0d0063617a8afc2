//! The algorithms of the papers under their own names, and `auto`, which combines them.

mod algorithm;
mod auto;
mod bhdd;
mod cdd;
mod dd;
mod hdd;
mod largest_first;
mod level_bisection;
mod lhdd;
mod nd;
mod one_minimality;
mod probdd;

pub use algorithm::Algorithm;

use crate::hierarchy::StateTree;
use crate::problem::MinimizeOptions;
use crate::search::{Examiner, Forecast, SearchStop};

/// Reduces the examiner's best answer with the chosen algorithm.
pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    forecast: Forecast<'_>,
    options: &MinimizeOptions,
) -> Result<(), SearchStop> {
    examiner.set_algorithm(options.algorithm);
    match options.algorithm {
        Algorithm::Auto => auto::reduce(examiner, tree, forecast, options)?,
        Algorithm::Dd => dd::reduce(examiner)?,
        Algorithm::Hdd => hdd::reduce(examiner, tree)?,
        Algorithm::Bhdd => bhdd::reduce(examiner, tree)?,
        Algorithm::Lhdd => lhdd::reduce(examiner, tree, options.preselect)?,
        Algorithm::Nd => nd::reduce(examiner, options.parts)?,
        Algorithm::Probdd => probdd::reduce(examiner, options)?,
        Algorithm::Cdd => cdd::reduce(examiner, options.initial_probability)?,
    }
    // The hierarchical algorithms, as published, do not try the empty sequence. From an answer of one
    // event it is one run away.
    if options.algorithm.needs_states() && examiner.best().len() == 1 {
        one_minimality::try_empty(examiner)?;
    }
    Ok(())
}
