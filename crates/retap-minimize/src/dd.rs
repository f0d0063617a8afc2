//! ddmin (Zeller and Hildebrandt, TSE 2002, figure 5) on the flat sequence. Its result is 1-minimal.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::oracle::{Goal, Stop};
use crate::partition;
use crate::singles;

pub(crate) fn reduce(examiner: &mut Examiner<'_>) -> Result<(), Stop> {
    singles::try_empty(examiner)?;
    let mut current = examiner.best().clone();
    let mut parts = 2;
    while current.len() > 1 {
        let granularity = parts.min(current.len());
        let candidates = subsets_and_complements(&current, granularity);
        match examiner.get_passing(Goal::Interesting, &candidates)? {
            Some(passing) => {
                // Reduce to subset: start over; reduce to complement: keep the size of the parts.
                parts = if passing.index < granularity { 2 } else { (granularity - 1).max(2) };
                current = passing.candidate;
            }
            None if granularity == current.len() => return Ok(()),
            None => parts = 2 * granularity,
        }
    }
    Ok(())
}

/// Two parts are each other's complements: `get_passing` runs no candidate twice.
fn subsets_and_complements(current: &Candidate, parts: usize) -> Vec<Candidate> {
    let places = partition::even(current.len(), parts);
    let subsets = places.iter().map(|part| current.slice(part.clone()));
    let complements = places.iter().map(|part| current.without(part.clone()));
    subsets.chain(complements).collect()
}
