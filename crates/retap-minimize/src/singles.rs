//! The shortest steps there are: the empty candidate, leaving out one event at a time until none can be
//! (1-minimality), and leaving out two that undo each other.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::forecast::Forecast;
use crate::oracle::{Goal, Stop};

/// Up to here trying what is unlikely costs little.
pub(crate) const SHORT: usize = 8;

/// A launch without any event is a legal answer.
pub(crate) fn try_empty(examiner: &mut Examiner<'_>) -> Result<(), Stop> {
    examiner.passes(Goal::Interesting, &Candidate::empty())?;
    Ok(())
}

/// Closes an algorithm that does not promise it: afterwards no single event can be left out.
pub(crate) fn reduce(examiner: &mut Examiner<'_>, forecast: Forecast<'_>) -> Result<(), Stop> {
    let mut current = examiner.best().clone();
    // Where the last event was left out. Going on in front of it, not from the end again, takes one
    // sweep where most events can go; the rest of the circle then confirms what stayed.
    let mut place = current.len();
    while !current.is_empty() {
        let mut places: Vec<usize> = (0..place).rev().chain((place..current.len()).rev()).collect();
        // What fails before something can go has to be run again: what is likely to go comes first.
        places.sort_by_key(|&place| !forecast.arrives(&current.without(place..place + 1)));
        let candidates: Vec<Candidate> =
            places.iter().map(|&place| current.without(place..place + 1)).collect();
        match examiner.get_passing(Goal::Interesting, &candidates)? {
            None => return Ok(()),
            Some(passing) => {
                place = places[passing.index].min(passing.candidate.len());
                current = passing.candidate;
            }
        }
    }
    Ok(())
}

/// Leaves out two neighbours that neither can go without the other, as the way into a screen and the way
/// out of it. Of an answer that is not short only those are tried that the recording lets one expect to
/// be missed by nobody. Whether there were any.
pub(crate) fn drop_pair(examiner: &mut Examiner<'_>, forecast: Forecast<'_>) -> Result<bool, Stop> {
    let current = examiner.best().clone();
    let pairs = (0..current.len().saturating_sub(1)).map(|place| current.without(place..place + 2));
    let candidates: Vec<Candidate> =
        pairs.filter(|candidate| current.len() <= SHORT || forecast.foresees(candidate)).collect();
    Ok(examiner.get_passing(Goal::Interesting, &candidates)?.is_some())
}
