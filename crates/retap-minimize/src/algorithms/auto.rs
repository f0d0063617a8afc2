//! The default. It goes down the hierarchy first (one level, where states are not known), then removes
//! the largest parts, with a flat pass to 1-minimality last.

use super::lhdd::{self, DescentOptions, DescentResult};
use super::one_minimality::{self, SHORT_TRACE};
use super::{Algorithm, largest_first, level_bisection};
use crate::hierarchy::StateTree;
use crate::problem::MinimizeOptions;
use crate::search::{Examiner, Forecast, SearchStop};

/// Above this length, removing single events is too expensive: it costs the square of the length.
const LONG_TRACE: usize = 32;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    forecast: Forecast<'_>,
    options: &MinimizeOptions,
) -> Result<(), SearchStop> {
    one_minimality::try_empty(examiner)?;
    // A short original costs no more event by event than through the hierarchy.
    if examiner.best().len() > SHORT_TRACE {
        reduce_hierarchy(examiner, tree, forecast, options)?;
    }
    examiner.set_algorithm(Algorithm::Auto);
    loop {
        one_minimality::remove_single_events(examiner, forecast)?;
        if !one_minimality::remove_event_pair(examiner, forecast)? {
            return Ok(());
        }
    }
}

fn reduce_hierarchy(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    forecast: Forecast<'_>,
    options: &MinimizeOptions,
) -> Result<(), SearchStop> {
    examiner.set_algorithm(Algorithm::Lhdd);
    let descent_options = DescentOptions {
        preselect: options.preselect,
        reduce_level: level_bisection::bisect_level,
        try_last_nodes: options.preselect,
    };
    let descent_result = lhdd::descend(examiner, tree, descent_options)?;
    examiner.set_algorithm(Algorithm::Auto);
    if matches!(descent_result, DescentResult::NodesRestored) {
        largest_first::reduce(examiner, tree, forecast)?;
    }
    if examiner.best().len() > LONG_TRACE {
        // The states say little about this app, for example because no two screens are alike.
        let flat_tree = StateTree::flat(tree.len());
        largest_first::reduce(examiner, &flat_tree, Forecast::without_states())?;
    }
    Ok(())
}
