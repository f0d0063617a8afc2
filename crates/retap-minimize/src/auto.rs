//! The default: goes down the hierarchy first (one level, where states are not known), then takes out the
//! heaviest parts, with a flat pass to 1-minimality last.

use crate::algorithm::Algorithm;
use crate::examiner::Examiner;
use crate::forecast::Forecast;
use crate::lhdd::{Descended, Manner};
use crate::minimize::Options;
use crate::oracle::Stop;
use crate::singles::SHORT;
use crate::tree::Tree;
use crate::{halving, heaviest, lhdd, singles};

/// From here on taking out single events is too dear: it costs the square of what is left.
const LONG: usize = 32;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    forecast: Forecast<'_>,
    options: &Options,
) -> Result<(), Stop> {
    singles::try_empty(examiner)?;
    // A short original costs no more event by event than through the hierarchy.
    if examiner.best().len() > SHORT {
        examiner.stage(Algorithm::Lhdd);
        let manner = Manner {
            preselect: options.preselect,
            in_level: halving::in_level,
            straight: options.preselect,
        };
        let descended = lhdd::descend(examiner, tree, manner)?;
        examiner.stage(Algorithm::Auto);
        if matches!(descended, Descended::WithRestored) {
            heaviest::reduce(examiner, tree, forecast)?;
        }
        if examiner.best().len() > LONG {
            // The states say little of this app, as where no two screens are alike.
            heaviest::reduce(examiner, &Tree::flat(tree.len()), Forecast::new(None))?;
        }
    }
    examiner.stage(Algorithm::Auto);
    loop {
        singles::reduce(examiner, forecast)?;
        if !singles::drop_pair(examiner, forecast)? {
            return Ok(());
        }
    }
}
