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

/// How often an answer that did not stand up to fresh runs is given up for an earlier one.
const RETREATS: usize = 3;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    options: &Options,
) -> Result<(), Stop> {
    let asked = examiner.check();
    if examiner.was_steady() {
        // An original that never failed is taken at its word: one run per candidate.
        examiner.set_check(Check { runs: 1, required: 1, ..asked });
    }
    let shortened = shorten(examiner, tree, options);
    examiner.set_check(asked);
    shortened?;
    // Many candidates were judged and the luckiest won: the answer has to stand the check again.
    // If it does not, work goes on from the shortest that does.
    for _ in 0..RETREATS {
        let answers = examiner.earlier_answers();
        if answers.len() == 1 || examiner.verify()? {
            break;
        }
        let standing = examiner.get_passing(Goal::Interesting, &answers)?;
        let original = &answers[answers.len() - 1];
        examiner.retreat(standing.map_or_else(|| original.clone(), |passing| passing.candidate));
        shorten(examiner, tree, options)?;
    }
    Ok(())
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
