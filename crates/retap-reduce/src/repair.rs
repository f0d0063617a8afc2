//! A suite that recordings vouch for is run once before it is answered. Where some of it does not hold, what
//! is missing then is taken from other recordings, which is much cheaper than to begin anew.

use crate::bits::Bits;
use crate::replay::Replay;
use crate::trial::{Proven, Trial, union};
use crate::trim::{greedy, trim};

/// Rounds of repair before the recordings that were refuted are doubted.
const ROUNDS: usize = 4;

/// The suite as it was confirmed, covering all; else, apart, what was refuted.
pub(crate) fn confirmed<R: Replay>(
    trial: &mut Trial<'_, '_, R>,
    suite: Vec<Proven>,
    all: &Bits,
) -> Result<(Vec<Proven>, Vec<Proven>), R::Error> {
    let ground = trial.ground;
    let (mut suite, mut refuted) = trial.confirm(suite)?;
    for _ in 0..ROUNDS {
        let missing = all.minus(&union(ground, &suite));
        if missing.is_empty() {
            return Ok((trim(ground, suite, all), Vec::new()));
        }
        if trial.stopped {
            return Ok((suite, Vec::new()));
        }
        let recorded: Vec<Proven> = trial.recorded().collect();
        let pool = recorded.into_iter().filter_map(|proven| trial.beginning(proven.path)).collect();
        let instead = trim(ground, greedy(ground, pool, &missing), &missing);
        let (more, failed) = trial.confirm(instead)?;
        suite.extend(more);
        refuted.extend(failed);
    }
    if all.is_subset(&union(ground, &suite)) {
        return Ok((trim(ground, suite, all), Vec::new()));
    }
    Ok((suite, refuted))
}
