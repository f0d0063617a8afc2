//! Runs jobs in small batches, so that progress is seen and Ctrl-C loses at most the batch at hand.

use crate::console::Console;
use crate::interrupt;
use retap_device::{DeviceError, Execution, Job, Lab, NEVER_STOP};
use retap_engine::{Failure, Reporter};

/// Runs all jobs, or those before Ctrl-C if there are any, and returns their executions in order.
pub fn run_all(
    lab: &mut Lab<'_>,
    jobs: &[Job],
    console: &Console,
) -> Result<Vec<Execution>, Failure> {
    let progress = console.progress(Some(jobs.len() as u64));
    let batch_size = lab.rigs().len();
    let mut executions = Vec::with_capacity(jobs.len());
    for batch in jobs.chunks(batch_size) {
        // A run that is known from its prefix asks no device, which would notice Ctrl-C.
        if interrupt::is_set() && !executions.is_empty() {
            break;
        }
        let (done, all) = (executions.len(), jobs.len());
        let events = batch[0].events.len();
        progress.update(done as u64, format!("run {} of {all}, {events} events each", done + 1));
        match lab.run_all(batch, NEVER_STOP) {
            Ok(batch) => executions.extend(batch),
            Err(DeviceError::Interrupted) if !executions.is_empty() => break,
            Err(error) => return Err(error.into()),
        }
        tracing::debug!("{} runs done", executions.len());
    }
    Ok(executions)
}
