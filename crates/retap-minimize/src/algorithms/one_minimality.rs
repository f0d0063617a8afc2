//! The shortest steps there are: the empty candidate, single events until none can be left out
//! (1-minimality), and pairs of events that undo each other.

use crate::search::{Candidate, CandidateGoal, Examiner, Forecast, SearchStop};

/// Up to this length, trying unlikely candidates costs little.
pub(crate) const SHORT_TRACE: usize = 8;

/// Tries the launch without any event, which is a legal answer.
pub(crate) fn try_empty(examiner: &mut Examiner<'_>) -> Result<(), SearchStop> {
    examiner.passes(CandidateGoal::Interesting, &Candidate::empty())?;
    Ok(())
}

/// Makes the best answer 1-minimal: removes single events until none can be left out.
pub(crate) fn remove_single_events(
    examiner: &mut Examiner<'_>,
    forecast: Forecast<'_>,
) -> Result<(), SearchStop> {
    let mut current = examiner.best().clone();
    // The index of the event last removed. The search continues in front of it and not at the end
    // again. Where most events can be removed, that takes one sweep; the rest of the circle then
    // confirms the events that stayed.
    let mut place = current.len();
    while !current.is_empty() {
        let mut places: Vec<usize> = (0..place).rev().chain((place..current.len()).rev()).collect();
        // A candidate that fails before another passes has to run again, so likely ones come first.
        places.sort_by_key(|&place| !forecast.allows_end(&current.without(place..place + 1)));
        let candidates: Vec<Candidate> =
            places.iter().map(|&place| current.without(place..place + 1)).collect();
        match examiner.get_passing(CandidateGoal::Interesting, &candidates)? {
            None => return Ok(()),
            Some(passing) => {
                place = places[passing.index].min(passing.candidate.len());
                current = passing.candidate;
            }
        }
    }
    Ok(())
}

/// Removes two neighbours that can only go together, such as an event that opens a screen and one that
/// leaves it. Returns true if there were any.
///
/// In an answer that is not short, only pairs are tried after which the forecast reaches the end.
pub(crate) fn remove_event_pair(
    examiner: &mut Examiner<'_>,
    forecast: Forecast<'_>,
) -> Result<bool, SearchStop> {
    let current = examiner.best().clone();
    let is_short = current.len() <= SHORT_TRACE;
    let pairs = (0..current.len().saturating_sub(1)).map(|place| current.without(place..place + 2));
    let candidates: Vec<Candidate> =
        pairs.filter(|candidate| is_short || forecast.expects_end(candidate)).collect();
    Ok(examiner.get_passing(CandidateGoal::Interesting, &candidates)?.is_some())
}
