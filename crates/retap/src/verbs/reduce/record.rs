//! Traces that were written by hand or imported say what was done and not where it led: run them once
//! and write it down.

use super::load::Loaded;
use super::replays::result;
use crate::failure::Failure;
use retap_device::{Job, Lab, NEVER_STOP};
use retap_model::{Abstraction, Observation};
use std::sync::Arc;

/// Fills in what is missing, if that is allowed; refuses otherwise.
pub fn fill(
    loaded: &mut [Loaded],
    allowed: bool,
    abstraction: Abstraction,
    lab: &mut Lab<'_>,
) -> Result<(), Failure> {
    let lacking: Vec<usize> = (0..loaded.len()).filter(|at| lacks(&loaded[*at])).collect();
    let Some(first) = lacking.first() else { return Ok(()) };
    if !allowed {
        let what = match &loaded[*first] {
            one if !is_stateless(one) => "what its steps covered",
            one if one.covered.is_some() => "where its steps led",
            _ => "where its steps result and what they covered",
        };
        return Err(Failure::input(format!(
            "{} does not say {what} ({} of {} traces do not); --record runs such traces once and \
             writes it down",
            loaded[*first].name,
            lacking.len(),
            loaded.len()
        )));
    }
    let job = |at: &usize| Job {
        world_seed: loaded[*at].trace.world_seed,
        events: loaded[*at].trace.events().cloned().collect(),
    };
    let jobs: Vec<Job> = lacking.iter().map(job).collect();
    let executions = lab.run_all(&jobs, NEVER_STOP)?;
    for (at, execution) in lacking.into_iter().zip(executions) {
        let Loaded { trace, header, covered, .. } = &mut loaded[at];
        let result = |seen: &Observation| result(seen, abstraction, &header.app.package);
        // A trace that goes on after the app is gone ends there.
        trace.steps.truncate(execution.events());
        trace.start = result(&execution.observations[0]);
        for (step, seen) in trace.steps.iter_mut().zip(&execution.observations[1..]) {
            step.result = result(seen);
        }
        *covered =
            Some(execution.observations.iter().map(|seen| Arc::clone(&seen.coverage)).collect());
    }
    Ok(())
}

fn lacks(loaded: &Loaded) -> bool {
    loaded.covered.is_none() || is_stateless(loaded)
}

fn is_stateless(loaded: &Loaded) -> bool {
    (0..=loaded.trace.steps.len()).any(|step| loaded.trace.result_after(step).state.is_none())
}
