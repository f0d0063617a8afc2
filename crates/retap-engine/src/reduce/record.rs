//! Completes traces that were written by hand or imported: runs them once and records states and coverage.

use super::LoadedTrace;
use super::lab_replay::step_result;
use crate::Failure;
use retap_device::{Job, Lab, NEVER_STOP};
use retap_model::{Abstraction, Observation};
use std::sync::Arc;

/// Runs the traces that lack states or coverage, if that is allowed; refuses them otherwise.
pub fn complete(
    loaded: &mut [LoadedTrace],
    allowed: bool,
    abstraction: Abstraction,
    lab: &mut Lab<'_>,
) -> Result<(), Failure> {
    let incomplete: Vec<usize> =
        (0..loaded.len()).filter(|at| is_incomplete(&loaded[*at])).collect();
    let Some(first) = incomplete.first() else { return Ok(()) };
    if !allowed {
        let what = match &loaded[*first] {
            one if !is_stateless(one) => "the coverage of its steps",
            one if one.covered.is_some() => "the states its steps led to",
            _ => "the states its steps led to and their coverage",
        };
        return Err(Failure::input(format!(
            "{} does not record {what} ({} of {} traces do not); --record runs such traces once and \
             records it",
            loaded[*first].name,
            incomplete.len(),
            loaded.len()
        )));
    }
    let job = |at: &usize| Job {
        world_seed: loaded[*at].trace.world_seed,
        events: loaded[*at].trace.events().cloned().collect(),
    };
    let jobs: Vec<Job> = incomplete.iter().map(job).collect();
    let executions = lab.run_all(&jobs, NEVER_STOP)?;
    for (at, execution) in incomplete.into_iter().zip(executions) {
        let LoadedTrace { trace, header, covered, .. } = &mut loaded[at];
        let result =
            |observation: &Observation| step_result(observation, abstraction, &header.app.package);
        // The trace ends where the app is gone.
        trace.steps.truncate(execution.events());
        trace.start = result(&execution.observations[0]);
        for (step, observation) in trace.steps.iter_mut().zip(&execution.observations[1..]) {
            step.result = result(observation);
        }
        *covered =
            Some(execution.observations.iter().map(|one| Arc::clone(&one.coverage)).collect());
    }
    Ok(())
}

fn is_incomplete(loaded: &LoadedTrace) -> bool {
    loaded.covered.is_none() || is_stateless(loaded)
}

fn is_stateless(loaded: &LoadedTrace) -> bool {
    (0..=loaded.trace.steps.len()).any(|step| loaded.trace.result_after(step).state.is_none())
}
