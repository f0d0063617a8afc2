//! ND3MIN (Clapp, Bastani, Anand, Aiken, FSE 2016, figure 2): delta debugging for nondeterministic apps.
//!
//! It judges sets of candidates only through `get_passing`, which spends the parallel oracle calls of
//! a round well.

use super::one_minimality;
use crate::search::{Candidate, CandidateGoal, Examiner, SearchStop, Split};

pub(crate) fn reduce(examiner: &mut Examiner<'_>, n: usize) -> Result<(), SearchStop> {
    // Not in the paper: the launch alone may reach the goal.
    one_minimality::try_empty(examiner)?;
    let trace = examiner.best().clone();
    min_r(examiner, trace, n)
}

/// `MinR` (line 3), its tail calls written as a loop.
fn min_r(examiner: &mut Examiner<'_>, mut trace: Candidate, n: usize) -> Result<(), SearchStop> {
    let mut k = n;
    while trace.len() > 1 {
        k = k.min(trace.len());
        let Split { subsets, complements } = Split::evenly(&trace, k);

        // Case 1: some part passes.
        if let Some(passing) = examiner.get_passing(CandidateGoal::Interesting, &subsets)? {
            (trace, k) = (passing.candidate, n);
        // Case 2: some complement passes. For k = 2 they are the parts, and nothing is run.
        } else if let Some(passing) =
            examiner.get_passing(CandidateGoal::Interesting, &complements)?
        {
            (trace, k) = (passing.candidate, (k - 1).max(2));
        // Case 3: finer parts.
        } else if k < trace.len() {
            k *= 2;
        // Case 4: the trace is 1-minimal.
        } else {
            return Ok(());
        }
    }
    Ok(())
}
