//! Devices elsewhere in place of the rigs of a lab.

use super::{Execution, Job, JobStopCondition, in_order};
use crate::device::DeviceError;
use retap_model::Cost;
use std::fmt::Debug;

/// A pool of devices elsewhere that runs shares of jobs. The jobs of a share run in a row on one device, so that
/// they share their prefixes; the first of them from a clean install.
pub trait RemotePool: Debug + Send {
    /// Runs every job to its end. Returns the executions of each share in the order of its jobs.
    fn run_shares(&mut self, shares: &[Vec<Job>]) -> Result<Vec<Vec<Execution>>, DeviceError>;

    /// Returns the cost of everything that ran elsewhere.
    fn cost(&self) -> Cost;

    /// Returns the remarks for people since the last call.
    fn take_remarks(&mut self) -> Vec<String>;
}

/// Runs the jobs on a pool. A condition cannot travel, so executions are cut where it would have ended them.
pub(super) fn run_shares(
    pool: &mut dyn RemotePool,
    jobs: &[Job],
    shares: &[&[usize]],
    stop_when: JobStopCondition<'_>,
) -> Result<Vec<Execution>, DeviceError> {
    let shares: Vec<&[usize]> = shares.iter().copied().filter(|share| !share.is_empty()).collect();
    let shared_jobs: Vec<Vec<Job>> =
        shares.iter().map(|share| share.iter().map(|&job| jobs[job].clone()).collect()).collect();
    let mut executions: Vec<Option<Execution>> = vec![None; jobs.len()];
    for (share, ran) in shares.iter().zip(pool.run_shares(&shared_jobs)?) {
        for (&job, mut execution) in share.iter().zip(ran) {
            execution.cut(&|step, observation| stop_when(job, step, observation));
            executions[job] = Some(execution);
        }
    }
    Ok(in_order(executions))
}
