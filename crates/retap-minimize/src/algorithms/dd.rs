//! ddmin (Zeller and Hildebrandt, TSE 2002, figure 5) on the flat sequence. Its result is 1-minimal.

use super::one_minimality;
use crate::search::{CandidateGoal, Examiner, SearchStop, Split};

pub(crate) fn reduce(examiner: &mut Examiner<'_>) -> Result<(), SearchStop> {
    // Not in the paper, which assumes that the empty sequence fails.
    one_minimality::try_empty(examiner)?;
    let mut current = examiner.best().clone();
    let mut parts = 2;
    while current.len() > 1 {
        let granularity = parts.min(current.len());
        let Split { subsets, complements } = Split::evenly(&current, granularity);
        let candidates = [subsets, complements].concat();
        match examiner.get_passing(CandidateGoal::Interesting, &candidates)? {
            Some(passing) => {
                // "Reduce to subset" starts over; "reduce to complement" keeps the size of the parts.
                let is_subset = passing.index < granularity;
                parts = if is_subset { 2 } else { (granularity - 1).max(2) };
                current = passing.candidate;
            }
            None if granularity == current.len() => return Ok(()),
            // "Increase granularity."
            None => parts = 2 * granularity,
        }
    }
    Ok(())
}
