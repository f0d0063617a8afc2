//! ND3MIN (Clapp, Bastani, Anand, Aiken, FSE 2016, figure 2): delta debugging whose only view of a
//! set of candidates is `get_passing`, so that a round's parallel oracle calls are spent well.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::oracle::{Goal, Stop};
use crate::partition;
use crate::singles;

pub(crate) fn reduce(examiner: &mut Examiner<'_>, n: usize) -> Result<(), Stop> {
    // Not in the paper: with no event at all the launch alone may reach the goal.
    singles::try_empty(examiner)?;
    let trace = examiner.best().clone();
    min_r(examiner, trace, n)
}

/// MinR (line 3), its tail calls written as a loop.
fn min_r(examiner: &mut Examiner<'_>, mut trace: Candidate, n: usize) -> Result<(), Stop> {
    let mut k = n;
    while trace.len() > 1 {
        k = k.min(trace.len());
        let parts = partition::even(trace.len(), k);
        let subtraces: Vec<_> = parts.iter().map(|part| trace.slice(part.clone())).collect();
        let complements: Vec<_> = parts.iter().map(|part| trace.without(part.clone())).collect();

        // Case 1: some part passes.
        if let Some(passing) = examiner.get_passing(Goal::Interesting, &subtraces)? {
            (trace, k) = (passing.candidate, n);
        // Case 2: some complement passes. Two parts are each other's complements: nothing is run.
        } else if let Some(passing) = examiner.get_passing(Goal::Interesting, &complements)? {
            (trace, k) = (passing.candidate, (k - 1).max(2));
        // Case 3: finer parts.
        } else if k < trace.len() {
            k *= 2;
        // Case 4.
        } else {
            return Ok(());
        }
    }
    Ok(())
}
