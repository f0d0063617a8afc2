//! The default: chooses the check by what the baseline showed, goes down the hierarchy first (one
//! level, where states are not known), with a flat pass to 1-minimality last.

use crate::algorithm::Algorithm;
use crate::check::Check;
use crate::examiner::Examiner;
use crate::hdd::Balance;
use crate::lhdd::Descended;
use crate::minimize::Options;
use crate::oracle::{Goal, Stop};
use crate::tree::Tree;
use crate::{halving, hdd, lhdd, singles};

/// Up to here taking out single events costs no more than going through the hierarchy.
const SHORT: usize = 8;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    options: &Options,
) -> Result<(), Stop> {
    let asked = examiner.check();
    if asked.runs > 1 && examiner.was_steady() {
        return as_if_steady(examiner, tree, options, asked);
    }
    shorten(examiner, tree, options)
}

/// An original that never failed is taken at its word: one run per candidate. The answer then has
/// to stand the whole check; if it does not, work goes on with it from the shortest that does.
fn as_if_steady(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    options: &Options,
    asked: Check,
) -> Result<(), Stop> {
    examiner.set_check(Check { runs: 1, required: 1, ..asked });
    let shortened = shorten(examiner, tree, options);
    examiner.set_check(asked);
    shortened?;
    let best = examiner.best().clone();
    let tally = examiner.repeat(&best, asked.runs)?;
    if tally.successes >= asked.required {
        examiner.set_verification(tally);
        return Ok(());
    }
    let answers = examiner.earlier_answers();
    let standing = examiner.get_passing(Goal::Interesting, &answers)?;
    examiner.retreat(standing.map_or_else(|| answers[answers.len() - 1].clone(), |p| p.candidate));
    shorten(examiner, tree, options)
}

fn shorten(examiner: &mut Examiner<'_>, tree: &Tree, options: &Options) -> Result<(), Stop> {
    singles::try_empty(examiner)?;
    if examiner.best().len() > SHORT {
        examiner.stage(Algorithm::Lhdd);
        let descended = lhdd::descend(examiner, tree, options.preselect, halving::in_level)?;
        if matches!(descended, Descended::WithRestored) && examiner.best().len() > SHORT {
            examiner.stage(Algorithm::Bhdd);
            hdd::reduce(examiner, tree, Balance::Events, halving::in_level)?;
        }
    }
    examiner.stage(Algorithm::Auto);
    singles::reduce(examiner)
}
