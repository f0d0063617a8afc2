//! The default: chooses by what the baseline showed, the hierarchy first where there is one, a flat
//! pass to 1-minimality last.

use crate::algorithm::Algorithm;
use crate::check::Check;
use crate::examiner::Examiner;
use crate::minimize::Options;
use crate::oracle::{Goal, Stop};
use crate::tree::Tree;
use crate::{dd, lhdd, nd, singles};

/// Up to here the flat pass takes out single events; above, ddmin's halving pays.
const SHORT: usize = 12;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: Option<&Tree>,
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
    tree: Option<&Tree>,
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

fn shorten(
    examiner: &mut Examiner<'_>,
    tree: Option<&Tree>,
    options: &Options,
) -> Result<(), Stop> {
    singles::try_empty(examiner)?;
    if let Some(tree) = tree.filter(|_| examiner.best().len() > SHORT) {
        examiner.stage(Algorithm::Lhdd);
        lhdd::reduce(examiner, tree, options.preselect)?;
    }
    if examiner.best().len() > SHORT {
        if examiner.check().runs > 1 {
            examiner.stage(Algorithm::Nd);
            nd::reduce(examiner, options.parts)?;
        } else {
            examiner.stage(Algorithm::Dd);
            dd::reduce(examiner)?;
        }
    }
    examiner.stage(Algorithm::Auto);
    singles::reduce(examiner)
}
